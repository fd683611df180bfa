import Foundation
import Glibc
import Potluck
import Testing

@testable import PotluckCommand

/// What a server that starts again keeps, and what it says of what it could not keep.
@Suite(.serialized) struct ReturnedServerTests {
    private let room = Laptops()

    /// Over a crash and over an orderly end of the server, its host approves a guest once.
    @Test func anApprovedGuestReturnsToARestartedServer() throws {
        let output = Pipe()
        let ana = try room.start(["join", "Monty", "--name", "ana", "--json"], "ana", output)
        let question = "ana asks to join: y approves, n declines."
        for how in [SIGKILL, SIGTERM, 0] {
            let terminal = try PseudoTerminal(columns: 100)
            let server = try room.start(["serve", "Monty", "--ask", "--name", "lab"], "lab", terminal)
            if how == SIGKILL {
                terminal.reader.read { $0.contains(question) }
                terminal.type("y")
            }
            terminal.reader.read { $0.contains("ana connected") }
            #expect(terminal.reader.text.contains(question) == (how == SIGKILL))
            guard how != 0 else {
                // A removal ends the approval, also in what the server keeps.
                #expect(try room.run("kick Monty ana", "lab").code == 0)
                #expect(ana.wait() == 1)
                server.send(SIGTERM)
                terminal.reader.read()
                _ = server.wait()
                break
            }
            server.send(how)
            if how == SIGTERM { terminal.reader.read() }
            _ = server.wait()
        }
        let id = try #require(SessionID("Monty"))
        let directory = StateDirectory(path: room.folder("lab"), isEphemeral: false, others: [])
        #expect(directory.served(id)?.approved == [])
    }

    /// A port that another program has taken meanwhile. No discovery tells browsers where the session is now.
    @Test func aServerThatLostItsPortSaysSo() throws {
        func start(_ options: String...) throws -> (child: Child, output: Pipe, complaints: Pipe) {
            let (output, complaints) = (Pipe(), Pipe())
            let words = ["serve", "Monty", "--name", "lab", "--web", "--json"] + options
            let child = try room.start(words, "lab", output, stderr: complaints)
            output.reader.read { $0.contains("\"started\"") }
            return (child, output, complaints)
        }
        func port(_ output: Pipe) throws -> Int {
            let line = try #require(output.reader.text.split(separator: "\n").first)
            return try #require(try object(line)["port"] as? Int)
        }
        // Servers of other tests look for a port from the usual one on, and would take that while this one is away.
        let first = try start("--port", "21077")
        let old = try port(first.output)
        end(first.child)
        // It has the same port as long as nobody else does.
        let second = try start()
        #expect(try port(second.output) == old)
        end(second.child)
        #expect(!second.complaints.reader.read().contains("port"))

        let taken = socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(taken) }
        var yes: Int32 = 1
        setsockopt(taken, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = UInt16(old).bigEndian
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(taken, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
        try #require(isBound == 0 && listen(taken, 1) == 0)
        let third = try start()
        let new = try port(third.output)
        #expect(new != old)
        third.complaints.reader.read { $0.contains("the new port") }
        #expect(
            third.complaints.reader.text.contains(ServeCommand.moved(from: UInt16(old), to: UInt16(new), hasPage: true))
        )
        end(third.child)
    }
}
