import PotluckModel

/// The answer to a hello that was accepted.
public struct Welcome: Hashable, Sendable {
    /// The version that both nodes use from now on.
    public var version: UInt64
    /// What the receiver may do.
    public var role: Role
    /// The number of the sequence of reliable parcels from the sender to the receiver. A node
    /// that has forgotten the other one starts a new sequence.
    public var row: UInt64
    /// The sequence from the receiver to the sender that the sender knows, and the number of its last parcel that
    /// arrived, over this link or an earlier one. Later parcels are sent again.
    public var receivedRow: UInt64
    public var received: UInt64

    public init(version: UInt64, role: Role, row: UInt64, receivedRow: UInt64 = 0, received: UInt64 = 0) {
        self.version = version
        self.role = role
        self.row = row
        self.receivedRow = receivedRow
        self.received = received
    }

    func encoded() -> [UInt8] {
        var writer = FieldWriter(kind: Message.Kind.welcome.rawValue)
        writer.number(1, version)
        writer.number(2, role.wireValue)
        writer.number(3, row)
        writer.number(4, receivedRow)
        writer.number(5, received)
        return writer.bytes
    }

    init(_ fields: inout FieldReader) throws(WireError) {
        var version: UInt64?, role: Role?
        var row: UInt64 = 0, receivedRow: UInt64 = 0, received: UInt64 = 0
        while let field = try fields.next() {
            switch field.tag {
            case 1: version = try field.number()
            case 2: role = try Role(wireValue: field.number())
            case 3: row = try field.number()
            case 4: receivedRow = try field.number()
            case 5: received = try field.number()
            default: break
            }
        }
        guard let version, let role else { throw .malformed("a welcome without a version or a role") }
        self.version = version
        self.role = role
        self.row = row
        self.receivedRow = receivedRow
        self.received = received
    }
}

extension Role {
    var wireValue: UInt64 {
        switch self {
        case .watches: 1
        case .submits: 2
        case .hosts: 3
        }
    }

    /// A role that only a later version knows may only watch here.
    init(wireValue: UInt64) throws(WireError) {
        switch wireValue {
        case 0: throw .malformed("a role with the number 0")
        case 2: self = .submits
        case 3: self = .hosts
        default: self = .watches
        }
    }
}
