import COpenSSL
import Foundation
import PotluckCore
import Testing

@testable import PotluckNet

/// A member with the session's key that sends arbitrary data.
private final class Rogue: @unchecked Sendable {
    private let socket: RawSocket
    private let tls: TLSSession

    init(to port: UInt16) throws {
        socket = RawSocket(to: port)
        tls = TLSSession(
            TLSContext(key: Keys.monty.key, session: Keys.monty.session), descriptor: socket.descriptor,
            side: .dialled, at: .start)
        while true {
            switch tls.shake() {
            case .done: return
            case .needsRead, .needsWrite: continue
            case .failed(let failure): throw Turned(away: failure)
            }
        }
    }

    /// Changes its keys `times` times, or until the link is closed, and then sends a record. Runs on its own thread.
    func changeKeys(_ times: Int, _ kind: Int32, then frames: [UInt8]) {
        Thread.detachNewThread { [self] in
            for _ in 0..<times {
                guard SSL_key_update(tls.ssl, kind) == 1, SSL_do_handshake(tls.ssl) == 1 else { return }
            }
            _ = frames.withUnsafeBytes { tls.write($0) }
        }
    }

    /// Returns the two ends of a connection after their handshake.
    static func handshake(_ near: RawSocket, _ far: RawSocket) throws -> (accepted: TLSSession, dialled: TLSSession) {
        let context = TLSContext(key: Keys.monty.key, session: Keys.monty.session)
        let accepted = TLSSession(context, descriptor: near.descriptor, side: .accepted, at: .start)
        let dialled = TLSSession(context, descriptor: far.descriptor, side: .dialled, at: .start)
        while true {
            switch (dialled.shake(), accepted.shake()) {
            case (.done, .done): return (accepted, dialled)
            case (.failed(let failure), _), (_, .failed(let failure)): throw Turned(away: failure)
            default: continue
            }
        }
    }

    struct Turned: Error { let away: TLSSession.Failure }

    /// Sends one record of frames again and again, on its own thread, until the link is closed.
    func flood(_ frames: [UInt8]) {
        Thread.detachNewThread { [self] in
            while frames.withUnsafeBytes({ if case .octets = tls.write($0) { true } else { false } }) {}
        }
    }
}

/// Members that send too much: the memory for it is bounded, and other members are not affected.
@Suite(.timeLimit(.minutes(60))) struct FloodTests {
    enum Flood: CaseIterable {
        /// Messages beyond their credit, and a message without an end.
        case control, bulk, endless
        /// Frames that cost no credit.
        case pings, unknown, credit

        var frames: [UInt8] {
            switch self {
            case .control: frame(0, flags: FrameHeader.last, length: 16_000)
            case .bulk: frame(1, flags: FrameHeader.last, length: 16_000)
            case .endless: frame(1, flags: 0, length: 16_000)
            case .pings: frame(FrameKind.ping, flags: 0, length: 8)
            case .unknown: frame(99, flags: 0, length: 1)
            case .credit: frame(FrameKind.credit, flags: 0, length: 8)
            }
        }

        private func frame(_ kind: UInt8, flags: UInt8, length: Int) -> [UInt8] {
            [UInt8(length & 0xff), UInt8(length >> 8), kind, flags] + [UInt8](repeating: 1, count: length)
        }
    }

    /// The host's owner holds the link, so that it returns no credit.
    @Test(arguments: Flood.allCases) func onlyTheFloodingLinkIsClosed(_ flood: Flood) async throws {
        let pair = try await Pair()
        let port = try pair.host.transport.listen(on: .loopback)
        let rogue = try Rogue(to: port)
        let link = try await pair.host.opened().link
        pair.host.transport.hold(link, true)
        // A transport executes calls in order: once this message arrives, the link is held.
        pair.host.send([0], pair.hostEnd.link)
        _ = try await pair.guest.received()
        rogue.flood(flood.frames)
        var kept = 0
        var end: LinkEnd?
        while end == nil {
            // Meanwhile each message of another member is answered.
            pair.guest.send([7], pair.guestEnd.link)
            try await pair.host.next { event -> Void? in
                switch event {
                case .received(link, let message): kept += message.count
                case .closed(link, let reason): end = reason
                case .received(pair.hostEnd.link, _): return ()
                default: break
                }
                return nil
            }
            pair.host.send([8], pair.hostEnd.link)
            #expect(try await pair.guest.received() == [8])
        }
        guard case .misbehaved = end else {
            Issue.record("the link ended otherwise: \(String(describing: end))")
            return
        }
        #expect(kept <= LinkLimits.window)
        try await pair.stop()
    }

    /// TLS has its own messages, which no limit on frames counts: a peer may change its keys at any time.
    @Test(arguments: [SSL_KEY_UPDATE_NOT_REQUESTED, SSL_KEY_UPDATE_REQUESTED])
    func aMemberThatChangesItsKeysAllTheTimeIsCutOffAndNobodyElse(_ kind: Int32) async throws {
        let pair = try await Pair()
        let port = try pair.host.transport.listen(on: .loopback)
        let rogue = try Rogue(to: port)
        let link = try await pair.host.opened().link
        rogue.changeKeys(2000, kind, then: frame(0, [1], flags: FrameHeader.last))
        let end = try await pair.host.next { event -> LinkEnd? in
            switch event {
            case .received(link, _):
                Issue.record("all its changes of keys were taken")
                return .lost
            case .closed(link, let reason): return reason
            default: return nil
            }
        }
        #expect(end == .misbehaved("too many TLS messages after the handshake"))
        pair.guest.send([7], pair.guestEnd.link)
        #expect(try await pair.host.received() == [7])
        try await pair.stop()
    }

    /// Exactly as many messages as the limit permits are accepted, in however many reads. One more ends the link.
    @Test(arguments: [false, true]) func messagesOfTLSAreCounted(_ oversteps: Bool) throws {
        let (near, far) = try RawSocket.pair()
        let (host, rogue) = try Rogue.handshake(near, far)
        defer { withExtendedLifetime((near, far)) {} }
        let count = LinkLimits.postHandshake.most + (oversteps ? 1 : 0)
        for _ in 0..<count {
            #expect(SSL_key_update(rogue.ssl, SSL_KEY_UPDATE_NOT_REQUESTED) == 1 && SSL_do_handshake(rogue.ssl) == 1)
        }
        _ = [UInt8](repeating: 1, count: 5).withUnsafeBytes { rogue.write($0) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { buffer.deallocate() }
        if oversteps {
            #expect(throws: LinkError.self) { try host.read(into: buffer, at: .start) }
        } else {
            guard case .octets(5) = try host.read(into: buffer, at: .start) else {
                Issue.record("a member may change its keys")
                return
            }
        }
    }

    /// A member that stays within its credit may send forever, and the others are still served.
    @Test func aGreedyMemberStarvesNobody() async throws {
        let pair = try await Pair()
        let port = try pair.host.transport.listen(on: .loopback)
        let greedy = Member()
        greedy.transport.dial(DialNumber(1), to: [.local(port)])
        let way = try await greedy.opened().link
        let link = try await pair.host.opened().link
        let large = [UInt8](repeating: 9, count: 1 << 20)
        for _ in 0..<4 { greedy.send(large, way, .bulk) }
        for number in 1...50 as ClosedRange<UInt8> {
            pair.guest.send([number], pair.guestEnd.link)
            try await pair.host.next { event -> Void? in
                switch event {
                case .received(link, let message):
                    #expect(message.count == large.count)
                    greedy.send(large, way, .bulk)
                case .received(pair.hostEnd.link, let message): if message == [number] { return () }
                default: break
                }
                return nil
            }
        }
        try await greedy.stop()
        try await pair.stop()
    }
}
