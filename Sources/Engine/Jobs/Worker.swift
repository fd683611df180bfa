import PotluckCore

/// A node as a coordinator knows it, for all jobs.
struct Worker: Sendable {
    let node: NodeID
    var name: String
    /// The address that its link comes from; empty for this node.
    var address: [UInt8] = []
    var cores: Int
    /// Whether it may coordinate jobs.
    var canCoordinate = false
    /// Whether a page in a browser computes for it. It is believed less than a program.
    var isBrowser = false
    var isConnected = true
    /// How often it asked over its link how jobs ended.
    var questions = 0
    /// The round-trip time of the latest heartbeat; nil before the first.
    var roundTrip: Duration?
}
