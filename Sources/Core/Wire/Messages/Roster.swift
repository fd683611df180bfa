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
}

extension RosterEntry: WireRecord {
    package static let blank = RosterEntry(node: .nobody, mode: .peer, name: "", cores: 0, isConnected: false)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.id(1, &node)
        try v.one(2, &mode)
        try v.text(3, &name, atMost: Announcement.maximumName)
        try v.check(Announcement.isValid(name: name), "a roster entry without an ID or with an invalid name")
        try v.number(4, &cores, atMost: Introduction.maximumCores)
        try v.flag(5, &isConnected)
        try v.flag(6, &isBrowser)
    }
}

extension Mode: WireNumbered {}
