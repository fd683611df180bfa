import Dispatch
import PotluckSystem

@testable import Potluck

/// Lets ranks compute until a laptop has left. If they waited for messages meanwhile, all ranks might do so, which is a
/// deadlock and not a lost laptop.
final class Leaving: Sendable {
    private let session = Guarded<Session?>(nil)
    private let hasLeft = DispatchSemaphore(value: 0)

    func set(_ session: Session) { self.session.with { $0 = session } }

    func waitUntilLeft() {
        if let session = session.with({ $0.take() }) {
            Task {
                await session.leave()
                hasLeft.signal()
            }
        }
        hasLeft.wait()
        // The next one passes, too.
        hasLeft.signal()
    }
}
