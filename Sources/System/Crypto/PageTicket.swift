import CSodium
import PotluckCore

/// The secret that lets a browser open the page of a session. Printing the value shows nothing of it.
public struct PageTicket: Sendable, Equatable, CustomStringConvertible {
    /// 120 bits, which are 20 characters in an address without padding.
    public static let length = 15

    private let octets: Secret<[UInt8]>

    /// Returns nil unless there are exactly fifteen bytes.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        self.octets = Secret(Array(octets))
    }

    /// Returns nil unless the text is that of a ticket.
    public init?(text: String) {
        guard let octets = Base64.octets(text, .forAddresses) else { return nil }
        self.init(octets)
    }

    public static func random() -> PageTicket {
        guard let ticket = PageTicket(randomOctets(length)) else { preconditionFailure("a ticket has 15 octets") }
        return ticket
    }

    /// The ticket in the address of the page. Show it only to the host.
    public var text: String { Base64.text(octets.exposed, .forAddresses) }

    /// The key that page and gateway share before they know each other's nonce.
    public var key: HMAC { HMAC(key: octets.exposed) }

    public var description: String { "PageTicket" }
}

/// Returns bytes from the system's source of randomness.
public func randomOctets(_ count: Int) -> [UInt8] {
    Sodium.ready
    var octets = [UInt8](repeating: 0, count: count)
    randombytes_buf(&octets, count)
    return octets
}
