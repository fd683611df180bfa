import Potluck
import PotluckCrypto
import PotluckDiscovery
import PotluckModel

/// What those around say about the sessions of one name: whether there is one with a join code, and whether there is one
/// without. It only ever learns: who once said that there is a code is not talked out of it by whoever says otherwise.
struct SessionsAround: Equatable {
    /// A question is answered within 20 ms, and is asked three times in this.
    private static let look: Duration = .milliseconds(500)

    private(set) var hasOpen = false
    private(set) var hasCoded = false

    /// Open and nothing else. Next to a session that has a code an open one may be a trap for those who have not typed it yet.
    var isOpen: Bool { hasOpen && !hasCoded }

    mutating func take(_ entry: NodeEntry) {
        // A client of either kind serves nothing.
        guard entry.announcement.mode != .client else { return }
        if entry.announcement.isOpen { hasOpen = true } else { hasCoded = true }
    }

    /// Looks and listens for half a second, seen by nobody.
    static func look(for id: SessionID, _ options: DiscoveryOptions) async -> SessionsAround {
        let discovery = NetworkDiscovery(
            DiscoverySetup(
                node: Identity().node, scope: .session(id.hash), key: nil, seed: Machine.drawSeed()),
            options: options)
        let looking = Task.detached {
            var around = SessionsAround()
            for await change in discovery.changes() { around.take(change.entry) }
            return around
        }
        try? await Task.sleep(for: look)
        looking.cancel()
        // Avahi may take its time to end, and nobody has to wait for that.
        Task.detached { discovery.stop() }
        return await looking.value
    }
}
