import PotluckCore

/// Long messages are encoded and decoded with one copy of their bytes.
extension RankItem {
    /// The encoded item in two pieces. The second one shares the bytes of a long message.
    public var pieces: (head: [UInt8], tail: [UInt8]) {
        guard case .letter(.octets(let octets, let source, let number, let receiver)) = self, !octets.isEmpty else {
            return (encoded(), [])
        }
        return (RankLetter.head(ofOctets: octets.count, source, number, receiver), octets)
    }
}

/// An item whose parts come one by one.
public struct RankItemParts: Sendable {
    private enum State: Sendable {
        case nothing
        /// A long message. Its bytes are copied as they come, while they are in the processor's cache.
        case message(RankLetter.Head, [UInt8])
        case other([ArraySlice<UInt8>])
    }

    private var state = State.nothing
    /// Bytes of the parts that have come, and their number.
    public private(set) var octets = 0
    public private(set) var count = 0

    public init() {}

    private static func begun(with part: ArraySlice<UInt8>) throws(WireError) -> State {
        do throws(WireError) {
            if let head = try RankLetter.Head(part) { return .message(head, head.begun(with: part)) }
        } catch .truncated {
            // The next part contains the rest of the head.
        }
        return .other([part])
    }

    /// Adds a part. Returns the item if it is the last one, and forgets the parts.
    public mutating func add(_ part: ArraySlice<UInt8>, isLast: Bool) throws(WireError) -> RankItem? {
        octets += part.count
        count += 1
        switch state {
        case .nothing:
            if isLast {
                self = RankItemParts()
                return try RankItem(part)
            }
            state = try Self.begun(with: part)
        case .message(let head, var bytes):
            state = .nothing
            guard bytes.count + part.count <= head.length else { throw .malformed("a message of another length") }
            bytes += part
            state = .message(head, bytes)
        case .other(var parts):
            state = .nothing
            parts.append(part)
            state = .other(parts)
        }
        guard isLast else { return nil }
        defer { self = RankItemParts() }
        switch state {
        case .nothing: return nil
        case .message(let head, let bytes): return .letter(try head.letter(bytes))
        case .other(let parts): return try RankItem(Array(parts.joined()))
        }
    }
}

extension RankLetter {
    /// Everything of an `octets` letter but its bytes.
    fileprivate static func head(ofOctets count: Int, _ source: Int, _ number: Int, _ receiver: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.raw(RankItem.letter(.octets([], source: source, number: number, to: receiver)).encoded())
        writer.varint(octetsTag)
        writer.varint(UInt64(count))
        return writer.bytes
    }

    /// The tag of the bytes, which come last.
    private static let octetsTag: UInt64 = 4

    /// Everything of an `octets` letter but its bytes.
    fileprivate struct Head: Sendable {
        private let source: Int
        private let number: Int
        private let receiver: Int
        /// How many bytes the message has.
        let length: Int
        /// How many of the first part's bytes are the message's.
        private let rest: Int

        /// Decodes the first of several parts if it has everything but some of the bytes. Nil for another item.
        init?(_ first: ArraySlice<UInt8>) throws(WireError) {
            var reader = ByteReader(first)
            guard try reader.varint() == RankLetter.octetsKind else { return nil }
            var end = first.endIndex - reader.remaining
            while true {
                let (tag, length) = (try reader.varint(), try reader.varint())
                if tag == RankLetter.octetsTag {
                    guard length <= UInt64(RankLimits.message), length >= UInt64(reader.remaining) else {
                        throw .malformed("a message of another length")
                    }
                    self.length = Int(length)
                    break
                }
                guard length <= UInt64(reader.remaining) else { throw .truncated }
                _ = try reader.raw(Int(length))
                end = first.endIndex - reader.remaining
            }
            rest = reader.remaining
            guard case .letter(.octets(_, let source, let number, let receiver)) = try RankItem(first[..<end]) else {
                return nil
            }
            (self.source, self.number, self.receiver) = (source, number, receiver)
        }

        /// The message's bytes in the first part, with room for the others.
        func begun(with first: ArraySlice<UInt8>) -> [UInt8] {
            var octets: [UInt8] = []
            octets.reserveCapacity(length)
            octets += first.suffix(rest)
            return octets
        }

        func letter(_ octets: [UInt8]) throws(WireError) -> RankLetter {
            guard octets.count == length else { throw .malformed("a message of another length") }
            return .octets(octets, source: source, number: number, to: receiver)
        }
    }
}
