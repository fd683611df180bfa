import Foundation
import Glibc
import PotluckCore
import Synchronization
import Testing

@testable import PotluckCommand

/// Another user of the machine can neither learn anything from our nodes nor tell them anything.
@Suite(.enabled(if: geteuid() == 0, "only root can be another user"))
struct StrangerTests {
    /// The number of the user `nobody` on every Linux.
    private static let stranger: uid_t = 65_534

    private let home = "/tmp/potluck-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    private let session: SessionID

    init() throws {
        session = try #require(SessionID("Monty"))
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        chmod(home, 0o755)
    }

    private func folder(_ name: String, of owner: uid_t, mode: mode_t = 0o700) throws -> StateDirectory {
        let path = "\(home)/\(name)"
        mkdir(path, 0o700)
        chmod(path, mode)
        chown(path, owner, owner)
        return StateDirectory(path: path, isEphemeral: false, others: [])
    }

    /// Runs a script as the stranger. It is in Perl, which every Debian has.
    private func start(_ script: String, _ path: String, _ output: Pipe) throws -> Child {
        let become = "use Socket; $) = '65534 65534'; $( = $< = $> = 65534; $| = 1;"
        let open = "socket(S, AF_UNIX, SOCK_STREAM, 0); my $at = pack_sockaddr_un($ARGV[0]);"
        let child = try Child(
            ["-e", become + open + script, path], program: "/usr/bin/perl", stdout: .descriptor(output.writer))
        output.closeWriter()
        return child
    }

    /// Starts a stranger's program that listens at the path and prints everything that it hears.
    private func listener(_ path: String) throws -> (child: Child, heard: Reader) {
        let output = Pipe()
        let child = try start(
            "bind(S, $at) or die; listen(S, 8); print qq(ready\\n); while (accept(C, S)) { "
                + "local $/; my $said = <C>; print qq(heard $said) if length $said; print C qq(done\\nthanks); close C }",
            path, output)
        output.reader.read { $0.contains("ready") }
        return (child, output.reader)
    }

    private func end(_ child: Child, _ heard: Reader) {
        child.send(SIGTERM)
        _ = child.wait()
        #expect(heard.read() == "ready\n")
    }

    @Test func aListenerInAStrangersFolderGetsNoMessage() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let theirs = try folder("theirs", of: Self.stranger)
        let own = try folder("own", of: geteuid())
        let (child, heard) = try listener(theirs.control(session, "1"))
        let directory = StateDirectory(path: own.path, isEphemeral: false, others: [theirs.path])
        #expect(try directory.attempt(.say("secret", to: nil), of: session) == nil)
        #expect(try directory.call(LocalRequest(.watch), of: session) == nil)
        // A link of theirs to our folder, or of ours to theirs, is not followed either.
        symlink(theirs.path, "\(home)/link")
        let linked = StateDirectory(path: own.path, isEphemeral: false, others: ["\(home)/link"])
        #expect(try linked.attempt(.say("secret", to: nil), of: session) == nil)
        end(child, heard)
    }

    /// In a folder where everybody can create files, no socket is looked for.
    @Test func aFolderThatEverybodyCanWriteIntoIsNotLookedInto() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let open = try folder("open", of: geteuid(), mode: 0o777)
        let own = try folder("own", of: geteuid())
        let (child, heard) = try listener(open.control(session, "1"))
        let directory = StateDirectory(path: own.path, isEphemeral: false, others: [open.path])
        #expect(try directory.attempt(.say("secret", to: nil), of: session) == nil)
        end(child, heard)
    }

    @Test func aStrangerListeningInOurFolderGetsNoMessage() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let directory = try folder("own", of: geteuid(), mode: 0o777)
        let (child, heard) = try listener(directory.control(session, "1"))
        chmod(directory.path, 0o755)
        let why = #expect(throws: Failure.self) { try directory.attempt(.say("secret", to: nil), of: session) }
        #expect(why?.message.contains("another user") == true)
        end(child, heard)
    }

    private final class Asked: Sendable {
        let count = Mutex(0)
    }

    @Test func aStrangersRequestIsNotAnswered() throws {
        defer { try? FileManager.default.removeItem(atPath: home) }
        let directory = try folder("own", of: geteuid(), mode: 0o755)
        let asked = Asked()
        let door = try ControlDoor(directory, session) { _, _ in
            asked.count.withLock { $0 += 1 }
            return .done("secret")
        }
        defer { door.close() }
        let path = try #require(directory.controls(session).first)
        chmod(path, 0o666)
        let output = Pipe()
        let child = try start(
            "connect(S, $at) or die; send(S, qq(\\1\\0\\0\\0g), MSG_NOSIGNAL); shutdown(S, 1); local $/; "
                + "print qq(answer ), scalar <S>;", path, output)
        #expect(output.reader.read() == "answer ")
        _ = child.wait()
        #expect(asked.count.withLock { $0 } == 0)
    }
}
