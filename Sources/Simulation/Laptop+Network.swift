import PotluckCore
import PotluckEngine

extension Laptop {
    /// The links of a laptop's node, and the nodes that its discovery has seen.
    struct Network {
        var links: [LinkName: Cable] = [:]
        var seen: [NodeID: NodeEntry] = [:]
        private var accepted: UInt64 = 0

        /// Returns the name of the next accepted link.
        mutating func nextAccepted() -> LinkName {
            accepted += 1
            return .accepted(accepted)
        }
    }
}
