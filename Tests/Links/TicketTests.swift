import CLinks
import Foundation
import PotluckModel
import Testing

@testable import PotluckLinks

/// Every link is a full handshake: nobody is given a ticket for the next one.
@Suite(.timeLimit(.minutes(5))) struct TicketTests {
    /// The numbers of a handshake record, and of the message in it that is a ticket (RFC 8446).
    private static let (handshake, newSessionTicket): (Int32, UInt8) = (22, 4)
    /// OpenSSL's number for `SSL_CTX_set_msg_callback_arg`, which is a macro.
    private static let setArgument: Int32 = 16

    /// How many messages of the handshake came in, and how many of them were tickets.
    private final class Seen {
        var messages = 0
        var tickets = 0
    }

    @Test func aHostSendsNone() async throws {
        let host = Member()
        let socket = RawSocket(to: try host.transport.listen(on: .loopback))
        let context = TLSContext(key: Keys.monty.key, session: Keys.monty.session)
        let seen = Seen()
        SSL_CTX_ctrl(context.context, Self.setArgument, 0, Unmanaged.passUnretained(seen).toOpaque())
        SSL_CTX_set_msg_callback(context.context) { isWritten, _, kind, octets, _, _, argument in
            guard isWritten == 0, kind == TicketTests.handshake, let octets, let argument else { return }
            let seen = Unmanaged<Seen>.fromOpaque(argument).takeUnretainedValue()
            seen.messages += 1
            if octets.load(as: UInt8.self) == TicketTests.newSessionTicket { seen.tickets += 1 }
        }
        let session = TLSSession(context, descriptor: socket.descriptor, side: .dialled)
        guard case .done = session.shake() else {
            Issue.record("no handshake")
            return
        }
        _ = try await host.opened()
        // All that the host sends until it is gone.
        try await host.stop()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case .octets = buffer.withUnsafeMutableBytes({ session.read(into: $0) }) {}
        #expect(seen.messages > 0 && seen.tickets == 0)
        withExtendedLifetime((context, seen)) {}
    }
}
