import Potluck
import PotluckCore
import PotluckNet
import PotluckSystem

/// Whether the nodes nearby announce sessions of one name with and without a join code. Values only become true, so a
/// later announcement cannot hide that there is a code.
struct SessionsAround: Equatable {
    /// How long to listen. In this time the question is asked three times; nodes answer within 20 ms.
    private static let look: Duration = .milliseconds(500)

    private(set) var hasOpen = false
    private(set) var hasCoded = false

    /// Whether all of them are open. An open session next to one with a code may be a trap for users who have not typed
    /// it yet.
    var isOpen: Bool { hasOpen && !hasCoded }

    mutating func add(_ entry: NodeEntry) {
        // A client does not serve the session.
        guard entry.announcement.mode != .client else { return }
        if entry.announcement.isOpen { hasOpen = true } else { hasCoded = true }
    }

    /// Listens for half a second, or until it hears of the session that was typed. Returns the servers and peers seen,
    /// by the name of their session.
    static func hosts(until typed: SessionID? = nil, _ options: DiscoveryOptions) async -> [String: [NodeEntry]] {
        let discovery = NetworkDiscovery(
            DiscoverySetup(node: Identity().node, scope: .everything, key: nil, seed: Machine.drawSeed()),
            options: options)
        let looking = Task.detached {
            var hosts: [String: [NodeID: NodeEntry]] = [:]
            for await change in discovery.changes() {
                let announcement = change.entry.announcement
                // A hidden session shows only the hash of its name.
                let session = announcement.session ?? (announcement.sessionHash == typed?.hash ? typed : nil)
                guard let session, announcement.mode != .client else { continue }
                hosts[session.name, default: [:]][change.entry.node] = change.entry
                if session.name == typed?.name { break }
            }
            return hosts.mapValues { Array($0.values) }
        }
        let timer = Task {
            try? await Task.sleep(for: look)
            looking.cancel()
        }
        let hosts = await looking.value
        timer.cancel()
        Task.detached { discovery.stop() }
        return hosts
    }

    /// Listens for half a second, without announcing this node.
    static func look(for id: SessionID, _ options: DiscoveryOptions) async -> SessionsAround {
        let discovery = NetworkDiscovery(
            DiscoverySetup(
                node: Identity().node, scope: .session(id.hash), key: nil, seed: Machine.drawSeed()),
            options: options)
        let looking = Task.detached {
            var around = SessionsAround()
            for await change in discovery.changes() { around.add(change.entry) }
            return around
        }
        try? await Task.sleep(for: look)
        looking.cancel()
        // Avahi may be slow to stop, and nothing depends on it.
        Task.detached { discovery.stop() }
        return await looking.value
    }
}
