import PotluckCore
import PotluckSystem

/// The secret of the browser that was the first to open the host's page. Printing the value shows nothing of it.
public struct DeviceSecret: Sendable, Equatable, CustomStringConvertible {
    static let length = 16

    private let octets: Secret<[UInt8]>

    /// Returns nil unless there are exactly sixteen bytes.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        self.octets = Secret(Array(octets))
    }

    /// Reads the digits of a file. Returns nil unless they are those of a secret.
    public init?(digits: some StringProtocol) {
        guard let octets = [UInt8](hexadecimal: digits) else { return nil }
        self.init(octets)
    }

    /// The secret for a file that only its owner may read.
    public var digits: String { octets.exposed.hexadecimal }

    public var description: String { "DeviceSecret" }

    /// Shows in one conversation that a page has the secret. `key` is that of both directions.
    fileprivate func proof(_ key: [UInt8]) -> [UInt8] {
        Array(HMAC(key: octets.exposed).tag(of: Array("potluck/1 device".utf8), key).prefix(Self.length))
    }

    /// Hides the secret from those who hear it and have no ticket; done twice, it is the secret again.
    fileprivate static func masked(_ octets: [UInt8], _ key: [UInt8]) -> [UInt8] {
        zip(octets, HMAC(key: key).tag(of: Array("potluck/1 device".utf8))).map { $0 ^ $1 }
    }

    /// What a page sends to a gateway. The secret itself only if no device has the ticket yet.
    public func shown(_ key: [UInt8], isFirst: Bool) -> DeviceProof {
        DeviceProof(proof: proof(key), masked: isFirst ? Self.masked(octets.exposed, key) : nil)
    }
}

/// What a page shows of its device when it joins with the host's ticket.
public struct DeviceProof: Sendable, Equatable {
    let proof: [UInt8]
    /// The secret, hidden; nil if a device has the ticket already.
    let masked: [UInt8]?

    /// Nil for pages that send none.
    init?(_ json: JSON) throws(PageError) {
        guard let proof = json["proof"] else { return nil }
        self.proof = try need(proof.asHexadecimal(DeviceSecret.length), "join")
        masked = try json["device"].map { (device) throws(PageError) in
            try need(device.asHexadecimal(DeviceSecret.length), "join")
        }
    }

    init(proof: [UInt8], masked: [UInt8]?) { (self.proof, self.masked) = (proof, masked) }

    var members: [(key: String, value: JSON)] {
        [("proof", .string(proof.hexadecimal)), ("device", JSON(masked?.hexadecimal))]
    }

    /// Whether the page has this secret.
    public func isOf(_ device: DeviceSecret, _ key: [UInt8]) -> Bool { device.proof(key).isSecretlyEqual(to: proof) }

    /// The secret of a page that opens a ticket which no device has; nil if it sends none.
    public func device(_ key: [UInt8]) -> DeviceSecret? {
        guard let masked, let device = DeviceSecret(DeviceSecret.masked(masked, key)), isOf(device, key) else {
            return nil
        }
        return device
    }
}
