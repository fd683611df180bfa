/// The datagram by which nodes find each other without a daemon. It contains no address, because
/// the datagram's source address is right on every network. docs/PROTOCOL.md describes it byte
/// by byte. New fields go between the last field and the tag.
public struct BeaconPacket: Hashable, Sendable {
    public enum Kind: UInt8, CaseIterable, Sendable {
        /// The sender is present.
        case present = 0
        /// The sender is present and new on this network. Every node should answer.
        case new = 1
        /// The nodes named should answer; every node if none is named. The sender need not be a node.
        case question = 2
        /// The sender is leaving.
        case leaving = 3
    }

    public static let magic = Array("PTLK".utf8)
    /// Raised only if an older node would misunderstand a change. Anything that can be skipped is appended instead.
    public static let version: UInt8 = 1
    /// The length of the tag at the end: a BLAKE2b-128 over everything before it.
    public static let tagLength = 16
    /// In bytes: it fits the packets of every network, and the beacons of thirty nodes take little air time.
    static let maximumLength = 400
    /// The most nodes in one question. Their IDs take 128 bytes, which leaves room
    /// for both names and 88 bytes of later fields.
    public static let maximumAsked = 8
    /// A bit of the flags: the session has no join code.
    static let openFlag: UInt8 = 1
    /// The length without names, questions and later fields.
    static let minimumLength = 40 + tagLength

    public var kind: Kind
    public var announcement: Announcement
    /// Counts this node's datagrams from 1, so that replayed datagrams cannot keep a node alive.
    public var sequence: UInt32
    /// The nodes that a question asks to answer.
    public var asked: [NodeID]

    public init(kind: Kind, announcement: Announcement, sequence: UInt32, asked: [NodeID] = []) {
        self.kind = kind
        self.announcement = announcement
        self.sequence = sequence
        self.asked = Array(asked.prefix(Self.maximumAsked))
    }

    /// The position of the session hash in a datagram.
    private static let sessionOffset = 25

    /// Returns whether a datagram starts like a beacon, of this session if one is given. The rest is not checked.
    public static func isBeacon(_ datagram: [UInt8], of session: SessionHash? = nil) -> Bool {
        guard (minimumLength...maximumLength).contains(datagram.count), datagram.starts(with: magic),
            datagram[magic.count] == version
        else { return false }
        guard let session else { return true }
        return datagram[sessionOffset..<sessionOffset + SessionHash.length].elementsEqual(session.octets)
    }

    /// Returns whether a datagram that starts like a beacon is a question.
    public static func isQuestion(_ datagram: [UInt8]) -> Bool { datagram[magic.count + 1] == Kind.question.rawValue }

    /// Encodes the beacon without its tag.
    public func body() -> [UInt8] {
        var writer = ByteWriter(reserving: Self.maximumLength)
        writer.raw(Self.magic)
        writer.fixed(Self.version)
        writer.fixed(kind.rawValue)
        writer.fixed(announcement.mode.rawValue)
        writer.fixed(announcement.port)
        writer.raw(announcement.node.octets)
        writer.raw(announcement.sessionHash.octets)
        writer.fixed(sequence)
        writer.text(announcement.session?.name ?? "")
        writer.text(announcement.name ?? "")
        writer.counted(asked.flatMap(\.octets))
        writer.fixed(announcement.isOpen ? Self.openFlag : 0)
        return writer.bytes
    }

    /// Decodes a datagram. Returns the packet, and its body and tag, which a node with the key
    /// can verify. The names come from an untrusted sender.
    public static func decode(
        _ datagram: [UInt8]
    ) throws(WireError) -> (packet: BeaconPacket, body: ArraySlice<UInt8>, tag: ArraySlice<UInt8>) {
        guard datagram.count <= maximumLength else { throw .tooLong(limit: maximumLength) }
        guard datagram.count >= minimumLength else { throw .truncated }
        let body = datagram.dropLast(tagLength)
        let packet = try BeaconPacket(body: body)
        return (packet, body, datagram.suffix(tagLength))
    }

    private init(body: ArraySlice<UInt8>) throws(WireError) {
        var reader = ByteReader(body)
        guard try reader.raw(Self.magic.count).elementsEqual(Self.magic) else { throw .malformed("not a beacon") }
        guard try reader.fixed(UInt8.self) == Self.version else { throw .malformed("another version") }
        guard let kind = Kind(rawValue: try reader.fixed()) else { throw .malformed("unknown kind") }
        guard let mode = Mode(rawValue: try reader.fixed()) else { throw .malformed("unknown mode") }
        let port: UInt16 = try reader.fixed()
        guard let node = NodeID(try reader.raw(NodeID.length)),
            let hash = SessionHash(try reader.raw(SessionHash.length))
        else { throw .truncated }
        let sequence: UInt32 = try reader.fixed()
        let session = try Self.optional(reader.text(limit: SessionID.maximumLength)) { SessionID($0) }
        let name = try Self.optional(reader.text(limit: Announcement.maximumName)) {
            Announcement.isValid(name: $0) ? $0 : nil
        }
        let asked = try reader.counted(limit: Self.maximumAsked * NodeID.length)
        guard asked.count.isMultiple(of: NodeID.length) else { throw .malformed("an incomplete node ID") }
        // Older nodes send no flags. Bytes after the flags belong to a later version.
        let flags: UInt8 = try reader.isAtEnd ? 0 : reader.fixed()
        self.kind = kind
        announcement = Announcement(
            node: node, mode: mode, sessionHash: hash, session: session, name: name, port: port,
            isOpen: flags & Self.openFlag != 0)
        self.sequence = sequence
        self.asked = stride(from: asked.startIndex, to: asked.endIndex, by: NodeID.length).compactMap {
            NodeID(asked[$0..<$0 + NodeID.length])
        }
    }

    /// Returns nil for an empty text, which means hidden.
    private static func optional<Value>(_ text: String, _ make: (String) -> Value?) throws(WireError) -> Value? {
        if text.isEmpty { return nil }
        guard let value = make(text) else { throw .malformed("an invalid name") }
        return value
    }
}
