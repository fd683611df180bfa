import Potluck
import PotluckCore

/// Encodes news of jobs for viewers on the same machine. They never cross the network, because every node makes its
/// own.
extension JobNews {
    /// The job; nil if the news concerns all jobs.
    var job: JobID? {
        switch self {
        case .liar(let id, _, _), .setAside(let id, _, _, _), .unable(let id, _, _, _), .orphaned(let id, _, _),
            .goesOn(let id, _, _), .forgotten(let id, _, _), .stranded(let id, _):
            id
        case .journalStuck, .journalWell: nil
        }
    }

    private enum Kind: UInt8 {
        case liar = 1
        case setAside, unable, orphaned, goesOn, stranded, journalStuck, journalWell, forgotten
    }

    /// The longest text in bytes. A text is shown on one line of a screen, so this is plenty.
    private static let longestText = 4096

    var octets: [UInt8] {
        var writer = ByteWriter()
        func write(_ kind: Kind, _ id: JobID?, _ node: NodeID?, _ texts: String...) {
            writer.fixed(kind.rawValue)
            if let id { writer.fixed(id.number) }
            if let node { writer.raw(node.octets) }
            for text in texts { writer.text(text) }
        }
        switch self {
        case .liar(let id, let node, let name): write(.liar, id, node, name)
        case .setAside(let id, let node, let name, let why): write(.setAside, id, node, name, why)
        case .unable(let id, let node, let name, let why): write(.unable, id, node, name, why)
        case .orphaned(let id, let node, let name): write(.orphaned, id, node, name)
        case .goesOn(let id, let node, let name): write(.goesOn, id, node, name)
        case .forgotten(let id, let node, let name): write(.forgotten, id, node, name)
        case .stranded(let id, let why): write(.stranded, id, nil, why)
        case .journalStuck(let why): write(.journalStuck, nil, nil, why)
        case .journalWell: write(.journalWell, nil, nil)
        }
        return writer.bytes
    }

    /// Returns nil if the bytes are not valid news.
    init?(_ octets: ArraySlice<UInt8>) {
        var reader = ByteReader(octets)
        do throws(WireError) {
            guard let news = try Self.read(&reader), reader.isAtEnd else { return nil }
            self = news
        } catch {
            return nil
        }
    }

    private static func read(_ reader: inout ByteReader) throws(WireError) -> JobNews? {
        func job() throws(WireError) -> JobID { JobID(try reader.fixed()) }
        func text() throws(WireError) -> String { try reader.text(limit: longestText) }
        func node() throws(WireError) -> NodeID {
            guard let node = NodeID(Array(try reader.raw(NodeID.length))) else { throw .malformed("a node's ID") }
            return node
        }
        switch Kind(rawValue: try reader.fixed()) {
        case .liar?: return .liar(try job(), try node(), name: try text())
        case .setAside?: return .setAside(try job(), try node(), name: try text(), why: try text())
        case .unable?: return .unable(try job(), try node(), name: try text(), why: try text())
        case .orphaned?: return .orphaned(try job(), try node(), name: try text())
        case .goesOn?: return .goesOn(try job(), try node(), name: try text())
        case .forgotten?: return .forgotten(try job(), try node(), name: try text())
        case .stranded?: return .stranded(try job(), why: try text())
        case .journalStuck?: return .journalStuck(try text())
        case .journalWell?: return .journalWell
        case nil: return nil
        }
    }
}
