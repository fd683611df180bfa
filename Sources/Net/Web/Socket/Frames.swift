/// Something that a browser sent over a WebSocket.
public enum SocketArrival: Equatable, Sendable {
    case text([UInt8])
    case ping([UInt8])
    case pong
    /// The browser closes the socket.
    case close
}

/// Why a WebSocket is closed: the codes of RFC 6455 that are needed, and those of the page.
public enum SocketEnd: UInt16, Error, Sendable {
    case normal = 1000
    case protocolError = 1002
    case notText = 1003
    case notUTF8 = 1007
    case tooLong = 1009

    /// A message breaks a rule of the page.
    case brokenRule = 4400
    case unknownTicket = 4401
    case removed = 4403
    case silent = 4408
    /// The same page connected again.
    case replaced = 4409
    case sessionEnded = 4410
    /// The host's ticket is that of another device.
    case otherDevice = 4411
    case full = 4429
}

/// Decodes the frames of a browser (RFC 6455), however TCP cut them. It keeps at most one message and one frame's header.
public struct FrameReader: Sendable {
    private struct Header {
        let isLast: Bool
        let code: UInt8
        let length: Int
        let mask: [UInt8]
    }

    private enum Code {
        static let continuation: UInt8 = 0
        static let text: UInt8 = 1
        static let binary: UInt8 = 2
        static let close: UInt8 = 8
        static let ping: UInt8 = 9
        static let pong: UInt8 = 10
    }

    /// The bytes of a header that is not complete. It has 14 at most.
    private var head: [UInt8] = []
    private var frame: Header?
    /// The unmasked bytes of the frame under way; of a message, those of its earlier frames, too.
    private var message: [UInt8] = []
    private var control: [UInt8] = []
    /// The number of bytes of the frame under way that came.
    private var came = 0
    /// The frames of the message under way; 0 between messages.
    private var frames = 0

    public init() {}

    /// The number of bytes of an unfinished message.
    public var kept: Int { head.count + message.count + control.count }

    /// Decodes these bytes. After an error nothing more may be read.
    public mutating func read(_ octets: [UInt8], into arrivals: inout [SocketArrival]) throws(SocketEnd) {
        var rest = octets[...]
        while true {
            if let frame {
                let piece = rest.prefix(frame.length - came)
                rest = rest[piece.endIndex...]
                append(piece, of: frame)
                guard came == frame.length else { return }
                try finish(frame, into: &arrivals)
                self.frame = nil
            }
            guard let octet = rest.popFirst() else { return }
            head.append(octet)
            if let header = try header() {
                frame = header
                came = 0
                head = []
            }
        }
    }

    /// Returns the header if all of it is there. Each rule is checked as soon as its bytes are there.
    private mutating func header() throws(SocketEnd) -> Header? {
        let code = head[0] & 0xf
        let isLast = head[0] & 0x80 != 0
        guard head[0] & 0x70 == 0 else { throw .protocolError }
        guard head.count >= 2 else { return nil }
        // A browser masks everything that it sends.
        guard head[1] & 0x80 != 0 else { throw .protocolError }
        let short = Int(head[1] & 0x7f)
        let extra = short == 126 ? 2 : short == 127 ? 8 : 0
        switch code {
        case Code.continuation: guard frames > 0 else { throw .protocolError }
        case Code.text: guard frames == 0 else { throw .protocolError }
        case Code.binary: throw .notText
        case Code.close, Code.ping, Code.pong:
            guard isLast, short <= PageLimits.control else { throw .protocolError }
        default: throw .protocolError
        }
        guard head.count >= 2 + extra else { return nil }
        let long = head[2..<2 + extra].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let length = extra == 0 ? UInt64(short) : long
        // The shortest form is the only one.
        guard extra == 0 || length >= (extra == 2 ? 126 : 1 << 16) else { throw .protocolError }
        if code < Code.close {
            guard length <= UInt64(PageLimits.message - message.count) else { throw .tooLong }
            guard frames < PageLimits.frames else { throw .tooLong }
        }
        guard head.count == 6 + extra else { return nil }
        return Header(isLast: isLast, code: code, length: Int(length), mask: Array(head[(2 + extra)...]))
    }

    private mutating func append(_ piece: ArraySlice<UInt8>, of frame: Header) {
        var place = came
        came += piece.count
        if frame.code < Code.close {
            message.reserveCapacity(message.count + piece.count)
            for octet in piece {
                message.append(octet ^ frame.mask[place & 3])
                place += 1
            }
        } else {
            for octet in piece {
                control.append(octet ^ frame.mask[place & 3])
                place += 1
            }
        }
    }

    private mutating func finish(_ frame: Header, into arrivals: inout [SocketArrival]) throws(SocketEnd) {
        switch frame.code {
        case Code.ping: arrivals.append(.ping(control))
        case Code.pong: arrivals.append(.pong)
        case Code.close:
            // A code has two bytes.
            guard control.count != 1 else { throw .protocolError }
            arrivals.append(.close)
        default:
            frames += 1
            guard frame.isLast else { return }
            let text = message
            message = []
            frames = 0
            guard String(validating: text, as: UTF8.self) != nil else { throw .notUTF8 }
            arrivals.append(.text(text))
            return
        }
        control = []
    }
}

/// Encodes the frames of a gateway: unmasked, each a whole message.
public enum WebSocketFrame {
    public static func text(_ parts: [UInt8]...) -> [UInt8] {
        let length = parts.reduce(0) { $0 + $1.count }
        var frame: [UInt8] = []
        frame.reserveCapacity(length + 10)
        frame.append(0x81)
        append(length: length, to: &frame)
        for part in parts { frame += part }
        return frame
    }

    public static func ping() -> [UInt8] { [0x89, 0] }
    public static func pong(_ octets: [UInt8]) -> [UInt8] { [0x8a, UInt8(octets.count)] + octets }

    public static func close(_ end: SocketEnd) -> [UInt8] {
        [0x88, 2, UInt8(end.rawValue >> 8), UInt8(end.rawValue & 0xff)]
    }

    private static func append(length: Int, to frame: inout [UInt8]) {
        switch length {
        case ..<126: frame.append(UInt8(length))
        case ..<(1 << 16): frame += [126, UInt8(length >> 8), UInt8(length & 0xff)]
        default: frame += [127] + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) }
        }
    }
}
