import PotluckCore

/// The key for the links of a session. A node that has it is admitted. It proves
/// membership, not the identity of a node.
public struct LinkKey: Sendable, CustomStringConvertible {
    /// 32 bytes, used only by TLS.
    public let octets: Secret<[UInt8]>

    init(octets: [UInt8]) { self.octets = Secret(octets) }

    public var description: String { "LinkKey" }
}
