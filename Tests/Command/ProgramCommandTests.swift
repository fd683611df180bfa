import Foundation
import Potluck
import PotluckDoubles
import PotluckNet
import PotluckSystem
import Testing

@testable import PotluckCommand
@testable import PotluckCore

/// A program with ranks on a laptop of a session, as all others see it.
@Suite(.serialized, .timeLimit(.minutes(60))) struct ProgramCommandTests {
    private let room = Laptops()

    /// Those that see the program: a server, two guests, one of them with a screen, viewers of the server, and a page.
    private struct Audience {
        let server: Child
        let others: [Child]
        /// JSON of the server and of a viewer.
        let json: [Reader]
        /// Lines of a guest and of a viewer.
        let lines: [Reader]
        let screen: Reader
        private let page: (port: UInt16, ticket: PageTicket)

        init(_ room: Laptops) throws {
            func start(_ line: String, _ laptop: String) throws -> (child: Child, reader: Reader) {
                let pipe = Pipe()
                return (try room.start(line.split(separator: " ").map(String.init), laptop, pipe), pipe.reader)
            }
            let words = "serve Monty --name lab --open --guests submit --no-compute --web --json"
            let serving = try start(words, "lab")
            let started = serving.reader.read { $0.contains("\n") }
            let address = try #require(try object(started.split(separator: "\n")[0])["page"] as? String)
            let parts = address.split(separator: "#")
            let port = try #require(parts.first?.split(separator: ":").last.flatMap { UInt16($0.dropLast()) })
            page = (port, try #require(parts.last.flatMap { PageTicket(text: String($0)) }))
            let bob = try start("join Monty --open --no-compute --name bob", "bob")
            let terminal = try PseudoTerminal(columns: 80)
            let eva = try room.start(["join", "Monty", "--open", "--no-compute", "--name", "eva"], "eva", terminal)
            let (watch, tell) = (try start("watch Monty", "lab"), try start("watch Monty --json", "lab"))
            server = serving.child
            others = [watch.child, tell.child, bob.child, eva]
            (json, lines, screen) = ([serving.reader, tell.reader], [bob.reader, watch.reader], terminal.reader)
        }

        func isThere() {
            lines[0].read { $0.contains("lab connected") }
            screen.read { $0.contains("lab connected") }
            lines[1].read { $0 == "Watching Monty\n" }
        }

        func seesItRun() throws {
            for reader in lines { reader.read { $0.contains("vera runs heat on 3 ranks\n") } }
            screen.read {
                $0.contains("heat by vera: 3 ranks on 1 laptop, 0 messages, 0 B")
                    && $0.contains(" waits for rank 0, ")
            }
            for reader in json {
                reader.read { waiting($0) != nil }
                try check(try object(try #require(waiting(reader.text))))
            }
            try page { program in
                let wait = program["laptops"]?.asArray?.first?["wait"]?.asString
                return wait?.contains(" waits for rank 0, ") == true
            }
        }

        /// The first line in which both other ranks wait for rank 0. They do not begin at the same time.
        private func waiting(_ text: String) -> Substring? {
            text[..<(text.lastIndex(of: "\n") ?? text.startIndex)].split(separator: "\n").first {
                $0.hasPrefix(#"{"event":"program""#)
                    && $0.components(separatedBy: "waits for a message of rank 0").count == 3
            }
        }

        private func check(_ program: [String: Any]) throws {
            #expect(program["name"] as? String == "heat" && program["launcher"] as? String == "vera")
            #expect(program["state"] as? String == "running" && program["why"] == nil)
            #expect((program["launch"] as? String)?.count == 16)
            let ranks = try #require(program["ranks"] as? [[String: Any]])
            #expect(ranks.map { $0["state"] as? String } == ["computing", "waiting", "waiting"])
            #expect(ranks.allSatisfy { $0["laptop"] as? String == "ana" })
        }

        func seesItsEnd() throws {
            for reader in lines {
                reader.read {
                    $0.contains("heat has ended after ") && $0.contains(": 3 ranks on 1 laptop, 2 messages, ")
                }
            }
            screen.read { $0.contains("heat by vera has ended after ") }
            for reader in json { reader.read { $0.contains(#""state":"ended""#) } }
            try page { $0["state"]?.asString == "ended" }
        }

        func seesItFail() {
            let why = "rank 0 aborted the program with code 3"
            for reader in lines { reader.read { $0.contains("heat failed: \(why)") } }
            for reader in json { reader.read { $0.contains(#""state":"failed","why":"\#(why)"#) } }
        }

        /// Opens the page, and reads until it shows such a program.
        private func page(_ isWanted: (JSON) -> Bool) throws {
            let socket = PageSocket(to: page.port, page.ticket)
            try #require(try socket.join("mia") == nil)
            while true {
                let message = try #require(try socket.message("programs"))
                if message["programs"]?.asArray?.first.map(isWanted) == true { return }
            }
        }
    }

    /// Runs on a thread of its own, because the sessions of this process need the threads of the tests.
    private func aside(_ body: @escaping () throws -> Void) async throws {
        nonisolated(unsafe) let body = body
        try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread { waiting.resume(with: Result { try body() }) }
        }
    }

    @Test func everybodySeesAProgramWhileItRuns() async throws {
        let audience = try Audience(room)
        let stage = try await Stage(room.discovery)
        try await aside { audience.isThere() }
        let running = stage.launch(3)
        try await aside { try audience.seesItRun() }

        // Who begins to watch now sees it, too.
        let late = Pipe()
        let latecomer = try room.start(["watch", "Monty"], "lab", late)
        try await aside { late.reader.read { $0.contains("vera runs heat on 3 ranks\n") } }

        stage.gate.signal()
        await running.value
        try await aside {
            try audience.seesItsEnd()
            late.reader.read { $0.contains("heat has ended after ") }
        }
        await stage.launch(1).value
        try await aside { audience.seesItFail() }
        await stage.close()
        end(latecomer)
        for child in audience.others { end(child) }
        end(audience.server)
    }
}
