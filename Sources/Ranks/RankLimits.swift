/// Limits on what the ranks of a program may use.
public enum RankLimits {
    /// The most ranks of a program. A rank is a thread and 256 MiB of address space.
    public static let ranks = 512
    /// The most ranks on one core of a laptop. More would only take its memory.
    public static let ranksPerCore = 16
    /// The largest message in bytes: it must fit into the memory of a rank.
    public static let message = 256 << 20
    /// Bytes of all messages that no rank has taken, so that a program that only sends does not take all memory.
    static let pending = 2 << 30
    /// Messages of other nodes that the ranks of a node have not received, in number: as many as fill `pending` without any
    /// bytes.
    static let waiting = pending / messageItself
    /// The bytes that a message takes besides its content, roughly.
    static let messageItself = 128
    /// Requests that a rank may have at once. A program that needs more has lost some.
    public static let requests = 16_384
    /// The most bytes that a rank prints with one call. People read no more.
    public static let line = 1 << 20
    /// The most bytes of a rank's state at a checkpoint: it must fit into the memory of a rank.
    public static let checkpoint = 256 << 20
    /// The largest tag and the largest context: those that an author can pass, which are signed and have 32 bits.
    static let tag = Int(Int32.max)
    /// The most messages, letters or bytes that are counted. No program sends more, and the sums of all ranks and nodes
    /// fit into 64 bits.
    static let count = 1 << 53
    /// The memory of a rank in bytes: the smallest module of the kit needs the least, and 32-bit addresses reach the
    /// most.
    static let memory = 1 << 20...4 << 30
    /// The most bytes of rank 0's output: as many as the largest message. The lead keeps them in memory.
    public static let output = message
}

/// How many bytes of messages wait where they are sent to. A simulation has small rooms, which fill soon.
public struct RankRooms: Hashable, Sendable {
    /// A standard send waits while this many bytes or more wait at the receiver. It is large enough for the exchanges of
    /// teaching programs.
    public var room = 64 << 20
    /// Bytes of the longest message that travels to another node at once. A longer one costs a round trip more, which is
    /// little beside the time for its bytes.
    public var eager = 64 << 10
    /// Bytes of such messages for one rank that are on their way or wait there, for each node that sends to it.
    public var eagerRoom = 1 << 20
    /// Bytes received of such messages until their sender's node is told: seldom enough to cost little.
    public var eagerReturn = 1 << 18

    public init() {}
}
