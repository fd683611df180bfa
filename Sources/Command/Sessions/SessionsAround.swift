import Potluck
import PotluckCore
import PotluckNet
import PotluckSystem

/// Whether the nodes nearby announce sessions of one name with and without a join code. Values only become true, so a
/// later announcement cannot hide that there is a code.
struct SessionsAround: Equatable {
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
}

/// The sessions nearby, as their servers and peers announce them for a moment.
struct Neighbourhood: Sendable {
    /// How long to listen. In this time the question is asked three times; nodes answer within 20 ms.
    private static let look: Duration = .milliseconds(500)

    /// The servers and peers seen, by the name of their session.
    private(set) var hosts: [String: [NodeID: NodeEntry]] = [:]
    private var around: [SessionHash: SessionsAround] = [:]

    var names: [String] { Array(hosts.keys) }

    /// Whether sessions of this name are open.
    func around(_ id: SessionID) -> SessionsAround { around[id.hash] ?? SessionsAround() }

    /// Listens for half a second, without announcing this node. If the code is known already, stops at the first node of
    /// the session that was typed.
    static func look(
        for typed: SessionID? = nil, hasCode: Bool = false, _ options: DiscoveryOptions
    ) async -> Neighbourhood {
        let discovery = NetworkDiscovery(
            DiscoverySetup(node: Identity().node, scope: .everything, key: nil, seed: Machine.drawSeed()),
            options: options)
        let looking = Task.detached {
            var found = Neighbourhood()
            for await change in discovery.changes() {
                found.add(change.entry, typed)
                if hasCode, let typed, found.hosts[typed.name] != nil { break }
            }
            return found
        }
        let timer = Task {
            try? await Task.sleep(for: look)
            looking.cancel()
        }
        let found = await looking.value
        timer.cancel()
        // Avahi may be slow to stop, and nothing depends on it.
        Task.detached { discovery.stop() }
        return found
    }

    private mutating func add(_ entry: NodeEntry, _ typed: SessionID?) {
        let announcement = entry.announcement
        around[announcement.sessionHash, default: SessionsAround()].add(entry)
        // A hidden session shows only the hash of its name.
        let session = announcement.session ?? (announcement.sessionHash == typed?.hash ? typed : nil)
        guard let session, announcement.mode != .client else { return }
        hosts[session.name, default: [:]][entry.node] = entry
    }
}
