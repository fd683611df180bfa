import Foundation
import Glibc
import PotluckCore
import Testing

@testable import PotluckCommand

/// Jobs that wait in a session, as users see them.
@Suite(.serialized, .timeLimit(.minutes(60))) struct QueueCommandTests {
    private let room = Laptops()

    /// A server with a job that runs until it is cancelled.
    private func server() throws -> (child: Child, first: Child) {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        let first = try room.start(["run", "pi", "--session", "Monty"], "lab", Pipe())
        server.reader.read { $0.contains("\"state\":\"running\"") }
        return (server.child, first)
    }

    private func start(_ line: String) throws -> (child: Child, stdout: Reader, stderr: Reader) {
        let (stdout, stderr) = (Pipe(), Pipe())
        let child = try room.start(line.split(separator: " ").map(String.init), "lab", stdout, stderr: stderr)
        return (child, stdout.reader, stderr.reader)
    }

    /// A sweep and `scale` behind another job say so, and continue when that is paused.
    @Test(arguments: [
        "run monty-hall --trials 10000 -p doors=3..12 --session Monty --ephemeral",
        "scale monty-hall --trials 10000 --repeat 1 --session Monty --nodes lab",
    ])
    func aCommandOfManyJobsNamesTheJobAhead(line: String) throws {
        let (server, first) = try server()
        let (child, _, stderr) = try start(line)
        stderr.read { $0.contains("queued behind pi (job ") }
        #expect(try room.run("pause Monty pi", "lab").code == 0)
        #expect(child.wait() == 0)
        #expect(try room.run("cancel Monty pi", "lab").code == 0)
        #expect(first.wait() == 0)
        end(server)
    }

    /// A job that waits is paused, resumed and cancelled, and its JSON says what it waits for.
    @Test func aWaitingJobTakesCommands() throws {
        let (server, first) = try server()
        let (child, stdout, _) = try start("run monty-hall --trials 1e12 --session Monty --json --progress-json")
        stdout.read { $0.contains("\"waitsFor\":\"queued behind pi (job ") }
        #expect(try room.run("pause Monty monty-hall", "lab").code == 0)
        stdout.read { $0.contains("\"state\":\"paused\",\"waitsFor\":null") }
        #expect(try room.run("resume Monty monty-hall", "lab").code == 0)
        #expect(try room.run("cancel Monty monty-hall", "lab").code == 0)
        #expect(child.wait() == 0)
        #expect(try room.run("cancel Monty pi", "lab").code == 0)
        #expect(first.wait() == 0)
        end(server)
    }

    /// A more urgent job does not wait for the one before, and one that waits begins when it becomes more urgent.
    @Test func aMoreUrgentJobBeginsAtOnce() throws {
        let (server, first) = try server()
        let (urgent, stdout, _) = try start(
            "run monty-hall --trials 1e6 --session Monty --priority interactive --json --progress-json")
        stdout.read { $0.contains("\"priority\":\"interactive\"") }
        #expect(urgent.wait() == 0)
        let (patient, waiting, _) = try start("run monty-hall --trials 1e6 --session Monty --json --progress-json")
        waiting.read { $0.contains("\"waitsFor\":\"queued behind pi (job ") }
        let answer = try room.run("priority Monty background pi", "lab")
        #expect(answer.code == 0 && answer.stdout.hasSuffix("has background priority\n"), "\(answer)")
        #expect(patient.wait() == 0)
        let wrong = try room.run("priority Monty high pi", "lab")
        #expect(wrong.code == 2 && wrong.stderr.contains("one of interactive, normal, utility, background"), "\(wrong)")
        #expect(try room.run("cancel Monty pi", "lab").code == 0)
        #expect(first.wait() == 0)
        end(server)
    }

    /// A command that has ordered a job and is gone before the answer leaves nothing behind at the other end.
    @Test func aSocketThatWasClosedIsSeen() throws {
        let path = "/tmp/potluck-queue-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        let listening = try LocalSocket.listening(at: path)
        defer {
            listening.end()
            unlink(path)
        }
        let client = try #require(try LocalSocket.connected(to: path))
        let guest = try #require(listening.accepted())
        defer { guest.end() }
        #expect(!guest.isAbandoned)
        // It has said everything, and waits for the answer.
        client.finish([LocalMessage.watch.frame])
        #expect(!guest.isAbandoned)
        client.end()
        #expect(guest.isAbandoned)
    }
}
