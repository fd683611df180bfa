import Foundation
import PotluckCore
import PotluckNet
import PotluckSystem
import Testing

/// Connections in clear text, beside links.
@Suite struct TextTests {
    /// Sends what it is told to every connection, and notes what happens.
    private final class Server: TextServer {
        struct State: Sendable {
            var channels: (any TextChannels)?
            var received: [UInt8] = []
            var isStopping = false
        }

        let state = Guarded(State())
        /// Whether the system took at once all that was sent to a new connection.
        let opened: AsyncStream<Bool>
        let closed: AsyncStream<TextID>
        let drained: AsyncStream<TextID>
        private let begins: AsyncStream<Bool>.Continuation
        private let ends: AsyncStream<TextID>.Continuation
        private let drains: AsyncStream<TextID>.Continuation
        private let parts: [[UInt8]]
        private let closes: Bool

        init(_ parts: [[UInt8]], closes: Bool = false) {
            (self.parts, self.closes) = (parts, closes)
            (opened, begins) = AsyncStream.makeStream(of: Bool.self)
            (closed, ends) = AsyncStream.makeStream(of: TextID.self)
            (drained, drains) = AsyncStream.makeStream(of: TextID.self)
        }

        func begin(_ channels: any TextChannels) { state.with { $0.channels = channels } }

        func opened(_ id: TextID, from remote: Endpoint, at local: Endpoint, now: Instant) {
            let channels = state.with(\.channels)
            _ = channels?.admit(id)
            begins.yield(channels?.send(parts, on: id) == true)
            if closes { channels?.close(id) }
        }

        func received(_ octets: [UInt8], on id: TextID, now: Instant) { state.with { $0.received += octets } }
        func drained(_ id: TextID, now: Instant) { drains.yield(id) }
        func closed(_ id: TextID, now: Instant) { ends.yield(id) }
        func turn(at now: Instant) -> Instant? { nil }
        func stopping(now: Instant) { state.with { $0.isStopping = true } }
    }

    /// A host with that server, and a browser that has sent one letter. It has room for little, so `large` waits until
    /// the browser takes it.
    private func connect(_ server: Server, patience: Duration = .seconds(60)) throws -> (Member, RawSocket) {
        let transport = SocketTransport(key: Keys.monty.key, session: Keys.monty.session)
        transport.serve(server, patience: patience)
        let host = Member(transport)
        let port = try host.transport.listen(on: .loopback)
        let browser = RawSocket(to: port, buffer: 4096)
        browser.send(Array("G".utf8))
        return (host, browser)
    }

    private static let large = [UInt8](repeating: 7, count: LinkLimits.textBacklog / 2)

    @Test func everythingIsSentBeforeAConnectionIsClosed() async throws {
        let server = Server([Self.large, [1, 2, 3]], closes: true)
        let (host, browser) = try connect(server)
        #expect(browser.receiveAll() == Self.large + [1, 2, 3])
        try await host.stop()
        #expect(server.state.with { $0.isStopping })
    }

    @Test func aServerHearsWhenABrowserLeaves() async throws {
        let server = Server([[1]])
        let (host, browser) = try connect(server)
        #expect(browser.receive() == [1])
        browser.end()
        var closed = server.closed.makeAsyncIterator()
        #expect(await closed.next() != nil)
        #expect(server.state.with { $0.received } == Array("G".utf8))
        try await host.stop()
    }

    /// Nobody waits for a browser that reads nothing.
    @Test func aBrowserThatTakesNothingIsGivenUp() async throws {
        let stuck = Server([Self.large, Self.large])
        let (host, browser) = try connect(stuck, patience: .milliseconds(100))
        var closed = stuck.closed.makeAsyncIterator()
        #expect(await closed.next() != nil)
        withExtendedLifetime(browser) {}
        try await host.stop()
    }

    @Test func aServerHearsWhenABrowserTakesMore() async throws {
        let server = Server([Self.large, Self.large])
        let (host, browser) = try connect(server)
        var opened = server.opened.makeAsyncIterator()
        #expect(await opened.next() == false)
        var count = 0
        while count < 2 * Self.large.count, let some = browser.receive() { count += some.count }
        var drained = server.drained.makeAsyncIterator()
        #expect(await drained.next() != nil)
        try await host.stop()
    }

    /// A router gives its address to a guesser and to the browsers of a whole room.
    @Test func aBrowserIsServedAtTheAddressOfAGuesser() async throws {
        let server = Server([[1]])
        let transport = SocketTransport(key: Keys.monty.key, session: Keys.monty.session)
        transport.serve(server)
        let host = Member(transport)
        let port = try host.transport.listen(on: .loopback)
        try await guessUntilTurnedAway(port)
        let browser = RawSocket(to: port)
        browser.send(Array("G".utf8))
        #expect(browser.receive() == [1])
        try await host.stop()
    }

    @Test func waitingTextsAreBounded() async throws {
        let server = Server([Self.large, Self.large, [1]])
        let (host, browser) = try connect(server)
        var closed = server.closed.makeAsyncIterator()
        #expect(await closed.next() != nil)
        withExtendedLifetime(browser) {}
        try await host.stop()
    }
}
