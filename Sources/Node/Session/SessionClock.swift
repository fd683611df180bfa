import PotluckCore
import PotluckSystem

/// The time and a timer: the machine's clock, or a virtual one in tests.
package protocol SessionClock: Sendable {
    var now: Instant { get }

    /// Calls `body` at `time`, on any thread. A call cannot be cancelled, so `body` must tolerate a stale one.
    func call(at time: Instant, _ body: @escaping @Sendable () -> Void)
}

extension BootClock: SessionClock {
    package func call(at time: Instant, _ body: @escaping @Sendable () -> Void) {
        let wait = max(.zero, time - now)
        Task {
            try? await Task.sleep(for: wait)
            body()
        }
    }
}
