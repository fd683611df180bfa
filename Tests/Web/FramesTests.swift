import PotluckCore
import Testing

@testable import PotluckNet

/// The frames of WebSockets.
@Suite struct FramesTests {
    /// What a browser sends.
    static func frame(_ code: UInt8, _ body: [UInt8], isLast: Bool = true, mask: [UInt8] = [1, 2, 3, 4]) -> [UInt8] {
        var frame = [code | (isLast ? 0x80 : 0)]
        switch body.count {
        case ..<126: frame.append(0x80 | UInt8(body.count))
        case ..<65536: frame += [0x80 | 126, UInt8(body.count >> 8), UInt8(body.count & 0xff)]
        default: frame += [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: body.count >> (56 - 8 * $0)) }
        }
        return frame + mask + body.enumerated().map { $1 ^ mask[$0 & 3] }
    }

    private func read(_ octets: [UInt8]) -> (arrivals: [SocketArrival], fault: SocketEnd?) {
        var reader = FrameReader()
        var arrivals: [SocketArrival] = []
        do throws(SocketEnd) { try reader.read(octets, into: &arrivals) } catch { return (arrivals, error) }
        return (arrivals, nil)
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536])
    func aMessageArrivesAsItWasSent(_ length: Int) {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        #expect(read(Self.frame(1, text)).arrivals == [.text(text)])
    }

    @Test func aMessageMayComeInFramesWithOthersBetween() {
        let octets =
            Self.frame(1, Array("ab".utf8), isLast: false) + Self.frame(9, [7])
            + Self.frame(0, [], isLast: false) + Self.frame(0, Array("c".utf8))
        #expect(read(octets).arrivals == [.ping([7]), .text(Array("abc".utf8))])
    }

    @Test func everyRuleHasItsCode() {
        let long = [UInt8](repeating: 0x61, count: PageLimits.message)
        let pieces = (0..<PageLimits.frames).flatMap { Self.frame($0 == 0 ? 1 : 0, [], isLast: false) }
        let wrong: [([UInt8], SocketEnd)] = [
            ([0x81, 0x01, 0x61], .protocolError),
            ([0xc1], .protocolError),
            ([0x83, 0x80], .protocolError),
            ([0x82, 0x80], .notText),
            (Self.frame(0, [1]), .protocolError),
            (Self.frame(1, [], isLast: false) + Self.frame(1, []), .protocolError),
            (Self.frame(9, [], isLast: false), .protocolError),
            ([0x89, 0x80 | 126], .protocolError),
            (Self.frame(8, [3]), .protocolError),
            ([0x81, 0x80 | 126, 0, 125], .protocolError),
            ([0x81, 0x80 | 127, 0, 0, 0, 0, 0, 0, 255, 255], .protocolError),
            (Self.frame(1, [0xc3]), .notUTF8),
            (Self.frame(1, long + [0x61]), .tooLong),
            (Self.frame(1, long, isLast: false) + Self.frame(0, [0x61]), .tooLong),
            ([0x81, 0x80 | 127, 255, 255, 255, 255, 255, 255, 255, 255], .tooLong),
            (pieces + Self.frame(0, []), .tooLong),
        ]
        for (octets, code) in wrong { #expect(read(octets).fault == code) }
    }

    /// Half a character may end a frame, but not a message.
    @Test func charactersMayBeCut() {
        let octets = Self.frame(1, [0xc3], isLast: false) + Self.frame(0, [0xa4])
        #expect(read(octets).arrivals == [.text(Array("ä".utf8))])
    }

    @Test func aGatewaysFramesAreReadable() {
        #expect(WebSocketFrame.text(Array("a".utf8), Array("b".utf8)) == [0x81, 2, 0x61, 0x62])
        #expect(WebSocketFrame.text([UInt8](repeating: 0, count: 300)).prefix(4) == [0x81, 126, 1, 44])
        #expect(
            WebSocketFrame.text([UInt8](repeating: 0, count: 70_000)).prefix(10) == [
                0x81, 127, 0, 0, 0, 0, 0, 1, 17, 112,
            ])
        #expect(WebSocketFrame.close(.removed) == [0x88, 2, 0x11, 0x33])
    }
}
