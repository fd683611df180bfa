import PotluckCore
import PotluckNet
import PotluckSystem

/// A page without a browser: the bytes that it sends, and what it understands of a gateway's.
package struct PageSide {
    package enum Arrival: Equatable {
        /// The status of an answer over HTTP, and its body.
        case answer(status: Int, body: [UInt8])
        /// The gateway's nonce came, so the page can join.
        case challenged
        case message(JSON)
        case ping
        case closed(UInt16)
    }

    package struct Confused: Error { package let what: String }

    private enum Phase {
        /// Before the first answer.
        case http
        case greeting
        case talking(incoming: Conversation, outgoing: Conversation)
    }

    private let ticket: PageTicket
    /// The secret of its browser, for the host's ticket.
    private let device: DeviceSecret?
    /// The key of both directions, and whether a browser has the host's ticket; nil before, or with another ticket.
    private var challenge: (key: [UInt8], isBound: Bool)?
    private let nonce: [UInt8]
    private var phase = Phase.http
    private var rest: [UInt8] = []

    package init(
        _ ticket: PageTicket, device: DeviceSecret? = nil,
        nonce: [UInt8] = [UInt8](repeating: 7, count: PageHello.nonceLength)
    ) {
        (self.ticket, self.device, self.nonce) = (ticket, device, nonce)
    }

    // MARK: What it sends

    /// Opens a WebSocket. A nil origin is the host's own.
    package static func handshake(host: String, origin: String? = nil) -> [UInt8] {
        Array(
            ("GET /link HTTP/1.1\r\nHost: \(host)\r\nOrigin: \(origin ?? "http://\(host)")\r\nConnection: keep-alive, Upgrade\r\n"
                + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                .utf8)
    }

    package static func get(_ path: String, host: String) -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
    }

    /// A frame of a browser.
    package static func frame(_ text: [UInt8], code: UInt8 = 1) -> [UInt8] {
        let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        var frame = [0x80 | code]
        if text.count < 126 {
            frame.append(0x80 | UInt8(text.count))
        } else {
            frame += [0x80 | 126, UInt8(text.count >> 8 & 0xff), UInt8(text.count & 0xff)]
        }
        return frame + mask + text.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    /// The first message.
    package var hello: [UInt8] { Self.frame(Array(PageHello(ticket, nonce: nonce).json.text.utf8)) }

    /// A message once the gateway's nonce is known.
    package mutating func say(_ message: PageMessage) -> [UInt8] { say(json: Array(message.json.text.utf8)) }

    package mutating func say(json: [UInt8]) -> [UInt8] {
        guard case .talking(let incoming, var outgoing) = phase else { return [] }
        let mac = outgoing.seal(json)
        phase = .talking(incoming: incoming, outgoing: outgoing)
        return Self.frame(mac + json)
    }

    package mutating func join(_ name: String, client: UInt8 = 1) -> [UInt8] {
        let proof = challenge.flatMap { challenge in
            device?.shown(challenge.key, isFirst: !challenge.isBound)
        }
        let client = [UInt8](repeating: client, count: PageMessage.clientLength)
        return say(.join(client: client, name: name, device: proof))
    }

    // MARK: What it understands

    /// Reads what came. Throws if the gateway broke a rule.
    package mutating func read(_ octets: [UInt8]) throws(Confused) -> [Arrival] {
        rest += octets
        var arrivals: [Arrival] = []
        while let arrival = try next() { arrivals.append(arrival) }
        return arrivals
    }

    private mutating func next() throws(Confused) -> Arrival? {
        guard case .http = phase else { return try nextFrame() }
        let text = String(decoding: rest, as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let head = text[..<end.lowerBound].split(separator: "\r\n")
        guard let status = head.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw Confused(what: "no status")
        }
        let length = head.compactMap { line -> Int? in
            line.hasPrefix("Content-Length: ") ? Int(line.dropFirst(16)) : nil
        }.first
        let start = text[..<end.upperBound].utf8.count
        guard rest.count >= start + (length ?? 0) else { return nil }
        let body = Array(rest[start..<start + (length ?? 0)])
        rest.removeFirst(start + body.count)
        if status == 101 { phase = .greeting }
        return .answer(status: status, body: body)
    }

    private mutating func nextFrame() throws(Confused) -> Arrival? {
        guard rest.count >= 2 else { return nil }
        var (start, length) = (2, Int(rest[1]))
        if length == 126 {
            guard rest.count >= 4 else { return nil }
            (start, length) = (4, Int(rest[2]) << 8 | Int(rest[3]))
        }
        guard length <= PageLimits.message + 64 else { throw Confused(what: "a frame that is too long") }
        guard rest.count >= start + length else { return nil }
        let code = rest[0]
        let body = Array(rest[start..<start + length])
        rest.removeFirst(start + length)
        switch code {
        case 0x81: return try message(body)
        case 0x88: return .closed(UInt16(body[0]) << 8 | UInt16(body[1]))
        case 0x89: return .ping
        case 0x8a: return try nextFrame()
        default: throw Confused(what: "a frame with the code \(code)")
        }
    }

    private mutating func message(_ text: [UInt8]) throws(Confused) -> Arrival {
        switch phase {
        case .http: throw Confused(what: "a message before the handshake")
        case .greeting:
            guard let gateway = try? PageHello.nonce(in: text) else { throw Confused(what: "no nonce") }
            let key = Conversation.key(ticket, page: nonce, gateway: gateway)
            challenge = PageHello.isBound(in: text).map { (key, $0) }
            phase = .talking(incoming: Conversation(key, .toPage), outgoing: Conversation(key, .toGateway))
            return .challenged
        case .talking(var incoming, let outgoing):
            guard let json = incoming.open(text), let value = JSONReader.value(json) else {
                throw Confused(what: "a message with a wrong MAC")
            }
            phase = .talking(incoming: incoming, outgoing: outgoing)
            return .message(value)
        }
    }
}
