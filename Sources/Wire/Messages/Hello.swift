import PotluckModel

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

    func encoded() -> [UInt8] {
        var writer = FieldWriter(kind: Message.Kind.hello.rawValue)
        writer.number(1, introduction.versions.lowerBound)
        writer.number(2, introduction.versions.upperBound)
        writer.octets(3, publicKey)
        writer.octets(4, signature)
        writer.octets(5, introduction.session.octets)
        writer.number(6, UInt64(introduction.mode.rawValue))
        writer.text(7, introduction.name)
        writer.number(8, UInt64(introduction.cores))
        if let founding = introduction.founding { writer.octets(9, founding.octets) }
        writer.number(10, introduction.dial)
        if case .browser(let address) = introduction.kind { writer.octets(11, address) }
        return writer.bytes
    }

    init(_ fields: inout FieldReader) throws(WireError) {
        var lowest: UInt64?, highest: UInt64?, key: [UInt8]?, signature: [UInt8]?
        var session: SessionHash?, mode: Mode?, name: String?
        var cores = 0, founding: Founding?, dial: UInt64 = 0, kind = NodeKind.program
        while let field = try fields.next() {
            switch field.tag {
            case 1: lowest = try field.number()
            case 2: highest = try field.number()
            case 3: key = try field.bytes(exactly: Self.keyLength)
            case 4: signature = try field.bytes(exactly: Self.signatureLength)
            case 5: session = SessionHash(try field.bytes(exactly: SessionHash.length))
            case 6: mode = Mode(rawValue: UInt8(try field.number(atMost: 255)))
            case 7: name = try field.text(limit: Announcement.maximumName)
            case 8: cores = Int(try field.number(atMost: UInt64(Introduction.maximumCores)))
            case 9: founding = Founding(try field.bytes(exactly: Founding.length))
            case 10: dial = try field.number()
            case 11:
                let address = try field.bytes(limit: 16)
                guard address.count == 4 || address.count == 16 else { throw .malformed("an invalid address") }
                kind = .browser(at: address)
            default: break
            }
        }
        guard let lowest, let highest, lowest <= highest else { throw .malformed("a hello without valid versions") }
        guard let key, let signature else { throw .malformed("a hello without a proof") }
        guard let session, let mode else { throw .malformed("a hello without a session or a mode") }
        guard let name, Announcement.isValid(name: name) else { throw .malformed("an invalid node name") }
        introduction = Introduction(
            versions: lowest...highest, session: session, mode: mode, name: name, cores: cores, founding: founding,
            dial: dial, kind: kind)
        publicKey = key
        self.signature = signature
    }
}
