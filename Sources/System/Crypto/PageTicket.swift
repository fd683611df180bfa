import CSodium
import PotluckCore

/// The secret that lets a browser open the page of a session. Printing the value shows nothing of it.
public struct PageTicket: Sendable, Equatable, CustomStringConvertible {
    /// 120 bits, which nobody guesses.
    public static let length = 15

    private let octets: Secret<[UInt8]>

    /// Returns nil unless there are exactly fifteen bytes.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        self.octets = Secret(Array(octets))
    }

    /// Reads a ticket that somebody typed: also in capitals, and without the hyphens. Returns nil unless it is one.
    public init?(text: String) {
        guard let octets = TicketText.octets(text) else { return nil }
        self.init(octets)
    }

    public static func random() -> PageTicket {
        guard let ticket = PageTicket(randomOctets(length)) else { preconditionFailure("a ticket has 15 octets") }
        return ticket
    }

    /// The ticket in the address of the page: six groups of four symbols. Show it only to the host.
    public var text: String { TicketText.text(octets.exposed) }

    /// The key that page and gateway share before they know each other's nonce.
    public var key: HMAC { HMAC(key: octets.exposed) }

    public var description: String { "PageTicket" }
}

/// Tickets as people read and type them, five bits in a symbol.
private enum TicketText {
    /// Digits and letters without those that look alike: no i, l and o, and no u, which is heard as another.
    private static let symbols = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    /// Symbols that people take for another.
    private static let alike: [Character: Character] = ["o": "0", "i": "1", "l": "1"]
    private static let bits = 5
    /// As many as people keep in mind at once.
    private static let group = 4

    static func text(_ octets: [UInt8]) -> String {
        let length = octets.count * 8 / bits
        let text = (0..<length).map { place in
            symbols[(0..<bits).reduce(0) { $0 << 1 | bit(place * bits + $1, octets) }]
        }
        return stride(from: 0, to: length, by: group).map {
            String(decoding: text[$0..<min($0 + group, length)], as: UTF8.self)
        }.joined(separator: "-")
    }

    private static func bit(_ index: Int, _ octets: [UInt8]) -> Int { Int(octets[index / 8] >> (7 - index % 8)) & 1 }

    static func octets(_ typed: String) -> [UInt8]? {
        let plain = typed.lowercased().filter { $0 != "-" && $0 != " " }.map { alike[$0] ?? $0 }
        guard plain.count == PageTicket.length * 8 / bits else { return nil }
        var octets = [UInt8](repeating: 0, count: PageTicket.length)
        for (place, character) in plain.enumerated() {
            guard let symbol = character.asciiValue, let value = symbols.firstIndex(of: symbol) else { return nil }
            for index in 0..<bits where value >> (bits - 1 - index) & 1 == 1 {
                octets[(place * bits + index) / 8] |= 0x80 >> UInt8((place * bits + index) % 8)
            }
        }
        return octets
    }
}

/// Returns bytes from the system's source of randomness.
public func randomOctets(_ count: Int) -> [UInt8] {
    Sodium.ready
    var octets = [UInt8](repeating: 0, count: count)
    randombytes_buf(&octets, count)
    return octets
}
