import PotluckCore

/// A message between a node of a program and its lead, or between two of its nodes. The items from one to another
/// arrive in the order in which they were sent.
public enum RankItem: Sendable, Equatable {
    // From the lead to a node.

    /// Take part in this program.
    case order(RankOrder)
    /// All nodes are ready: begin. Before it come the states of the node's ranks, if the program is resumed.
    case begin
    /// All ranks are at a checkpoint: continue.
    case pass
    /// The program has ended, or ends now.
    case end

    // From a node to the lead.

    /// The node can begin.
    case ready
    /// The node takes no part, or its ranks end early.
    case fault(RankEnding)
    /// None of the node's ranks computes.
    case report(RankReport)
    /// The state of a rank at a checkpoint. The lead sends it back when the program begins there again.
    case state(rank: Int, [UInt8])
    /// A line that a rank printed.
    case line(rank: Int, [UInt8], isError: Bool = false)
    /// What the node's ranks do, in their order.
    case rows([RankRow])
    /// The output of rank 0.
    case output([UInt8])
    /// A part of a rank's timeline, and how many events are missing in it.
    case trace(rank: Int, [RankTrace.Event], dropped: Int)
    /// This node has lost the link to another one of the program's nodes.
    case lost(node: Int)

    // From a node to another one.

    case letter(RankLetter)

    // From the lead to everybody in the session.

    case show(RankShow)
}

/// A line that a rank printed.
public struct RankLine: Sendable, Hashable {
    public let rank: Int
    public let octets: [UInt8]
    /// Whether it belongs on stderr.
    public let isError: Bool

    public init(rank: Int, _ octets: [UInt8], isError: Bool) {
        (self.rank, self.octets, self.isError) = (rank, octets, isError)
    }
}

/// Why a node's part of a program ends early.
public struct RankEnding: Hashable, Sendable {
    /// A sentence for the person who launched the program.
    public var why: String
    /// The rank that crashed; nil if none did.
    public var rank: Int?
    /// The places in the module of the crash and of the calls that led there.
    var places: [Int]
    /// The code with which the launcher ends; nil if the program did not choose one.
    var code: Int?

    public init(why: String, rank: Int? = nil, places: [Int] = [], code: Int? = nil) {
        (self.why, self.rank, self.places, self.code) = (why, rank, places, code)
    }

    public init(_ fault: RankError) {
        if case .crashed(let rank, let why, let places) = fault {
            self.init(why: why, rank: rank, places: places)
        } else {
            self.init(why: fault.description, code: fault.code)
        }
    }

    public var fault: RankError {
        if let rank { .crashed(rank: rank, why, places: places) } else { .ended(why: why, code: code) }
    }
}

/// What one rank does at a moment, and what it has done so far.
public struct RankRow: Hashable, Sendable {
    public var standing: Standing
    public var traffic: RankTraffic
    public var waits: RankWaits

    public enum Standing: Hashable, Sendable {
        case computes
        case waits(RankActivity.Cause, for: Duration)
        case ended
    }

    public init(standing: Standing, traffic: RankTraffic, waits: RankWaits) {
        (self.standing, self.traffic, self.waits) = (standing, traffic, waits)
    }
}

/// A program with ranks, as a node must know it to run its share.
public struct RankOrder: Hashable, Sendable {
    public var program: LaunchedProgram
    public var map: RankMap
    /// The program's nodes, in the order of `map`.
    public var nodes: [NodeID]
    /// The node that passes on what two nodes without a link send each other; nil if none can.
    public var relay: NodeID?
    /// The receiver's place among the nodes.
    public var own: Int
    /// Whether the program begins at a checkpoint. Then the states of the receiver's ranks follow.
    public var isResumed: Bool

    public init(
        _ program: LaunchedProgram, map: RankMap, nodes: [NodeID], relay: NodeID?, own: Int, isResumed: Bool
    ) {
        (self.program, self.map, self.nodes, self.relay) = (program, map, nodes, relay)
        (self.own, self.isResumed) = (own, isResumed)
    }
}

/// A program with ranks, as everybody in its session sees it.
public struct RankShow: Sendable, Equatable {
    public enum State: Hashable, Sendable {
        case running, ended
        case failed(String)
    }

    /// The program's name.
    public var name: String
    /// The name of the node that launched it.
    public var launcher: String
    public var state: State
    /// Since the launch.
    public var elapsed: Duration
    /// How many checkpoints are complete.
    public var checkpoints: Int
    public var rows: [RankRow]
    /// The name of each rank's node.
    public var laptops: [String]

    public init(
        name: String, launcher: String, state: State, elapsed: Duration, checkpoints: Int, rows: [RankRow],
        laptops: [String]
    ) {
        (self.name, self.launcher, self.state) = (name, launcher, state)
        (self.elapsed, self.checkpoints, self.rows, self.laptops) = (elapsed, checkpoints, rows, laptops)
    }
}
