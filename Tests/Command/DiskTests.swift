import Foundation
import Glibc
import Testing

/// A small disk for one test, which can be full or read-only: a tmpfs in a namespace of its own.
private final class SmallDisk {
    let path = "/tmp/potluck-disk-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    private let holder: Child

    static let isPossible: Bool = {
        let words = ["-rm", "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
        guard access(nsenter, X_OK) == 0, let child = try? Child(words, program: "/usr/bin/unshare") else {
            return false
        }
        return child.wait() == 0
    }()

    private static let nsenter = "/usr/bin/nsenter"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let output = Pipe()
        let script = #"mount -t tmpfs -o size=2m,mode=700 tmpfs "$0" && echo ready && exec sleep 3600"#
        holder = try Child(
            ["-rm", "sh", "-c", script, path], program: "/usr/bin/unshare", stdout: .descriptor(output.writer))
        output.closeWriter()
        output.reader.read { $0.contains("ready\n") }
    }

    deinit { rmdir(path) }

    /// Starts a program that sees the disk.
    func start(
        _ program: String, _ words: [String], _ environment: [String: String] = [:], stdout: Pipe? = nil,
        stderr: Pipe? = nil
    ) throws -> Child {
        let child = try Child(
            ["-t", "\(holder.id)", "-U", "-m", "--preserve-credentials", "--", program] + words, program: Self.nsenter,
            environment: environment, stdout: stdout.map { .descriptor($0.writer) } ?? .nothing,
            stderr: stderr.map { .descriptor($0.writer) } ?? .nothing)
        stdout?.closeWriter()
        stderr?.closeWriter()
        return child
    }

    func fill() throws { #expect(try start("/bin/sh", ["-c", "cat /dev/zero > \(path)/filler"]).wait() != 0) }
    func empty() throws { #expect(try start("/bin/rm", ["\(path)/filler"]).wait() == 0) }
    func mount(_ option: String) throws {
        #expect(try start("/usr/bin/mount", ["-o", "remount,\(option)", path]).wait() == 0)
    }
}

/// Tests of disks that are full, read-only, locked or not writable for the user.
@Suite(
    .serialized, .enabled(if: SmallDisk.isPossible, "this machine allows no user namespaces for a small disk"))
struct DiskTests {
    private let room = Laptops()
    private let disk: SmallDisk

    init() throws { disk = try SmallDisk() }

    private var state: String { disk.path + "/state" }

    private struct Running {
        let child: Child
        let (stdout, stderr): (Reader, Reader)
    }

    private func start(_ line: String) throws -> Running {
        let (stdout, stderr) = (Pipe(), Pipe())
        let child = try disk.start(
            Child.program, line.split(separator: " ").map(String.init) + ["--state", state], room.environment("lab"),
            stdout: stdout, stderr: stderr)
        return Running(child: child, stdout: stdout.reader, stderr: stderr.reader)
    }

    private func run(_ line: String) throws -> EndToEndTests.Outcome {
        let running = try start(line)
        let (out, err) = (running.stdout.read(), running.stderr.read())
        return EndToEndTests.Outcome(code: running.child.wait(), stdout: out, stderr: err)
    }

    private func serve() throws -> Running {
        try start("serve Monty --name lab --cores 1 --json --run monty-hall --trials 1e17 --seed 5")
    }

    /// Cancels the job of a server, and checks that the result is the one that a single machine gives for the same
    /// trials.
    private func isExact(_ server: Running) throws {
        server.stdout.read { $0.contains(/"trials":[1-9]/) }
        #expect(try run("cancel Monty").code == 0)
        server.stdout.read { $0.contains("\"event\":\"result\"") && $0.hasSuffix("\n") }
        let line = try #require(server.stdout.text.split(separator: "\n").last { $0.contains("\"event\":\"result\"") })
        let result = try #require(try object(line)["result"] as? [String: Any])
        let trials = try #require(result["trials"] as? Int)
        let alone = try room.run("run monty-hall --trials \(trials) --seed 5 --json --ephemeral", "eve").stdout
        #expect(try object(alone)["digest"] as? String == result["digest"] as? String)
    }

    /// The job rests, says why, and continues as soon as there is space.
    @Test func aFullDiskIsWaitedFor() throws {
        let server = try serve()
        server.stdout.read { $0.contains("\"running\"") }
        try disk.fill()
        server.stdout.read { $0.contains("\"journalStuck\"") }
        #expect(
            server.stdout.text.contains("the disk is full; free some space, or use another folder with --state DIR"))
        #expect(!server.stdout.text.contains("\"event\":\"result\""))
        try disk.empty()
        server.stdout.read { $0.contains("\"journalWell\"") }
        try isExact(server)
        end(server.child)
    }

    /// A server that is killed while its disk is full resumes its job from the last state that it could write.
    @Test func aServerKilledWithAFullDiskResumesItsJob() throws {
        var server = try serve()
        server.stdout.read { $0.components(separatedBy: "\"running\"").count > 3 }
        try disk.fill()
        server.stdout.read { $0.contains("\"journalStuck\"") }
        server.child.send(SIGKILL)
        #expect(server.child.wait() == -SIGKILL)
        try disk.empty()
        server = try serve()
        server.stdout.read { $0.contains("\"goesOn\"") }
        try isExact(server)
        end(server.child)
    }

    /// If the disk cannot be written, a run still prints its result and `serve` exits. Either prints one line.
    @Test(arguments: [true, false]) func aDiskThatTakesNothingIsOneLine(isFull: Bool) throws {
        #expect(try run("run pi --trials 1000 --seed 1 --json").stderr.isEmpty)
        if isFull { try disk.fill() } else { try disk.mount("ro") }
        let why = isFull ? "the disk is full; free some space" : "it is read-only"
        let ran = try run("run pi --trials 1000 --seed 1 --json")
        #expect(ran.code == 0 && !ran.stdout.isEmpty)
        #expect(ran.stderr.hasPrefix("potluck: cannot record this run: ") && ran.stderr.contains(why))
        // Runs that were recorded before can still be read.
        #expect(try run("history --count").stdout == "1\n")
        let served = try run("serve Monty --json")
        #expect(served.code == 1 && served.stdout.isEmpty)
        #expect(served.stderr.contains(isFull ? why : "Read-only file system"))
        for outcome in [ran, served] {
            #expect(outcome.stderr.contains("--state DIR") && outcome.stderr.filter { $0 == "\n" }.count == 1)
        }
        // A long run continues to compute. It reports that it cannot be resumed only when it is stopped.
        let long = try start("run pi --seed 1 --cores 1 --json")
        long.stderr.read { $0.contains("\n") }
        long.child.send(SIGINT)
        #expect(!long.stdout.read().isEmpty && long.child.wait() == 130)
        #expect(long.stderr.read().contains("potluck: this run cannot be resumed: ") && long.stderr.text.contains(why))
    }

    /// A second server with the same store reports that the first one is running. A folder without permission is
    /// reported, too.
    @Test func aStoreInUseIsOneLine() throws {
        let server = try serve()
        server.stdout.read { $0.contains("\"running\"") }
        let second = try run("serve Monty --json")
        #expect(second.code == 1)
        #expect(
            second.stderr
                == "potluck: Monty is already served on this machine; stop that server, or choose another name\n")
        server.child.send(SIGKILL)
        #expect(server.child.wait() == -SIGKILL)
        // Without its capabilities even root needs the permission.
        #expect(try disk.start("/bin/chmod", ["0500", state]).wait() == 0)
        let (stdout, stderr) = (Pipe(), Pipe())
        let refused = try disk.start(
            "/usr/bin/setpriv",
            ["--bounding-set=-all", Child.program, "serve", "Other", "--json", "--state", state],
            room.environment("lab"), stdout: stdout, stderr: stderr)
        let said = stderr.reader.read()
        #expect(refused.wait() == 1 && stdout.reader.read().isEmpty)
        #expect(said.contains("Permission denied") && said.filter { $0 == "\n" }.count == 1)
    }
}
