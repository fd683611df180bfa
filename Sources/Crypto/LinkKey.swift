import PotluckLog
import PotluckModel

/// What opens a session's links: who has it may come in. It proves membership, not who somebody is.
public struct LinkKey: Sendable, CustomStringConvertible {
    /// 32 octets, for TLS alone.
    public let octets: Secret<[UInt8]>

    init(octets: [UInt8]) { self.octets = Secret(octets) }

    public var description: String { "LinkKey" }
}
