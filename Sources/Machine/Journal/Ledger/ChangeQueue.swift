import Glibc
import PotluckCore
import PotluckSystem

/// The queue of changes for the journal's writer.
final class ChangeQueue: @unchecked Sendable {
    // The mutex and the condition must not move, so they are on the heap. The mutex guards the variables.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    /// Batches as they were appended; copying each change was a twentieth of the journal's cost.
    private var changes: [[JournalChange]] = []
    private var appended: UInt64 = 0
    private var isClosed = false
    /// Whether the writer waits for the next change.
    private var isWaiting = false

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// The time in nanoseconds, by the clock that waiting uses.
    static var now: Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Adds changes. Returns the number of the last one.
    func append(_ new: [JournalChange]) -> UInt64 {
        locked {
            guard !isClosed, !new.isEmpty else { return appended }
            changes.append(new)
            appended += UInt64(new.count)
            if isWaiting { pthread_cond_signal(condition) }
            return appended
        }
    }

    func close() {
        locked {
            isClosed = true
            pthread_cond_signal(condition)
        }
    }

    /// Waits until `moment`, and then for changes. Returns sooner only if the queue is closed.
    func take(notBefore moment: Int64, evenIfEmpty: Bool) -> (changes: [[JournalChange]], isClosed: Bool) {
        locked {
            // Changes do not wake the writer before that moment, so a busy journal wakes up once for each commit.
            var deadline = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
            while !isClosed, Self.now < moment { pthread_cond_timedwait(condition, mutex, &deadline) }
            isWaiting = true
            while changes.isEmpty, !evenIfEmpty, !isClosed { pthread_cond_wait(condition, mutex) }
            isWaiting = false
            let taken = changes
            changes = []
            // The next batch will probably have the same size.
            changes.reserveCapacity(taken.count)
            return (taken, isClosed)
        }
    }
}
