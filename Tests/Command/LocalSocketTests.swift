import Foundation
import Glibc
import PotluckCore
import PotluckSystem
import Testing

@testable import Potluck
@testable import PotluckCommand

/// How commands reach the nodes of their own machine.
@Suite final class LocalSocketTests {
    /// Commands wait only for a moment here, because no node that is silent in these tests ever answers.
    private let directory = StateDirectory(
        path: "/tmp/potluck-test-\(getpid())-\(UInt32.random(in: 0 ... .max))", isEphemeral: false, others: [],
        patience: .milliseconds(50))
    private let session: SessionID

    init() throws {
        session = try #require(SessionID("Monty"))
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory.path) }

    private var silent: String { "the node of Monty on this machine does not answer; it may be suspended" }

    /// The path of the socket of a node on another machine that shares the folder.
    private var elsewhere: String { directory.file(session, "00000000-0000-0.1.control") }

    private func door() throws -> (path: String, socket: LocalSocket) {
        let path = directory.control(session, "1")
        return (path, try LocalSocket.listening(at: path))
    }

    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private func age(_ path: String, days: Int) {
        let then = timespec(tv_sec: time(nil) - days * 86_400, tv_nsec: 0)
        let both = [then, then]
        #expect(utimensat(AT_FDCWD, path, both, 0) == 0)
    }

    /// A node that is stopped or busy is not treated as gone.
    @Test func theSocketOfABusyNodeStays() throws {
        let (path, socket) = try door()
        // As many connections as the socket's queue holds.
        let waiting = try (0..<9).map { _ in try #require(try LocalSocket.connected(to: path)) }
        let why = #expect(throws: Failure.self) { try directory.attempt(.watch, of: session) }
        #expect(why?.message.contains("its node may be suspended") == true)
        #expect(exists(path))
        for socket in waiting + [socket] { socket.end() }
        // When the node is gone, its socket is removed.
        #expect(try directory.attempt(.watch, of: session) == nil)
        #expect(!exists(path))
    }

    /// A socket of another machine refuses connections here, although a node listens at it there.
    @Test func theDoorOfAnotherMachineStays() throws {
        let own = directory.control(session, "1")
        for path in [elsewhere, own] { try LocalSocket.listening(at: path).end() }
        #expect(directory.controls(session) == [own] && directory.controls == [own])
        #expect(try directory.attempt(.watch, of: session) == nil)
        #expect(exists(elsewhere) && !exists(own))
        #expect(directory.controls(session).isEmpty && directory.running(session) == nil)
    }

    /// Which sockets a command can reach depends on the file system, and not on the folder in it.
    @Test func foldersOfOneFileSystemHaveOneMark() throws {
        let below = directory.path + "/below"
        try FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: true)
        let mark = StateDirectory.mark(ofFolder: directory.path)
        #expect(StateDirectory.mark(ofFolder: below) == mark)
        #expect(StateDirectory.mark(ofFolder: "/proc") != mark)
    }

    /// Sockets of killed nodes elsewhere do not pile up.
    @Test func aNodeThatStartsRemovesTheOldDoorsOfOtherMachines() throws {
        let (old, new, draft) = (elsewhere, directory.file(session, "0-0.2.control"), elsewhere + ".new")
        let (own, others) = (directory.control(session, "1"), directory.path + "/thermostat.control")
        for path in [old, new, own] { try LocalSocket.listening(at: path).end() }
        try LocalSocket.bound(for: elsewhere).end()
        #expect(FileManager.default.createFile(atPath: others, contents: nil))
        for path in [old, draft, own, others] { age(path, days: 31) }
        age(new, days: 29)
        let door = try ControlDoor(directory, session) { _, _ in nil }
        #expect(!exists(old) && !exists(draft))
        #expect(exists(new) && exists(own) && exists(others))
        door.close()
        // A command finds out by itself that nobody listens at a socket of this machine.
        #expect(try directory.attempt(.watch, of: session) == nil)
        #expect(!exists(own))
    }

    /// Otherwise other machines would remove the socket of a server that runs for a month.
    @Test func aNodeKeepsItsDoorFromGrowingOld() throws {
        let door = try ControlDoor(directory, session, renewing: .zero) { _, _ in nil }
        defer { door.close() }
        let path = try #require(directory.controls(session).first)
        age(path, days: 31)
        // The node renews the file before it takes the second connection. It answers nonsense at once.
        for _ in 0..<2 {
            let guest = try #require(try LocalSocket.connected(to: path))
            guest.finish([Array("nonsense".utf8)])
            #expect(text(from: guest).hasPrefix("refused"))
            guest.end()
        }
        var found = stat()
        #expect(stat(path, &found) == 0)
        #expect(time(nil) - found.st_mtim.tv_sec < 86_400)
    }

    /// Containers that share the folder may have equal process IDs.
    @Test func nodesOfOneProcessIDHaveTheirOwnDoors() throws {
        let doors = try (0..<2).map { _ in try ControlDoor(directory, session) { _, _ in nil } }
        #expect(directory.controls(session).count == 2)
        for door in doors { door.close() }
        #expect(directory.controls(session).isEmpty)
    }

    /// Until a node listens, its socket refuses connections, and a command must not find it.
    @Test func theDoorOfAStartingNodeStays() throws {
        let path = directory.control(session, "1")
        let socket = try LocalSocket.bound(for: path)
        defer { socket.end() }
        #expect(!exists(path))
        #expect(try directory.attempt(.watch, of: session) == nil)
        try socket.startListening(at: path)
        #expect(try names() == [path])
        try #require(try LocalSocket.connected(to: path)).end()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path).map { "\(directory.path)/\($0)" }
    }

    /// A user who was told that the node does not answer does not expect that it obeys later.
    @Test func anAbandonedRequestIsNotCarriedOut() throws {
        let asked = Guarded(0)
        let door = try ControlDoor(directory, session) { _, _ in
            asked.with { $0 += 1 }
            return .done("")
        }
        defer { door.close() }
        // The node waits for the end of this request, and does not look at others meanwhile.
        let path = try #require(directory.controls(session).first)
        let first = try #require(try LocalSocket.connected(to: path))
        let said = #expect(throws: Failure.self) { try directory.attempt(.command(.pause, "1"), of: session) }
        #expect(said?.message == silent && asked.with { $0 } == 0)
        first.end()
        let patient = StateDirectory(
            path: directory.path, isEphemeral: false, others: [], patience: .seconds(600))
        #expect(try patient.attempt(.name, of: session) == "")
        #expect(asked.with { $0 } == 1)
    }

    /// A viewer does not wait forever for a node that is stopped.
    @Test func aViewerOfASilentNodeIsToldSo() throws {
        let (_, socket) = try door()
        defer { socket.end() }
        let said = #expect(throws: Failure.self) { try directory.call(LocalRequest(.watch), of: session) }
        #expect(said?.message == silent)
    }

    /// A request that the socket has no room for does not wait forever either.
    @Test func aSilentNodeDoesNotHoldUpALongRequest() throws {
        let (path, socket) = try door()
        defer { socket.end() }
        let long = String(repeating: "x", count: 1 << 20)
        let said = #expect(throws: Failure.self) { try directory.attempt(.say(long, to: nil), of: session) }
        #expect(said?.message == silent)
        let guest = try #require(try LocalSocket.connected(to: path, patience: .milliseconds(50)))
        defer { guest.end() }
        // The system's default may be more than the text.
        var room: Int32 = 1 << 13
        setsockopt(guest.descriptor, SOL_SOCKET, SO_SNDBUF, &room, socklen_t(MemoryLayout<Int32>.size))
        #expect(!guest.finish([Array(long.utf8)]))
    }

    /// A node may refuse a request before it has read all of it.
    @Test func anAnswerIsHeardThoughTheRequestIsNot() throws {
        let (path, socket) = try door()
        defer { socket.end() }
        let guest = try #require(try LocalSocket.connected(to: path))
        defer { guest.end() }
        let accepted = try #require(socket.accepted())
        accepted.finish([LocalMessage.refused("no").frame])
        accepted.end()
        #expect(guest.finish([[UInt8](repeating: 7, count: 1 << 20)]))
        var frames = LocalFrames()
        frames.add(guest.receive { false })
        #expect(try frames.next() == .refused("no"))
    }

    private func text(from socket: LocalSocket) -> String {
        var octets: [UInt8] = []
        while case let more = socket.receive(while: { false }), !more.isEmpty { octets += more }
        return String(decoding: octets, as: UTF8.self)
    }

    /// Processes that the program starts do not inherit these sockets.
    @Test func childrenInheritNoSockets() throws {
        let (path, socket) = try door()
        let guest = try #require(try LocalSocket.connected(to: path))
        let accepted = try #require(socket.accepted())
        for socket in [socket, guest, accepted] {
            #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
            socket.end()
        }
    }

    /// Stopping and resuming a process interrupts its reading.
    @Test func aCommandThatWasSuspendedHearsTheAnswer() throws {
        let (_, socket) = try door()
        defer { socket.end() }
        let deadline = Patience.end
        // On a busy machine the command may have given up before it is suspended.
        while try !hearsTheAnswer(socket) { try #require(Date.now < deadline) }
    }

    /// Suspends a command that waits for an answer, and then answers. Returns false if the command gave up too early.
    private func hearsTheAnswer(_ socket: LocalSocket) throws -> Bool {
        let output = Pipe()
        let child = try Child(
            ["say", "Monty", "hello"], environment: ["POTLUCK_STATE": directory.path],
            stdout: .descriptor(output.writer))
        output.closeWriter()
        let deadline = Patience.end
        var guest = socket.accepted()
        while guest == nil, Date.now < deadline { guest = socket.accepted() }
        let asking = try #require(guest)
        #expect(LocalRequest(from: asking)?.message == .say("hello", to: nil))
        // All of the request is here. When every thread sleeps, one of them waits for the answer.
        expectStates(of: child) { $0.allSatisfy { $0 == "S" } }
        child.send(SIGSTOP)
        expectStates(of: child) { $0.allSatisfy { $0 == "T" } }
        child.send(SIGCONT)
        expectStates(of: child) { !$0.contains("T") }
        asking.finish([LocalMessage.done("thanks").frame])
        asking.end()
        let said = output.reader.read()
        let code = child.wait()
        guard code == 0 else { return false }
        #expect(said == "thanks\n")
        return true
    }

    /// Waits until the threads of a child are in these states: `S` sleeps, `T` is stopped. Returns if it ends.
    private func expectStates(
        of child: Child, at location: SourceLocation = #_sourceLocation, _ areThere: ([Character]) -> Bool
    ) {
        let deadline = Patience.end
        var found = states(of: child)
        func isFound() -> Bool { found == ["Z"] || !found.isEmpty && areThere(found) }
        while !isFound(), Date.now < deadline { found = states(of: child) }
        let isThere = isFound()
        #expect(isThere, "\(found)", sourceLocation: location)
    }

    private func states(of child: Child) -> [Character] {
        let folder = "/proc/\(child.id)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.compactMap { (thread) -> Character? in
            let line = try? String(contentsOfFile: "\(folder)/\(thread)/stat", encoding: .utf8)
            // The state follows the name, which stands in brackets.
            return line?.split(separator: ")").last?.split(separator: " ").first?.first
        }
    }
}
