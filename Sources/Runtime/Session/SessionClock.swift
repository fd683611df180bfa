import PotluckModel
import PotluckSystem

/// The time, and somebody who says when it has come: the machine's, or a virtual one in tests.
package protocol SessionClock: Sendable {
    var now: Instant { get }

    /// Calls at that time, from any thread. A call that is no longer wanted does no harm.
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
