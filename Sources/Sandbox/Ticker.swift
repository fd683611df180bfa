import Glibc
import PotluckSystem

/// Advances the engine's clock while a call is under way, and sleeps otherwise.
final class Ticker: @unchecked Sendable {
    // The mutex guards the number of calls; both live on the heap, because they must not move.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var calls = 0

    /// How exactly a limit is kept: some hundredths of the shortest that anybody sets.
    private static let interval = timespec(tv_sec: 0, tv_nsec: 10_000_000)

    /// Runs as long as the program: there is one.
    init(_ tick: @escaping @Sendable () -> Void) {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
        SystemThread(for: "watching plugins") { [self] in
            while true {
                pthread_mutex_lock(mutex)
                while calls == 0 { pthread_cond_wait(condition, mutex) }
                pthread_mutex_unlock(mutex)
                var rest = Self.interval
                // Woken early, it ticks early: nobody judges by the number of ticks.
                nanosleep(&rest, nil)
                tick()
            }
        }.detach()
    }

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
