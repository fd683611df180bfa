import PotluckCore
import PotluckRanks

/// A launch whose frames this node passes on between nodes that have no link. It passes on only as much as the window
/// of a stream allows, and drops frames that repeat earlier ones. The link limits the bytes that all launches together
/// keep waiting.
struct RankRelay {
    /// The node that launched the program.
    let lead: NodeID
    /// The picture that everybody was shown last; nil if there was none, or if it showed the end.
    var shown: RankShow?
    /// The nodes of the program and the lead.
    let members: Set<NodeID>
    private let window: UInt64
    /// The link over which frames of each member went first. Its streams end with this link.
    private var links: [NodeID: LinkID] = [:]
    /// For each flow, the bytes of parts that were sent and that have arrived.
    private var flows: [Flow: (sent: UInt64, arrived: UInt64)] = [:]
    /// The flows over which a node has told another one that the launch is over for it.
    private var closed: Set<Flow> = []

    /// The fewest bytes that a node acknowledges at once: a quarter of its window. The window is smallest while the
    /// number of nodes is unknown.
    private static let leastTold = RankStream.window(nodes: RankFrame.mostNodes) / 4

    private struct Flow: Hashable {
        let from: NodeID
        let to: NodeID
    }

    init(lead: NodeID, nodes: [NodeID]) {
        self.lead = lead
        members = Set(nodes).union([lead])
        window = RankStream.window(nodes: nodes.count)
    }

    /// Frames from and to this node go over this link.
    mutating func uses(_ link: LinkID, of node: NodeID) { if links[node] == nil { links[node] = link } }

    /// The link over which a member's frames went first.
    func link(of node: NodeID) -> LinkID? { links[node] }

    /// The member whose frames went over this link; nil if there is none.
    func member(at link: LinkID) -> NodeID? { links.first { $0.value == link }?.key }

    /// Whether a frame may go from one node to another one.
    mutating func passes(_ content: RankFrame.Content, from: NodeID, to: NodeID) -> Bool {
        guard from != to, members.contains(from), members.contains(to) else { return false }
        switch content {
        case .part(let octets, _):
            var flow = flows[Flow(from: from, to: to)] ?? (0, 0)
            guard flow.sent - flow.arrived < window else { return false }
            flow.sent += UInt64(octets.count)
            flows[Flow(from: from, to: to)] = flow
        case .received(let octets):
            guard let flow = flows[Flow(from: to, to: from)], octets <= flow.sent, octets > flow.arrived,
                octets - flow.arrived >= Self.leastTold
            else { return false }
            flows[Flow(from: to, to: from)] = (flow.sent, octets)
        // A node that refuses says so for each part that comes. Its first word is enough.
        case .closed: return closed.insert(Flow(from: from, to: to)).inserted
        case .open, .opened, .show: return false
        }
        return true
    }
}
