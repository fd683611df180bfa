import COpenSSL
import Foundation
import PotluckCore
import Testing

@testable import PotluckNet

/// Every link is a full handshake: no tickets are issued.
@Suite(.timeLimit(.minutes(60))) struct TicketTests {
    /// The types of a handshake record, and of the message in it that is a ticket (RFC 8446).
    private static let (handshake, newSessionTicket): (Int32, UInt8) = (22, 4)
    /// OpenSSL's number for `SSL_CTX_set_msg_callback_arg`, which is a macro.
    private static let setArgument: Int32 = 16

    /// The number of handshake messages received, and of tickets among them.
    private final class Seen {
        var messages = 0
        var tickets = 0
    }

    private static let look:
        @convention(c) (Int32, Int32, Int32, UnsafeRawPointer?, Int, OpaquePointer?, UnsafeMutableRawPointer?) -> Void =
            {
                isSent, _, kind, octets, _, _, owner in
                guard isSent == 0, kind == TicketTests.handshake, let octets, let owner else { return }
                let seen = Unmanaged<Seen>.fromOpaque(owner).takeUnretainedValue()
                seen.messages += 1
                if octets.load(as: UInt8.self) == TicketTests.newSessionTicket { seen.tickets += 1 }
            }

    @Test func aHostSendsNone() async throws {
        let host = Member()
        let socket = RawSocket(to: try host.transport.listen(on: .loopback))
        let context = TLSContext(key: Keys.monty.key, session: Keys.monty.session)
        let seen = Seen()
        let owner = Unmanaged.passUnretained(seen).toOpaque()
        SSL_CTX_ctrl(context.context, Self.setArgument, 0, owner)
        SSL_CTX_set_msg_callback(context.context, Self.look)
        let session = TLSSession(context, descriptor: socket.descriptor, side: .dialled, at: .start)
        guard case .done = session.shake() else {
            Issue.record("no handshake")
            return
        }
        // After the handshake a session sets its own callback for messages. Tickets arrive then.
        potluck_openssl_set_message_owner(session.ssl, owner)
        SSL_set_msg_callback(session.ssl, Self.look)
        _ = try await host.opened()
        // Reads everything that the host sent until it stopped.
        try await host.stop()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case .octets = try buffer.withUnsafeMutableBytes({ try session.read(into: $0, at: .start) }) {}
        #expect(seen.messages > 0 && seen.tickets == 0)
        withExtendedLifetime((context, seen)) {}
    }
}
