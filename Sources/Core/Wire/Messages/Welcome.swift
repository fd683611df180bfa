/// The answer to a hello that was accepted.
public struct Welcome: Hashable, Sendable {
    /// The version that both nodes use from now on.
    var version: UInt64
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
}

extension Welcome: WireRecord {
    package static let blank = Welcome(version: 0, role: .watches, row: 0)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.number(1, &version)
        try v.check(version > 0, "a welcome without a version or a role")
        try v.role(2, &role)
        try v.number(3, &row)
        try v.number(4, &receivedRow)
        try v.number(5, &received)
    }
}

extension Role: WireListed {}

extension FieldVisitor {
    /// Visits a role. One that only a later version knows may only watch here.
    mutating func role(_ tag: UInt64, _ role: inout Role) throws(WireError) {
        var number = role.wireNumber
        try self.number(tag, &number)
        try check(number != 0, "a role with the number 0")
        role = Role(wireNumber: number) ?? .watches
    }
}
