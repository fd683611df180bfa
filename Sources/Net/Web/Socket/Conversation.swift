import PotluckCore
import PotluckSystem

/// The first message of a page: which ticket it has, without the ticket.
public struct PageHello: Sendable, Equatable {
    /// The version of the conversation.
    private static let version = 1
    static let ticketLength = 8
    public static let nonceLength = 16

    let ticket: [UInt8]
    public let nonce: [UInt8]

    public init(_ ticket: PageTicket, nonce: [UInt8]) { (self.ticket, self.nonce) = (ticket.id, nonce) }

    public init(_ octets: [UInt8]) throws(PageError) {
        guard let json = JSONReader.value(octets), json["potluck"]?.asCount == Self.version else {
            throw PageError(what: "a first message of another version")
        }
        ticket = try need(json["ticket"]?.asHexadecimal(Self.ticketLength), "potluck")
        nonce = try need(json["nonce"]?.asHexadecimal(Self.nonceLength), "potluck")
    }

    public var json: JSON {
        ["potluck": JSON(Self.version), "ticket": .string(ticket.hexadecimal), "nonce": .string(nonce.hexadecimal)]
    }

    public func names(_ ticket: PageTicket) -> Bool { self.ticket.isSecretlyEqual(to: ticket.id) }

    /// The answer of the gateway. To the host's ticket it says whether a device has it already.
    public static func answer(nonce: [UInt8], isBound: Bool?) -> [UInt8] {
        let device = isBound.map { [(key: "host", value: JSON.string($0 ? "bound" : "free"))] } ?? []
        return Array(JSON.object([("nonce", .string(nonce.hexadecimal))] + device).text.utf8)
    }

    /// Reads that answer.
    public static func nonce(in answer: [UInt8]) throws(PageError) -> [UInt8] {
        try need(JSONReader.value(answer)?["nonce"]?.asHexadecimal(nonceLength), "nonce")
    }

    /// Reads whether a device has the host's ticket already; nil for another ticket.
    public static func isBound(in answer: [UInt8]) -> Bool? {
        JSONReader.value(answer)?["host"]?.asString.map { $0 == "bound" }
    }
}

extension PageTicket {
    /// Names the ticket in public.
    public var id: [UInt8] { Array(key.tag(of: Array("potluck/1 ticket".utf8)).prefix(PageHello.ticketLength)) }
}

/// The messages of one direction, each with a MAC and a number.
public struct Conversation: Sendable {
    public enum Direction: Sendable {
        case toGateway, toPage
    }

    /// The length of a MAC in hexadecimal digits.
    static let macLength = 32

    private let key: HMAC
    private var count: UInt64 = 0

    /// Returns the key of both directions, which only those have who know the ticket.
    public static func key(_ ticket: PageTicket, page: [UInt8], gateway: [UInt8]) -> [UInt8] {
        ticket.key.tag(of: Array("potluck/1 page".utf8), page, gateway)
    }

    public init(_ ticket: PageTicket, page: [UInt8], gateway: [UInt8], _ direction: Direction) {
        self.init(Self.key(ticket, page: page, gateway: gateway), direction)
    }

    public init(_ both: [UInt8], _ direction: Direction) {
        let common = HMAC(key: both)
        let name =
            switch direction {
            case .toGateway: "to gateway"
            case .toPage: "to page"
            }
        key = HMAC(key: common.tag(of: Array(name.utf8)))
    }

    /// Returns the MAC of the next message.
    public mutating func seal(_ json: [UInt8]) -> [UInt8] { Self.digits(mac(json)) }

    /// Returns the JSON of the next message; nil if its MAC is wrong. Nothing may be read after that.
    public mutating func open(_ message: [UInt8]) -> [UInt8]? {
        guard message.count >= Self.macLength else { return nil }
        let json = Array(message[Self.macLength...])
        return Self.digits(mac(json)).isSecretlyEqual(to: message[..<Self.macLength]) ? json : nil
    }

    private mutating func mac(_ json: [UInt8]) -> ArraySlice<UInt8> {
        let number = (0..<8).map { UInt8(truncatingIfNeeded: count >> UInt64(8 * $0)) }
        count += 1
        return key.tag(of: number, json).prefix(Self.macLength / 2)
    }

    private static func digits(_ octets: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return octets.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
