import PotluckModel

extension RankFrame {
    /// The numbers of the contents. Append-only: never reuse a number.
    private enum Kind: UInt64 {
        case part = 1
        case received = 2
        case open = 3
        case opened = 4
        case closed = 5
        case show = 6
    }

    func encoded() -> [UInt8] {
        switch content {
        case .part(let octets, let isLast):
            encoded(.part, number: isLast ? 1 : 0, reserving: octets.count) { $0.octets(6, octets) }
        case .received(let count): encoded(.received, number: count)
        case .open(let nodes): encoded(.open, reserving: nodes.count * NodeID.length) { $0.nodes(6, nodes) }
        case .opened: encoded(.opened)
        case .closed(let why):
            encoded(.closed, reserving: Self.longestReason) { $0.line(6, why, limit: Self.longestReason) }
        case .show(let octets): encoded(.show, reserving: octets.count) { $0.octets(6, octets) }
        }
    }

    /// Encodes a frame whose last field, which `write` appends, has about `count` bytes. Parts are many and long, so the
    /// buffer must not grow.
    private func encoded(
        _ kind: Kind, number: UInt64 = 0, reserving count: Int = 0, _ write: (inout FieldWriter) -> Void = { _ in }
    ) -> [UInt8] {
        var writer = FieldWriter(kind: Message.Kind.ranks.rawValue, reserving: Self.around + count)
        writer.field(1, length: 8) { $0.fixed(launch) }
        if let origin { writer.octets(2, origin.octets) }
        if let target { writer.octets(3, target.octets) }
        writer.number(4, kind.rawValue)
        writer.number(5, number)
        write(&writer)
        return writer.bytes
    }

    /// At least as many bytes as everything takes besides the last field's value.
    private static let around = 80

    /// Returns nil for a content that only a later version knows.
    static func decode(_ fields: inout FieldReader) throws(WireError) -> RankFrame? {
        var launch: UInt64?, origin: NodeID?, target: NodeID?, kind: Kind?, number: UInt64 = 0, last: Field?
        while let field = try fields.next() {
            switch field.tag {
            case 1:
                var reader = try ByteReader(field.exactly(8))
                launch = try reader.fixed()
            case 2: origin = NodeID(try field.bytes(exactly: NodeID.length))
            case 3: target = NodeID(try field.bytes(exactly: NodeID.length))
            case 4:
                kind = Kind(rawValue: try field.number())
                // What follows may have another meaning.
                if kind == nil { return nil }
            case 5: number = try field.number()
            case 6: last = field
            default: break
            }
        }
        guard let launch, let kind else { throw .malformed("a frame of a program with ranks without a required field") }
        return RankFrame(
            launch: launch, origin: origin, target: target, content: try content(kind, number, last))
    }

    private static func content(_ kind: Kind, _ number: UInt64, _ last: Field?) throws(WireError) -> Content {
        switch kind {
        case .part:
            guard let last else { throw .malformed("a part without octets") }
            return .part(try last.slice(limit: longestPart), isLast: number == 1)
        case .received: return .received(number)
        case .open: return .open(try last?.nodes(limit: mostNodes) ?? [])
        case .opened: return .opened
        case .closed: return .closed(try last?.line(limit: longestReason) ?? "")
        case .show:
            guard let last else { throw .malformed("a show without octets") }
            return .show(try last.bytes(limit: longestShow))
        }
    }
}
