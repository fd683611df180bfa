import PotluckModel

/// One node of the session in the roster that a server sends to its clients, which have no links to each other.
public struct RosterEntry: Hashable, Sendable {
    /// In bytes: 16 of ID, 63 of name, and room for later fields.
    static let maximumLength = 256

    public var node: NodeID
    public var mode: Mode
    public var name: String
    public var cores: Int
    /// Whether the server's link to it is open.
    public var isConnected: Bool
    /// Whether a page in a browser computes for it.
    public var isBrowser: Bool

    public init(node: NodeID, mode: Mode, name: String, cores: Int, isConnected: Bool, isBrowser: Bool = false) {
        self.node = node
        self.mode = mode
        self.name = name
        self.cores = cores
        self.isConnected = isConnected
        self.isBrowser = isBrowser
    }

    static func encoded(_ entries: [RosterEntry]) -> [UInt8] {
        var writer = FieldWriter(kind: Message.Kind.roster.rawValue)
        writer.list(1, entries.prefix(Parcel.maximumRecipients).map(\.fields))
        return writer.bytes
    }

    private var fields: [UInt8] {
        var writer = FieldWriter()
        writer.octets(1, node.octets)
        writer.number(2, UInt64(mode.rawValue))
        writer.text(3, name)
        writer.number(4, UInt64(cores))
        writer.number(5, isConnected ? 1 : 0)
        if isBrowser { writer.number(6, 1) }
        return writer.bytes
    }

    static func decode(_ fields: inout FieldReader) throws(WireError) -> [RosterEntry] {
        var entries: [RosterEntry] = []
        while let field = try fields.next() {
            guard field.tag == 1 else { continue }
            for item in try field.list(limit: Parcel.maximumRecipients, itemLimit: maximumLength) {
                if let entry = try RosterEntry(item) { entries.append(entry) }
            }
        }
        return entries
    }

    /// Returns nil for a node with a mode that only a later version knows.
    private init?(_ bytes: ArraySlice<UInt8>) throws(WireError) {
        var node: NodeID?, mode: Mode?, name: String?
        var cores = 0, isConnected = false, isBrowser = false
        var fields = FieldReader(bytes)
        while let field = try fields.next() {
            switch field.tag {
            case 1: node = NodeID(try field.bytes(exactly: NodeID.length))
            case 2: mode = Mode(rawValue: UInt8(try field.number(atMost: 255)))
            case 3: name = try field.text(limit: Announcement.maximumName)
            case 4: cores = Int(try field.number(atMost: UInt64(Introduction.maximumCores)))
            case 5: isConnected = try field.number() != 0
            case 6: isBrowser = try field.number() != 0
            default: break
            }
        }
        guard let node, let name, Announcement.isValid(name: name) else {
            throw .malformed("a roster entry without an ID or with an invalid name")
        }
        guard let mode else { return nil }
        self.init(
            node: node, mode: mode, name: name, cores: cores, isConnected: isConnected, isBrowser: isBrowser)
    }
}
