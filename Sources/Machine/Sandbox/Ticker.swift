import Glibc
import PotluckSystem

/// Advances the clock of the wasmtime engines while calls are under way, and sleeps otherwise.
final class Ticker: @unchecked Sendable {
    // The mutex guards `calls`. The mutex and the condition must not move, so they are on the heap.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var calls = 0

    /// The precision of time limits: a few hundredths of the shortest limit in use.
    private static let interval = timespec(tv_sec: 0, tv_nsec: 10_000_000)

    /// Starts the thread, which runs until the program ends. There is one ticker in a program.
    init(_ tick: @escaping @Sendable () -> Void) {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        SystemThread(for: "watching plugins") { [self] in
            while true {
                pthread_mutex_lock(mutex)
                while calls == 0 { pthread_cond_wait(condition, mutex) }
                pthread_mutex_unlock(mutex)
                var rest = Self.interval
                // If it wakes up early, it ticks early. No limit counts ticks.
                nanosleep(&rest, nil)
                tick()
            }
        }.detach()
    }

    /// Ticks while `calls` runs.
    func during<Result, Failure: Error>(_ calls: () throws(Failure) -> Result) throws(Failure) -> Result {
        change(by: 1)
        defer { change(by: -1) }
        return try calls()
    }

    private func change(by number: Int) {
        pthread_mutex_lock(mutex)
        calls += number
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }
}
