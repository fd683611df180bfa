import PotluckModel

/// A node as its coordinator knows it, for all jobs.
struct Worker: Sendable {
    let node: NodeID
    var name: String
    /// The address that its link comes from; empty for this node.
    var address: [UInt8] = []
    var cores: Int
    /// Whether it may coordinate jobs.
    var canCoordinate = false
    var isConnected = true
    /// The time of the last heartbeat to it and back.
    var roundTrip: Duration?
}
