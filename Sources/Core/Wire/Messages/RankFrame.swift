/// A message about a program with ranks. What it carries is for the program's nodes and its lead; the session only brings
/// it there.
public struct RankFrame: Hashable, Sendable {
    /// Distinguishes the launches of programs. Its lead draws it.
    public var launch: UInt64
    /// The node that sent it, if another node passed it on.
    public var origin: NodeID?
    /// The node that shall get it, if another node passes it on.
    public var target: NodeID?
    public var content: Content

    public enum Content: Hashable, Sendable {
        /// A piece of an item. It shares the bytes of what it was cut from, because these messages are many and long.
        case part(ArraySlice<UInt8>, isLast: Bool)
        /// How many bytes of parts have come so far.
        case received(UInt64)
        /// Pass on what these nodes and the sender of this frame send each other.
        case open([NodeID])
        /// The receiver of `open` does that.
        case opened
        /// The sender knows nothing of this launch, refuses it, or has ended it, for this reason.
        case closed(String)
        /// An item for everybody in the session, whole.
        case show([UInt8])
    }

    public init(launch: UInt64, origin: NodeID? = nil, target: NodeID? = nil, content: Content) {
        (self.launch, self.origin, self.target, self.content) = (launch, origin, target, content)
    }

    /// Bytes of the longest part. A control message of a link waits behind eight frames of a part at most.
    public static let longestPart = 128 << 10
    /// Bytes of the longest reason.
    static let longestReason = 400
    /// Bytes of the longest item for everybody: 512 ranks of 80 bytes each, on as many nodes with the longest names.
    public static let longestShow = 128 << 10
    /// The most nodes of a program: each has a rank.
    public static let mostNodes = 512
}

extension RankFrame {
    /// Whether the message goes in the bulk lane. All but `received` keep their order there: what closes a launch must not
    /// overtake what its nodes are told last. What was received must not wait behind parts.
    public var prefersBulk: Bool {
        switch content {
        case .part, .open, .opened, .closed, .show: true
        case .received: false
        }
    }
}
