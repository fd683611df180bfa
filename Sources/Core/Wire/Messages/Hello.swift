/// The information that a node sends about itself when a link opens.
public struct Introduction: Hashable, Sendable {
    /// The most cores that a node may claim.
    public static let maximumCores = 4096

    public var versions: ClosedRange<UInt64>
    public var session: SessionHash
    public var mode: Mode
    public var name: String
    public var cores: Int
    /// Distinguishes sessions of the same name. Only servers send it.
    public var founding: Founding?
    /// The number of this link among the links that the sender dialled, counted from 1; 0 if the receiver
    /// dialled. If a node dialled two links, the later one is kept.
    public var dial: UInt64
    public var kind: NodeKind

    public init(
        versions: ClosedRange<UInt64> = ProtocolVersion.supported, session: SessionHash, mode: Mode, name: String,
        cores: Int, founding: Founding? = nil, dial: UInt64 = 0, kind: NodeKind = .program
    ) {
        self.versions = versions
        self.session = session
        self.mode = mode
        self.name = name
        self.cores = cores
        self.founding = founding
        self.dial = dial
        self.kind = kind
    }
}

/// An introduction with a proof of its sender's identity.
public struct Hello: Hashable, Sendable {
    public static let keyLength = 32
    public static let signatureLength = 64

    public var introduction: Introduction
    /// An Ed25519 key. Its hash is the node ID.
    public var publicKey: [UInt8]
    /// Signs data that only the two ends of this link know. See docs/PROTOCOL.md.
    public var signature: [UInt8]

    public init(introduction: Introduction, publicKey: [UInt8], signature: [UInt8]) {
        self.introduction = introduction
        self.publicKey = publicKey
        self.signature = signature
    }
}

extension Hello: WireRecord {
    package static let blank = Hello(
        introduction: Introduction(session: .blank, mode: .peer, name: "", cores: 0), publicKey: [], signature: [])

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        var (lowest, highest) = (introduction.versions.lowerBound, introduction.versions.upperBound)
        try v.number(1, &lowest)
        try v.number(2, &highest)
        try v.check(0 < lowest && lowest <= highest, "a hello without valid versions")
        introduction.versions = min(lowest, highest)...highest
        try v.exact(3, &publicKey, count: Self.keyLength)
        try v.exact(4, &signature, count: Self.signatureLength)
        let isSigned = !publicKey.isEmpty && !signature.isEmpty
        try v.check(isSigned, "a hello without a proof")
        try v.id(5, &introduction.session)
        var mode = introduction.mode.rawValue
        try v.number(6, &mode)
        try v.check(Mode(rawValue: mode) != nil, "a hello without a session or a mode")
        introduction.mode = Mode(rawValue: mode) ?? introduction.mode
        try v.text(7, &introduction.name, atMost: Announcement.maximumName)
        let name = introduction.name
        try v.check(Announcement.isValid(name: name), "an invalid node name")
        try v.number(8, &introduction.cores, atMost: Introduction.maximumCores)
        try v.id(9, &introduction.founding)
        try v.number(10, &introduction.dial)
        var address = introduction.kind.address ?? []
        try v.octets(11, &address, atMost: 16)
        try v.check([0, 4, 16].contains(address.count), "an invalid address")
        introduction.kind = address.isEmpty ? .program : .browser(at: address)
    }
}

extension NodeKind {
    fileprivate var address: [UInt8]? { if case .browser(let address) = self { address } else { nil } }
}
