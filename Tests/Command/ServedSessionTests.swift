import Foundation
import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen
import Testing

@testable import Potluck
@testable import PotluckCommand

@Suite struct ServedSessionTests {
    private func sample(_ name: String, code: JoinCode?, approved: Int = 0) throws -> ServedSession {
        ServedSession(
            session: try #require(SessionID(name)), founding: Founding(0x0123_4567_89ab_cdef), port: 7078, code: code,
            approved: (0..<approved).map { number in
                NodeID(firstOctetsOf: [UInt8(number / 256), UInt8(number % 256)] + [UInt8](repeating: 7, count: 14))
            })
    }

    @Test func aKeptSessionReadsBack() throws {
        for name in ["Monty", "code open", "ünïcode 中"] {
            for code in [nil, JoinCode.random()] {
                for approved in [0, 1, 30, Session.mostApproved] {
                    let served = try sample(name, code: code, approved: approved)
                    #expect(ServedSession(served.text) == served)
                    #expect(served.text.utf8.count <= ServedSession.maximumLength)
                }
            }
        }
    }

    /// A file of an earlier version has no approvals.
    @Test func oldFilesAreRead() throws {
        let text = "potluck session 1\nsession Monty\nfounding efcdab8967452301\nport 7078\nopen\n"
        let served = try #require(ServedSession(text))
        #expect(served.approved.isEmpty && served.port == 7078 && served.text == text)
    }

    /// A damaged file is refused, whatever the damage is.
    @Test func spoiltTextIsNothing() throws {
        let text = try sample("Monty", code: .random()).text
        for length in 0..<text.utf8.count { #expect(ServedSession(String(text.prefix(length))) == nil) }
        #expect(ServedSession(text + "more") == nil)
        let approved = try sample("Monty", code: .random(), approved: 3).text
        let last = try #require(approved.dropLast().lastIndex(of: "\n"))
        for length in approved.utf8.count - approved[last...].utf8.count + 2..<approved.utf8.count {
            #expect(ServedSession(String(approved.prefix(length))) == nil)
        }
        #expect(ServedSession(approved.replacing("approved ", with: "approves ")) == nil)
        #expect(ServedSession(approved + approved.split(separator: "\n").last! + "\n") == nil)
        #expect(ServedSession(text.replacing("port 7078", with: "port 70780")) == nil)
        #expect(ServedSession(text.replacing("founding ef", with: "founding éf")) == nil)
        #expect(ServedSession(text.replacing("code ", with: "code x")) == nil)
    }

    @Test func aServerComesBackAsItWas() throws {
        let kept = try sample("Monty", code: .random())
        let code = try #require(kept.code)
        let again = try ServeCommand.plan(nil, kept, showsCode: false)
        #expect(again.access.code == code)
        #expect(again.founding == kept.founding)
        #expect(try ServeCommand.plan(.code(code), kept, showsCode: false).founding == kept.founding)
        #expect(try ServeCommand.plan(.open, kept, showsCode: false).founding != kept.founding)
        #expect(try ServeCommand.plan(.code(.random()), kept, showsCode: false).founding != kept.founding)
        #expect(try ServeCommand.plan(nil, nil, showsCode: true).access.code != nil)
        #expect(throws: Failure.self) { try ServeCommand.plan(nil, nil, showsCode: false) }
    }
}

@Suite struct ControlTests {
    private func order(_ cargo: JobCargo) -> LocalRequest {
        let experiment = Experiment(
            simulation: SimulationIdentity(name: "mine", source: "", streams: 1), parameters: [], seed: 7, blockSize: 16
        )
        return LocalRequest(JobOrder(JobRecipe(experiment: experiment, goal: Goal(trials: 5))), .random(), cargo)
    }

    /// A node hears a request as a command made it, with a module and tables of any length.
    @Test func aRequestIsHeardAsItWasMade() throws {
        let path = "/tmp/potluck-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let door = try LocalSocket.listening(at: path)
        defer {
            door.end()
            unlink(path)
        }
        let module = [UInt8](repeating: 0xa5, count: BlobReference.largestModule)
        let table = Table(rows: 200_000, columns: 1, numbers: (0..<200_000).map(Double.init))
        for request in [
            LocalRequest(.say("hello", to: nil)), LocalRequest(.say("two\nlines\n", to: "ana (1f3c09ab)")),
            order(JobCargo(module: nil, tables: [])), order(JobCargo(module: module, tables: [table])),
        ] {
            let command = try #require(try LocalSocket.connected(to: path))
            let node = try #require(door.accepted())
            defer { for socket in [command, node] { socket.end() } }
            let isSent = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                _ = request.send(over: command)
                isSent.signal()
            }
            let heard = LocalRequest(from: node)
            isSent.wait()
            #expect(heard?.message == request.message)
            #expect(heard?.module == request.module && heard?.payload == request.payload)
        }
    }

    /// A node says so when a command speaks as earlier versions did, and a command when a node does.
    @Test func anotherVersionIsNamed() throws {
        let path = "/tmp/potluck-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let door = try LocalSocket.listening(at: path)
        defer {
            door.end()
            unlink(path)
        }
        let command = try #require(try LocalSocket.connected(to: path))
        let node = try #require(door.accepted())
        defer { for socket in [command, node] { socket.end() } }
        command.finish([Array("say\n\nhello".utf8)])
        #expect(LocalRequest(from: node) == nil)
        var frames = LocalFrames()
        frames.add(Array("refused\nno".utf8))
        #expect(throws: WireError.self) { try frames.next() }
    }

    @Test func theWayInComesOutAsItWentIn() throws {
        for number in 0..<64 as Range<UInt64> {
            var random = RandomStream(seed: 7, block: number, lane: 0)
            let node = NodeID(firstOctetsOf: (0..<16).map { _ in UInt8(random.below(256)) })
            let access = SessionAccess(
                node: node, isHost: random.chance(0.5), port: UInt16(random.below(65_536)),
                code: random.chance(0.5) ? JoinCode { UInt32(random.below(Int($0))) } : nil)
            #expect(SessionAccess(access.message) == access)
            guard case .way(_, _, _, let code) = access.message, !code.isEmpty else { continue }
            // A part of a code never opens a session.
            for length in 1..<code.utf8.count {
                let cut = LocalMessage.way(node, isHost: true, port: 1, code: String(code.prefix(length)))
                #expect(SessionAccess(cut).map { $0.code != nil } ?? true)
            }
        }
    }

    @Test func aNameFindsOneNode() {
        let nodes = (0..<4).map { NodeID(firstOctetsOf: [UInt8](repeating: 0x10 + UInt8($0), count: 16)) }
        let names = [nodes[0]: "ana (10101010)", nodes[1]: "ana (11111111)", nodes[2]: "bob", nodes[3]: "bobby"]
        #expect(NameFinder.find("Bob", among: names) == .found(nodes[2]))
        #expect(NameFinder.find("ana (11111111)", among: names) == .found(nodes[1]))
        #expect(NameFinder.find("1010", among: names) == .found(nodes[0]))
        #expect(
            NameFinder.find("ana", among: names)
                == .nobody("'ana' matches 2 nodes; choose one: ana (10101010), ana (11111111)"))
        #expect(NameFinder.find("bobbi", among: names) == .nobody("no node called 'bobbi'; did you mean 'bobby'?"))
    }

    @Test func numbersAreTypedKeyByKey() {
        var typed = ""
        func type(_ keys: String, upTo most: Int) -> [Int] {
            var parser = KeyParser()
            return parser.keys(Array(keys.utf8)).compactMap { Typing.number(after: $0, &typed, upTo: most) }
        }
        #expect(type("2", upTo: 3) == [])
        #expect(type("\n", upTo: 3) == [2])
        #expect(type("\n0\n4\nx\n", upTo: 3) == [])
        #expect(type("13\u{7f}2\n", upTo: 12) == [12])
        #expect(type("1\n", upTo: 0) == [])
    }

    @Test func addressesAsTyped() {
        #expect(HostPort("10.0.0.1:7077")?.host == "10.0.0.1")
        #expect(HostPort("[fe80::1%eth0]:7077")?.host == "fe80::1%eth0")
        #expect(HostPort("laptop.local:1")?.port == 1)
        for text in ["", ":1", "host", "host:", "host:0", "host:65536", "fe80::1:7077", "a b:1", "[]:1"] {
            #expect(HostPort(text) == nil)
        }
    }

    @Test func wordsForAShell() {
        #expect(ShellWord.quoted("Monty") == "Monty")
        #expect(ShellWord.quoted("it's $HOME") == "'it'\\''s $HOME'")
    }
}
