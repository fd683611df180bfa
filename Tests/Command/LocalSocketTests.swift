import Foundation
import Glibc
import PotluckModel
import Testing

@testable import PotluckCommand

/// How commands reach the nodes of their own machine.
@Suite struct LocalSocketTests {
    private let directory = StateDirectory(
        path: "/tmp/potluck-test-\(getpid())-\(UInt32.random(in: 0 ... .max))", isEphemeral: false, others: [])

    private func door(of session: SessionID) throws -> (path: String, socket: LocalSocket) {
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        let path = directory.file(session, "1.control")
        return (path, try LocalSocket.listening(at: path))
    }

    /// A node that is stopped or busy is not treated as gone.
    @Test func theDoorOfWhoIsBusyStays() throws {
        let session = try #require(SessionID("Monty"))
        let (path, socket) = try door(of: session)
        defer { try? FileManager.default.removeItem(atPath: directory.path) }
        // As many connections as the socket's queue holds.
        let waiting = try (0..<9).map { _ in try #require(try LocalSocket.connected(to: path)) }
        guard case .refused(let why) = try directory.attempt(.watch, of: session) else {
            Issue.record("somebody answered, or nobody was there")
            return
        }
        #expect(why.contains("its node may be suspended"))
        #expect(access(path, F_OK) == 0)
        for socket in waiting + [socket] { socket.end() }
        // When the node is gone, its socket is removed.
        #expect(try directory.attempt(.watch, of: session) == nil)
        #expect(access(path, F_OK) != 0)
    }

    /// A viewer does not wait forever for a node that is stopped.
    @Test func whoLooksOnIsToldOfASilentNode() throws {
        let session = try #require(SessionID("Monty"))
        let (_, socket) = try door(of: session)
        defer { try? FileManager.default.removeItem(atPath: directory.path) }
        let said = #expect(throws: Failure.self) { try WatchClient.open(.watch, session, directory) }
        #expect(said?.message == "the node of Monty on this machine does not answer; it may be suspended")
        socket.end()
    }

    /// Processes that the program starts do not inherit these sockets.
    @Test func childrenDoNotInheritWhoAsks() throws {
        let (path, socket) = try door(of: try #require(SessionID("Monty")))
        defer { try? FileManager.default.removeItem(atPath: directory.path) }
        let guest = try #require(try LocalSocket.connected(to: path))
        let accepted = try #require(socket.accepted())
        for socket in [socket, guest, accepted] {
            #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
            socket.end()
        }
    }
}
