import Glibc
import PotluckCore
import PotluckDoubles
import PotluckSystem
import Testing

@testable import Potluck
@testable import PotluckNet

/// A gateway on a real port, beside links.
@Suite struct SocketTests {
    /// A transport with a page, on a loop of its own.
    private final class Host {
        let tickets = PageTickets(view: .random(), lend: .random())
        let gateway: PageGateway
        let transport: SocketTransport
        let port: UInt16
        private let stopped: AsyncStream<Void>

        init(_ files: [PageFile] = [PageFile(name: "index.html", octets: Array("<p>".utf8))]) throws {
            let session = try #require(SessionID("Monty"))
            let root = SessionRoot(openTo: session)
            let loop = EventLoop()
            // A page may be slow, and silent while hundreds of others connect. `EntryTests` tests these limits.
            var limits = GatewayLimits()
            limits.silence = .seconds(600)
            limits.request = .seconds(600)
            limits.answer = .seconds(600)
            let setup = PageHub.Setup(
                session: "Monty", name: "host", version: "1", site: Site(files), hidesExact: false, workers: nil,
                guessed: { _, _ in }, limits: limits)
            gateway = PageGateway(setup, tickets, on: loop) { _ in }
            transport = SocketTransport(key: root.link, session: session.hash, loop: loop)
            transport.serve(gateway)
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            stopped = stream
            transport.start { if case .stopped = $0 { continuation.finish() } }
            port = try transport.listen(on: .loopback)
        }

        func stop() async {
            transport.stop(.leaving)
            for await _ in stopped {}
        }
    }

    @Test func aPageIsServedAndJoins() async throws {
        let host = try Host()
        let browser = PageSocket(to: host.port, host.tickets.view)
        browser.send(PageSide.get("/", host: browser.host))
        #expect(try browser.next() == .answer(status: 200, body: Array("<p>".utf8)))
        #expect(try browser.join("ana") == nil)
        host.gateway.show([PageMember(name: "host", cores: 2, kind: .laptop)], waiting: ["w"])
        host.gateway.say("hello", by: "host")
        #expect(try browser.message("news")?["text"]?.asString == "hello")
        #expect(host.gateway.viewers == ["ana"])
        await host.stop()
        #expect(try browser.closed() == 4410)
    }

    /// A file that is larger than a socket's buffer arrives whole, also by a browser that reads slowly.
    @Test func aLargeFileArrivesWhole() async throws {
        let octets = (0..<(PageFiles.largest)).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let host = try Host([PageFile(name: "page.js", octets: octets)])
        let browser = PageSocket(to: host.port, host.tickets.view, buffer: 32_768)
        for _ in 0..<5 { browser.send(PageSide.get("/page.js", host: browser.host)) }
        for _ in 0..<5 { #expect(try browser.next() == .answer(status: 200, body: octets)) }
        await host.stop()
    }

    @Test func aRemovedViewerHearsWhyAndCannotReturn() async throws {
        let host = try Host()
        let browser = PageSocket(to: host.port, host.tickets.view)
        #expect(try browser.join("ana") == nil)
        #expect(await host.gateway.kick("ana") == ["ana"])
        #expect(try browser.closed() == 4403)
        let again = PageSocket(to: host.port, host.tickets.view)
        #expect(try again.join("ana", client: 2) == 4403)
        await host.stop()
    }

    @Test func newTicketsReplaceOldOnes() async throws {
        let host = try Host()
        let browser = PageSocket(to: host.port, host.tickets.view)
        #expect(try browser.join("ana") == nil)
        let new = PageTickets(view: .random(), lend: .random())
        await host.gateway.remake(new)
        #expect(try browser.closed() == 4401 && host.gateway.tickets == new)
        #expect(try PageSocket(to: host.port, host.tickets.view).join("ana") == 4401)
        #expect(try PageSocket(to: host.port, new.view).join("ana") == nil)
        await host.stop()
    }

    /// Everybody in a room opens the page at once, several behind one address.
    @Test func aRoomOf200ViewersFits() async throws {
        let host = try Host()
        var browsers: [PageSocket] = []
        for number in 0..<200 {
            let browser = PageSocket(to: host.port, host.tickets.view)
            #expect(try browser.join("guest", client: UInt8(number)) == nil)
            browsers.append(browser)
        }
        #expect(host.gateway.viewers.count == 200)
        host.gateway.say("all here", by: nil)
        for browser in browsers { #expect(try browser.message("news")?["text"]?.asString == "all here") }
        await host.stop()
    }

    /// Strangers use up neither the places of those with a ticket nor the descriptors.
    @Test func strangersAreFew() async throws {
        let host = try Host()
        let ana = PageSocket(to: host.port, host.tickets.view)
        #expect(try ana.join("ana") == nil)
        var strangers: [PageSocket] = []
        for _ in 0..<300 {
            let stranger = PageSocket(to: host.port, host.tickets.view)
            stranger.send(PageSide.get("/", host: stranger.host))
            _ = try? stranger.next()
            strangers.append(stranger)
        }
        host.gateway.say("still here", by: nil)
        #expect(try ana.message("news")?["text"]?.asString == "still here")
        let open = strangers.count { stranger in
            var octet: UInt8 = 0
            return recv(stranger.descriptor, &octet, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0 && errno == EAGAIN
        }
        #expect(open <= LinkLimits.strangersPerAddressWithTexts)
        #expect(try PageSocket(to: host.port, host.tickets.view).join("ben", client: 2) == nil)
        await host.stop()
    }

    /// A node beside the page still gets its links.
    @Test func linksAreOpenedBesideThePage() async throws {
        let host = try Host()
        let browser = PageSocket(to: host.port, host.tickets.view)
        #expect(try browser.join("ana") == nil)
        let session = try #require(SessionID("Monty"))
        let root = SessionRoot(openTo: session)
        let guest = SocketTransport(key: root.link, session: session.hash)
        let (opened, continuation) = AsyncStream.makeStream(of: Bool.self)
        guest.start {
            switch $0 {
            case .opened: continuation.yield(true)
            case .dialFailed: continuation.yield(false)
            default: break
            }
        }
        let endpoint = try #require(Endpoint(octets: [127, 0, 0, 1], port: host.port))
        guest.dial(DialNumber(1), to: [.endpoint(endpoint)])
        var answers = opened.makeAsyncIterator()
        #expect(await answers.next() == true)
        guest.stop(.leaving)
        await host.stop()
    }

    @Test func thePageIsSmallAndNeedsNothingFromOutside() {
        let whole = PageFiles.all.reduce(0) { $0 + $1.octets.count }
        #expect(PageFiles.all.contains { $0.name == "index.html" } && whole <= PageFiles.largest)
        for file in PageFiles.all {
            let text = String(decoding: file.octets, as: UTF8.self)
            // The name of a namespace is not an address.
            let foreign = text.replacing("http://www.w3.org/2000/svg", with: "")
            #expect(!foreign.contains(/https?:\/\/[A-Za-z0-9]/), "\(file.name) names an address")
            for word in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"] {
                #expect(!text.contains(word), "\(file.name) contains \(word)")
            }
            #expect(!text.contains("eval(") && !text.contains("new Function"))
        }
    }
}
