import Foundation
import Glibc
import PotluckCore
import Testing

@testable import PotluckCommand

/// A session shows whether it has a code. An open session of the same name cannot take the place of one with a code.
@Suite(.serialized) struct OpenSessionTests {
    private let room = Laptops()

    @Test func anOpenSessionIsJoinedWithoutAQuestionAndSaysSo() throws {
        let (serving, joining) = (Pipe(), Pipe())
        let server = try room.start(["serve", "Monty", "--open", "--name", "lab"], "lab", code: "", serving)
        serving.reader.read { $0.contains("Waiting for others") }
        #expect(serving.reader.text.contains("OPEN: no join code."))
        let ana = try room.start(["join", "Monty", "--name", "ana"], "ana", code: "", joining)
        joining.reader.read { $0.contains("lab connected") }
        #expect(joining.reader.text.contains("OPEN: no join code."))
        end(ana, server)
    }

    /// An open session may use the name of a session with a code.
    @Test func nextToASessionWithACodeAnOpenOneIsNotJoinedUnasked() throws {
        let (serving, luring, joining, asking) = (Pipe(), Pipe(), Pipe(), Pipe())
        let server = try room.start(["serve", "Monty", "--name", "lab", "--json"], "lab", serving)
        let lure = try room.start(
            ["serve", "Monty", "--open", "--name", "eve", "--json"], "eve", code: "", luring)
        serving.reader.read { $0.contains("\"started\"") }
        luring.reader.read { $0.contains("\"started\"") }
        // Without a code and a terminal to ask on, `join` fails.
        let unsure = try room.run("join Monty --name ana", "ana", code: "")
        #expect(unsure.code == 1)
        #expect(unsure.stderr.contains("there is also an open session called 'Monty'"))
        #expect(unsure.stderr.contains("missing join code for Monty"))
        // With the code, it joins the session that has it.
        let ana = try room.start(["join", "Monty", "--name", "ana"], "ana", joining)
        joining.reader.read { $0.contains(" connected") }
        #expect(joining.reader.text.contains("lab connected") && !joining.reader.text.contains("OPEN"))
        end(server)
        joining.reader.read { $0.contains("The server of Monty is gone") }
        end(ana)
        // If only the open session is left, it waits and says why.
        let bea = try room.start(["join", "Monty", "--name", "bea"], "bea", asking)
        asking.reader.read { $0.contains("eve has an open session called Monty") }
        end(bea)
        #expect(!asking.reader.read().contains(" connected"))
        end(lure)
        #expect(!luring.reader.read().contains("\"connected\""))
    }

    @Test func anOpenGuestOfASessionWithACodeIsToldSo() throws {
        let serving = Pipe()
        let server = try room.start(["serve", "Monty", "--json"], "lab", serving)
        serving.reader.read { $0.contains("\"started\"") }
        let joining = Pipe()
        let ana = try room.start(["join", "Monty", "--open"], "ana", code: "", joining)
        joining.reader.read { $0.contains("needs a join code; still looking") }
        end(server, ana)
    }

    private func entry(_ mode: Mode, isOpen: Bool) throws -> NodeEntry {
        let session = try #require(SessionID("Monty"))
        return NodeEntry(
            announcement: Announcement(
                node: NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16)), mode: mode, sessionHash: session.hash,
                session: session, name: "ana",
                port: 7077, isOpen: isOpen),
            standing: .present, trust: .unverified, sources: [.beacon], host: nil, sameMachine: false, endpoints: [],
            since: .start)
    }

    @Test func oneWordOfACodeIsEnough() throws {
        var around = SessionsAround()
        #expect(!around.isOpen)
        // Guests of either kind say nothing about the session, because they do not serve it.
        around.add(try entry(.client, isOpen: false))
        around.add(try entry(.client, isOpen: true))
        #expect(!around.isOpen && !around.hasCoded)
        around.add(try entry(.server, isOpen: true))
        #expect(around.isOpen)
        around.add(try entry(.peer, isOpen: false))
        #expect(!around.isOpen && around.hasOpen)
        around.add(try entry(.server, isOpen: true))
        #expect(!around.isOpen)
    }
}
