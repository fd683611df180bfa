import Foundation
import Glibc
import Potluck
import PotluckDoubles
import PotluckNet
import PotluckScreen
import PotluckSystem
import Testing

@testable import PotluckCommand

/// `potluck serve --web` and `potluck web` as users start them, and a page that views the session.
@Suite(.serialized) struct WebCommandTests {
    private let room = Laptops()

    /// The address of a page, taken apart.
    private struct Address {
        let port: UInt16
        let ticket: PageTicket

        init(_ text: some StringProtocol) throws {
            let parts = text.split(separator: "#")
            try #require(parts.count == 2 && parts[0].hasPrefix("http://127.0.0.1:") && parts[0].hasSuffix("/"))
            port = try #require(UInt16(parts[0].dropFirst("http://127.0.0.1:".count).dropLast()))
            ticket = try #require(PageTicket(text: String(parts[1])))
        }

        func page() -> PageSocket { PageSocket(to: port, ticket) }
    }

    private func serve(_ words: String, _ pipe: Pipe) throws -> (server: Child, address: Address?) {
        let words = ["serve", "Monty", "--name", "lab", "--json"] + words.split(separator: " ").map(String.init)
        let server = try room.start(words, "lab", pipe)
        let text = pipe.reader.read { $0.contains("\n") }
        let line = try object(text.split(separator: "\n")[0])
        return (server, try (line["page"] as? String).map { try Address($0) })
    }

    /// Returns the page's address that a command prints.
    private func address(_ words: String) throws -> Address {
        let outcome = try room.run(words, "lab")
        #expect(outcome.code == 0)
        return try Address(outcome.stdout.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func status(_ request: [UInt8], _ page: PageSocket) throws -> Int? {
        page.send(request)
        guard case .answer(let status, _)? = try page.next() else { return nil }
        return status
    }

    @Test func aBrowserViewsTheSession() throws {
        let output = Pipe()
        let (server, found) = try serve(
            "--web --hide-exact --cores 1 --run monty-hall --trials 1e15 --seed 1", output)
        let address = try #require(found)
        let page = address.page()
        #expect(try status(PageSide.get("/", host: page.host), page) == 200)
        #expect(try page.join("ana <b>") == nil)
        let job = try #require(try page.message("job"))
        #expect(job["simulation"]?.asString == "monty-hall" && job["submitter"]?.asString == "lab")
        while let course = try page.message("course") {
            #expect(course["from"]?.asCount == 0 && course["points"]?.asArray?.isEmpty == false)
            break
        }
        for _ in 0..<5 {
            let picture = try #require(try page.message("job"))
            #expect(picture["readings"]?.asArray?.allSatisfy { $0["exact"] == nil } == true)
            #expect(picture["nodes"]?.asArray?.first?["name"]?.asString == "lab")
        }
        output.reader.read { $0.contains(#""name":"ana <b>","state":"joined","viewers":1"#) }
        let said = try page.attended { try room.run("say Monty hello", "lab") }
        #expect(said.stdout == "sent to 1 viewer\n")
        #expect(try page.message("news")?["text"]?.asString == "hello")
        let refused = try page.attended { try room.run("kick Monty eve", "lab") }
        #expect(refused.code == 1 && refused.stderr.contains("no node called 'eve'"))
        page.attended { end(server) }
        #expect(try page.closed() == 4410)
    }

    @Test func aRemovedViewerStaysOutUntilTheSessionEnds() throws {
        let output = Pipe()
        let (server, found) = try serve("--web --no-compute", output)
        let address = try #require(found)
        let page = address.page()
        #expect(try page.join("ana") == nil)
        let kicked = try page.attended { try room.run("kick Monty ANA", "lab") }
        #expect(kicked.code == 0 && kicked.stdout.hasPrefix("removed ana; "))
        #expect(try page.closed() == 4403)
        #expect(try address.page().join("other", client: 2) == 4403)
        output.reader.read { $0.contains(#""name":"ana","state":"left","viewers":0"#) }
        end(server)
    }

    @Test func foreignNamesOriginsAndTicketsAreRefused() throws {
        let output = Pipe()
        let (server, found) = try serve("--web --no-compute", output)
        let address = try #require(found)
        let host = "127.0.0.1:\(address.port)"
        #expect(try status(PageSide.get("/", host: "evil.example:\(address.port)"), address.page()) == 421)
        #expect(try status(PageSide.get("/", host: "localhost:\(address.port)"), address.page()) == 200)
        #expect(try status(PageSide.handshake(host: host, origin: "http://evil.example"), address.page()) == 403)
        #expect(try PageSocket(to: address.port, .random()).join("eve") == 4401)
        #expect(try address.page().join("ana") == nil)
        end(server)
    }

    @Test func anAddressStaysValidUntilItIsRenewed() throws {
        var output = Pipe()
        var (server, found) = try serve("--web --no-compute", output)
        let first = try #require(found)
        #expect(try address("web Monty").ticket == first.ticket)
        let view = try address("web Monty --view")
        #expect(view.ticket != first.ticket)
        #expect(try view.page().join("ana") == nil)
        end(server)
        // Only this user may read the file.
        let folder = room.folder("lab")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".page") }
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(files[0])")[.posixPermissions]
        #expect(files.count == 1 && mode as? Int == 0o600)

        output = Pipe()
        (server, found) = try serve("--web --no-compute", output)
        #expect(try #require(found).ticket == first.ticket)
        let page = try #require(found).page()
        #expect(try page.join("ana") == nil)
        let renewed = try page.attended { try address("web Monty --new") }
        #expect(renewed.ticket != first.ticket)
        #expect(try page.closed() == 4401)
        #expect(try #require(found).page().join("ana") == 4401)
        #expect(try renewed.page().join("ana") == nil)
        end(server)

        output = Pipe()
        (server, found) = try serve("--web --no-compute --forget", output)
        #expect(try #require(found).ticket != renewed.ticket)
        end(server)
    }

    /// Asks for something, and returns the answer: whether it was done, and in which words.
    private func ask(_ request: HostRequest, _ page: PageSocket) throws -> (isDone: Bool, text: String) {
        page.say(.host(request))
        let answer = try #require(try page.message("answer"))
        return (answer["refused"] == .bool(false), answer["text"]?.asString ?? "")
    }

    @Test func theHostsPageDoesWhatTheTerminalDoes() throws {
        let output = Pipe()
        let (server, found) = try serve("--web --cores 1", output)
        let ana = try #require(found).page()
        #expect(try ana.join("ana") == nil)
        let host = try ana.attended { try address("web Monty --host") }
        let again = try ana.attended { try address("web Monty --host") }
        #expect(again.ticket == host.ticket && host.ticket != found?.ticket)
        #expect(!output.reader.text.contains(host.ticket.text), "it is shown on no other terminal")
        let page = PageSocket(to: host.port, host.ticket, device: DeviceSecret([UInt8](repeating: 1, count: 16)))
        #expect(try page.join("teacher", client: 2) == nil)
        output.reader.read { $0.contains(#""state":"opened","address":"127.0.0.1""#) }
        #expect(try page.message("simulation")?["key"]?.asString == "birthday")

        let wrong = try ask(.start(HostStart("monty-hall", parameters: [.init("doors", "1")], trials: "1e6")), page)
        #expect(!wrong.isDone && wrong.text.contains("must be"), "\(wrong)")
        #expect(try !ask(.start(HostStart("/etc/passwd", trials: "1e6")), page).isDone)
        #expect(try !ask(.start(HostStart("pi", trials: "many")), page).isDone)
        let started = try ask(.start(HostStart("monty-hall", parameters: [.init("doors", "5")], trials: "1e15")), page)
        #expect(started.isDone && started.text.hasPrefix("started monty-hall as job "), "\(started)")
        let picture = try #require(try ana.message("job"))
        #expect(picture["simulation"]?.asString == "monty-hall" && picture["submitter"]?.asString == "lab")
        let digits = try #require(picture["job"]?.asString)
        let job = JobID(try #require(UInt64(digits, radix: 16)))
        for (command, words) in [
            (JobCommand.pause, "is paused"), (.resume, "is resumed"), (.hide, "hides its exact answers"),
            (.reveal, "shows its exact answers"), (.cancel, "is cancelled"),
        ] {
            #expect(try ask(.command(command, job), page) == (true, "job \(job) \(words)"))
        }
        #expect(try ask(.say("hello"), page) == (true, "sent to 2 viewers"))
        #expect(try ana.message("news")?["text"]?.asString == "hello")
        #expect(try !ask(.accept(NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))), page).isDone)
        #expect(try ask(.remove("ana"), page).isDone && ana.closed() == 4403)
        page.attended { end(server) }
    }

    /// A page may ask for sixteen things at once, and both tests together ask for more.
    @Test func theHostsPageStartsJobsInSlowMotionAndInRows() throws {
        let output = Pipe()
        let (server, found) = try serve("--web --cores 1", output)
        let ana = try #require(found).page()
        #expect(try ana.join("ana") == nil)
        let host = try ana.attended { try address("web Monty --host") }
        let page = PageSocket(to: host.port, host.ticket, device: DeviceSecret([UInt8](repeating: 1, count: 16)))
        #expect(try page.join("teacher", client: 2) == nil)
        // A job in slow motion begins with fewer trials than a block has, on every page. A search has none.
        let search = try ask(.start(HostStart("queens", isSlow: true)), page)
        #expect(!search.isDone && search.text.contains("has none"), "\(search)")
        #expect(try ask(.start(HostStart("monty-hall", trials: "1e15", isSlow: true)), page).isDone)
        let slow = try page.attended {
            var slow = try #require(try ana.message("job"))
            while slow["trials"]?.asBig == 0 { slow = try #require(try ana.message("job")) }
            return slow
        }
        #expect(try #require(slow["trials"]?.asBig) < 1000)
        let slowDigits = try #require(slow["job"]?.asString)
        let slowJob = JobID(try #require(UInt64(slowDigits, radix: 16)))
        #expect(try ask(.command(.cancel, slowJob), page).isDone)
        // Several values of a parameter are several jobs, one after the other.
        let many = try ask(.start(HostStart("monty-hall", parameters: [.init("doors", "3..12")], trials: "1e3")), page)
        #expect(!many.isDone && many.text.contains("a range has at most 8 values"), "\(many)")
        let row = HostStart(
            "monty-hall", parameters: [.init("doors", "3,4,100"), .init("opened", "1")], trials: "1e3")
        let rowed = try ask(.start(row), page)
        #expect(rowed.isDone && rowed.text.hasPrefix("started monty-hall as jobs "), "\(rowed)")
        #expect(rowed.text.count { $0 == "," } == 2)
        output.reader.read { text in Set(text.split(separator: "\n").filter { $0.contains(#""digest":""#) }).count >= 3
        }
        end(server)
    }

    @Test func theHostsPageBelongsToOneDevice() throws {
        let devices = [1, 2].map { DeviceSecret([UInt8](repeating: $0, count: 16)) }
        var output = Pipe()
        var (server, _) = try serve("--web --no-compute", output)
        let host = try address("web Monty --host")
        func join(_ device: Int) throws -> UInt16? {
            try PageSocket(to: host.port, host.ticket, device: devices[device]).join("teacher")
        }
        #expect(try join(0) == nil && join(1) == 4411 && join(0) == nil)
        output.reader.read { $0.contains(#""state":"refused","address":"127.0.0.1""#) }
        // Other addresses of the class change nothing, and a server that returns knows the device.
        _ = try address("web Monty --new")
        end(server)
        output = Pipe()
        (server, _) = try serve("--web --no-compute", output)
        #expect(try join(1) == 4411 && join(0) == nil)
        let page = PageSocket(to: host.port, host.ticket, device: devices[0])
        #expect(try page.join("teacher") == nil && page.message("simulation") != nil)
        let revoked = try page.attended { try room.run("web Monty --host --revoke", "lab") }
        #expect(revoked.code == 0 && revoked.stdout.contains("worth nothing"))
        #expect(try page.closed() == 4401 && join(0) == 4401)
        #expect(try room.run("web Monty --host --revoke", "lab").code == 1)
        #expect(try address("web Monty --host").ticket != host.ticket)
        for words in ["--revoke", "--host --view", "--host --new --revoke"] {
            #expect(try room.run("web Monty \(words)", "lab").code == 2)
        }
        end(server)
    }

    @Test func filesCanBeOffered() throws {
        #expect(try room.run("serve Monty --offer Examples/dice.swift", "lab").code == 2)
        #expect(try room.run("serve Monty --web --offer pi", "lab").code == 2)
    }

    @Test func withoutWebNothingAnswersABrowser() throws {
        let output = Pipe()
        let (server, found) = try serve("--no-compute", output)
        #expect(found == nil)
        let port = try #require(try object(output.reader.text.split(separator: "\n")[0])["port"] as? Int)
        let browser = PageSocket(to: UInt16(port), .random())
        browser.send(PageSide.get("/", host: browser.host))
        #expect(
            try browser.next() == .answer(status: 404, body: Array("This is a Potluck node, no web page.\n".utf8)))
        let refused = try room.run("web Monty", "lab")
        #expect(refused.code == 1 && refused.stderr.contains("start the node with --web"))
        end(server)
    }

    @Test func ticketsAreKeptAsTheyAre() throws {
        let device = DeviceSecret([UInt8](0..<16))
        let (plain, host) = (PageTickets.random(), PageTicket.random())
        let kept = [nil, HostTicket(host), HostTicket(host, device: device)].map {
            PageTickets(view: plain.view, lend: plain.lend, host: $0)
        }
        let texts = kept.map(TicketsFile.text)
        for (tickets, text) in zip(kept, texts) {
            #expect(TicketsFile.tickets(text) == tickets)
            // What is cut off within a line is no file; at a line's end it may be one of before.
            for length in 0..<text.utf8.count where !texts.contains(String(text.prefix(length))) {
                #expect(TicketsFile.tickets(String(text.prefix(length))) == nil)
            }
            #expect(TicketsFile.tickets(text + "more") == nil)
        }
    }
}

/// The QR code of an address.
@Suite struct QRCodeTests {
    /// The three corners by which a scanner finds a code, and the rows of dots between them.
    @Test func anAddressBecomesACode() throws {
        let matrix = try #require(QRCode.matrix(of: "http://192.168.178.123:7077/#000g40r40m30e209185gr38e"))
        #expect(matrix.size == 29)
        #expect(QRCode.matrix(of: "http://192.168.178.123:7077/#000g40r40m30e209185gr38f") != matrix)
        // The code of an address has the ticket without the hyphens, which are for people.
        let address = "http://192.168.178.123:7077/#000g-40r4-0m30-e209-185g-r38e"
        let page = SessionPicture.Page(address: address, viewers: [], code: matrix)
        #expect(SessionPicture.Page(showing: address) == page)
        #expect(QRCode.matrix(of: String(repeating: "x", count: 5000)) == nil)
    }
}
