import PotluckCore
import PotluckEngine

extension Laptop {
    /// The notes of the laws about a laptop's node.
    struct Observed {
        /// The last reported state of each peer.
        var peers: [NodeID: KnownPeer] = [:]
        /// The jobs that it coordinates or has coordinated.
        var leads: [JobID: Lead] = [:]
        /// The epoch in the last announcement of each job.
        var heard: [JobID: UInt64] = [:]
        /// The jobs whose end it was told, and how they ended.
        var endings: [JobID: Ending] = [:]
        /// The number of chunks done of each job, counted only for a laptop that `stints`.
        var chunks: [JobID: Int] = [:]
        /// The number of lies in each job.
        var lies: [JobID: UInt64] = [:]
        /// The number of picture readings of each job in flight.
        var unread: [JobID: Int] = [:]
        /// The number of chunks on loan over each link.
        var lent: [LinkName: LentCounts] = [:]
        /// Whether its journal has reported an error that still lasts.
        var cannotWrite = false
    }

    enum Ending { case finished, failed, lost }

    struct KnownPeer {
        let state: PeerState
        let since: Instant
    }
}

/// How many chunks of each job are lent over one link.
struct LentCounts {
    var counts: [JobID: Int] = [:]

    var total: Int { counts.values.reduce(0, +) }

    mutating func end(_ count: Int, of id: JobID) { counts[id] = max(0, counts[id, default: 0] - count) }
}
