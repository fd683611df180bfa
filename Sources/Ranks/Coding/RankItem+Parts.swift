import PotluckWire

/// Long messages are encoded and decoded with one copy of their bytes.
extension RankItem {
    /// The encoded item in two pieces. The second one shares the bytes of a long message.
    public var pieces: (head: [UInt8], tail: [UInt8]) {
        guard case .letter(.octets(let octets, let source, let number, let receiver)) = self, !octets.isEmpty else {
            return (encoded(), [])
        }
        return (RankLetter.head(ofOctets: octets.count, source, number, receiver), octets)
    }

    /// Decodes an item that came in parts.
    public init(parts: [ArraySlice<UInt8>]) throws(WireError) {
        if let letter = try RankLetter(octetsIn: parts) {
            self = .letter(letter)
        } else if parts.count == 1 {
            self = try RankItem(parts[0])
        } else {
            self = try RankItem(Array(parts.joined()))
        }
    }
}

extension RankLetter {
    /// Everything of an `octets` letter but its bytes.
    static func head(ofOctets count: Int, _ source: Int, _ number: Int, _ receiver: Int) -> [UInt8] {
        var writer = FieldWriter(.octets)
        writer.number(1, source)
        writer.number(2, number)
        writer.number(3, receiver)
        writer.head(octetsTag, length: count)
        return writer.bytes
    }

    /// The tag of the bytes, which come last.
    private static let octetsTag: UInt64 = 4

    /// Decodes an `octets` letter in several parts, of which the first one has everything but some of its bytes. Nil for
    /// another item.
    fileprivate init?(octetsIn parts: [ArraySlice<UInt8>]) throws(WireError) {
        guard parts.count > 1, let first = parts.first else { return nil }
        var reader = ByteReader(first)
        guard try reader.varint() == RankItem.Kind.octets.rawValue else { return nil }
        let begin = first.endIndex - reader.remaining
        var end = begin
        while true {
            let (tag, length) = (try reader.varint(), try reader.varint())
            if tag == Self.octetsTag {
                let rest = parts.reduce(0) { $0 + $1.count } - (first.count - reader.remaining)
                guard length == rest, rest <= RankLimits.message else {
                    throw .malformed("a message of another length")
                }
                break
            }
            guard length <= UInt64(reader.remaining) else { throw .truncated }
            _ = try reader.raw(Int(length))
            end = first.endIndex - reader.remaining
        }
        var fields = try RankFieldReader(ByteReader(first[begin..<end]))
        let (source, number) = (try fields.rank(1), try fields.number(2, atMost: RankLimits.count))
        let receiver = try fields.rank(3)
        try fields.end()
        var octets: [UInt8] = []
        octets.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        octets += first.suffix(reader.remaining)
        for part in parts.dropFirst() { octets += part }
        self = .octets(octets, source: source, number: number, to: receiver)
    }
}
