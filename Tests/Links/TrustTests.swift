import Foundation
import PotluckCore
import PotluckNet
import Testing

/// Which nodes are admitted and which are refused.
@Suite(.timeLimit(.minutes(60))) struct TrustTests {
    private func failure(of guest: Keys, at host: Member) async throws -> DialFailure {
        let port = try host.transport.listen(on: .loopback)
        let guest = Member(guest)
        guest.transport.dial(DialNumber(7), to: [.local(port)])
        let failure = try await guest.dialFailed()
        try await guest.stop()
        return failure
    }

    @Test func aWrongCodeIsToldAtBothEnds() async throws {
        let host = Member()
        #expect(try await failure(of: .wrong, at: host) == .wrongCode)
        #expect(try await host.refused() == .wrongCode)
        try await host.stop()
    }

    @Test func anotherSessionIsToldApartFromAWrongCode() async throws {
        let host = Member()
        #expect(try await failure(of: .other, at: host) == .otherSession)
        #expect(try await host.refused() == .noKey)
        try await host.stop()
    }

    @Test func tenWrongCodesSlowAnAddressDown() async throws {
        let host = Member()
        try await guessUntilTurnedAway(try host.transport.listen(on: .loopback))
        try await host.stop()
    }

    /// A dial to a port on which nothing listens, or without a usable address, fails with a reason.
    @Test func aClosedPortIsUnreachable() async throws {
        let host = Member()
        let port = try host.transport.listen(on: .loopback)
        try await host.stop()
        let guest = Member()
        guest.transport.dial(DialNumber(1), to: [.local(port)])
        #expect(try await guest.dialFailed() == .unreachable)
        guest.transport.dial(DialNumber(2), to: [])
        #expect(try await guest.dialFailed() == .notTried)
        guest.transport.dial(DialNumber(3), to: [.host("no-such-host.invalid", port: 1)])
        #expect(try await guest.dialFailed() == .unknownHost("no-such-host.invalid"))
        try await guest.stop()
    }

    @Test func namesAreLookedUp() async throws {
        let host = Member()
        let port = try host.transport.listen(on: .loopback)
        let guest = Member()
        guest.transport.dial(DialNumber(1), to: [.host("127.0.0.1", port: port)])
        #expect(try await guest.opened().remote.port == port)
        try await guest.stop()
        try await host.stop()
    }

    @Test func plainTextIsClosed() async throws {
        for words in ["\u{0}\u{1}\u{2}", "\u{15}hello", "\n\n", "potluck"] {
            let host = Member()
            let socket = RawSocket(to: try host.transport.listen(on: .loopback))
            socket.send(Array(words.utf8))
            #expect(socket.receiveAll() == [])
            #expect(try await host.refused() == .noKey)
            try await host.stop()
        }
    }

    @Test func browsersAreAnswered() async throws {
        let host = Member()
        let socket = RawSocket(to: try host.transport.listen(on: .loopback))
        socket.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        let answer = String(decoding: socket.receiveAll(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        let parts = answer.components(separatedBy: "\r\n\r\n")
        #expect(parts.count == 2 && answer.contains("Content-Length: \(parts[1].utf8.count)\r\n"))
        try await host.stop()
    }

    @Test(arguments: [OtherTLS.Kind.client12, .client13]) func otherTLSIsRefused(_ kind: OtherTLS.Kind) async throws {
        let host = Member()
        let socket = RawSocket(to: try host.transport.listen(on: .loopback))
        #expect(!OtherTLS(kind, on: socket).connects())
        #expect(try await host.refused() == .noKey)
        try await host.stop()
    }

    @Test func aServerWithACertificateInsteadOfTheKeyIsNotTrusted() async throws {
        let (door, port) = RawSocket.listening()
        let guest = Member()
        guest.transport.dial(DialNumber(1), to: [.local(port)])
        let socket = door.accept()
        let rogue = OtherTLS(.server13, on: socket)
        _ = rogue.accepts()
        #expect(try await guest.dialFailed() == .notPotluck)
        try await guest.stop()
    }

    @Test func aRecordingHidesTheWordsAndCannotBeReplayed() async throws {
        let host = Member()
        let guest = Member()
        let port = try host.transport.listen(on: .loopback)
        let tap = Wiretap(to: port)
        guest.transport.dial(DialNumber(1), to: [.local(tap.port)])
        let there = try await guest.opened()
        _ = try await host.opened()
        let words = Array("the goat is behind the second door".utf8)
        guest.send(words, there.link)
        #expect(try await host.received() == words)
        let recorded = tap.fromGuest
        #expect(recorded.count > words.count && !tap.everything.contains(words))
        #expect(!tap.everything.contains(Keys.monty.key.octets.exposed))

        let replay = RawSocket(to: port)
        replay.send(recorded)
        _ = replay.receiveAll()
        #expect(try await host.refused() == .noKey)
        #expect(
            host.past.count { if case .opened = $0 { true } else { false } } == 1,
            "the replay opened no second link")
        tap.close()
        try await guest.stop()
        try await host.stop()
    }

    /// Connections that send nothing, or only part of a handshake, do not keep others out.
    @Test func silentStrangersKeepNobodyOut() async throws {
        let host = Member()
        let port = try host.transport.listen(on: .loopback)
        let silent = (0..<7).map { _ in RawSocket(to: port) }
        silent[0].send([0x16, 3, 1])
        let guest = Member()
        guest.transport.dial(DialNumber(1), to: [.local(port)])
        _ = try await guest.opened()
        // The ninth connection from one address is refused, and the refusal is reported. On a slow machine the silent
        // ones may have been closed after three seconds already, so this opens nine more.
        let more = (0..<9).map { _ in RawSocket(to: port) }
        while try await host.refused() != .tooMany {}
        withExtendedLifetime((silent, more)) {}
        try await guest.stop()
        try await host.stop()
    }
}
