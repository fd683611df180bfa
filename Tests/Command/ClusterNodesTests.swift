import Foundation
import Glibc
import PotluckCore
import Testing

@testable import Potluck
@testable import PotluckCommand

/// Nodes that a batch system starts: their cores, and the files by which they find the server and its words.
@Suite(.serialized) struct ClusterNodesTests {
    private let room = Laptops()
    private let folder = NSTemporaryDirectory() + "cluster-\(UUID().uuidString)"

    private func within(_ body: () throws -> Void) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    private func write(_ text: String, _ name: String, mode: mode_t) throws -> String {
        let path = "\(folder)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        chmod(path, mode)
        return path
    }

    @Test(arguments: ["SLURM_CPUS_PER_TASK", "PBS_NCPUS", "LSB_DJOB_NUMPROC"])
    func noMoreCoresComputeThanWereGranted(variable: String) throws {
        let line = "run pi --trials 1000 --seed 1 --ephemeral --json"
        let outcome = try EndToEndTests().run(line, environment: [variable: "1"])
        #expect(try object(outcome.stdout)["cores"] as? Int == 1)
        let more = try EndToEndTests().run(line + " --cores 999", environment: [variable: "1"])
        #expect(more.code == 0)
        // A machine with one core has no more to grant.
        let what = Machine.granted.count > 1 ? "\(variable) grants 1 core" : "1 core"
        #expect(more.stderr.contains("\(what), so --cores 999"), "\(more.stderr)")
    }

    @Test func aServerWritesItsCodeAndItsAddressForOthers() throws {
        try within {
            let (code, address) = ("\(folder)/code", "\(folder)/address")
            let (joining, complaints, serving, again, elsewhere) = (Pipe(), Pipe(), Pipe(), Pipe(), Pipe())
            // The worker is there first, and neither of the files is.
            let ana = try room.start(
                ["join", "Monty", "--name", "ana", "--no-beacon", "--code-file", code, "--connect-file", address],
                "ana",
                code: "", joining, stderr: complaints)
            complaints.reader.read { $0 == "potluck: waiting for \(address), which the server writes\n" }
            // Nobody else must take the port while the server is gone, because ana only knows this one. The ports that
            // the system chooses are higher.
            let port = 10_000 + Int(getpid()) % 9_000
            var words = [
                "serve", "Monty", "--name", "lab", "--no-beacon", "--code-file", code, "--address-file", address,
                "--port", "\(port)",
            ]
            var server = try room.start(words, "lab", code: "", serving)
            serving.reader.read { $0.contains("ana connected") }
            joining.reader.read { $0.contains("lab connected") }
            let said = try String(contentsOfFile: address, encoding: .utf8)
            #expect(AddressFile.addresses(said)?.first?.host == "127.0.0.1", "\(said)")
            var status = stat()
            #expect(stat(code, &status) == 0 && status.st_mode & 0o7777 == 0o600)
            let kept = try String(contentsOfFile: code, encoding: .utf8)
            #expect(try JoinCode(typed: kept).spelled + "\n" == kept)
            end(server)
            #expect(!FileManager.default.fileExists(atPath: address))
            server = try room.start(words, "lab", code: "", again)
            again.reader.read { $0.contains("ana connected") }
            #expect(try String(contentsOfFile: code, encoding: .utf8) == kept)
            end(server)
            // On another port, ana finds the server only by what it writes to the file.
            words[words.count - 1] = "\(port + 1)"
            server = try room.start(words, "lab", code: "", elsewhere)
            elsewhere.reader.read { $0.contains("ana connected") }
            end(server, ana)
            #expect(!(serving.reader.text + joining.reader.text).contains(kept.trimmed))
        }
    }

    @Test func aCodeThatOthersCanReadIsRefused() throws {
        try within {
            let words = room.code
            for mode in [0o644, 0o640, 0o604, 0o660, 0o700, 0o4600] as [mode_t] {
                let path = try write(words, "code", mode: mode)
                let outcome = try room.run("watch Monty --code-file \(path)", "eve", code: "")
                #expect(outcome.code == 1)
                #expect(
                    outcome.stderr
                        == "potluck: --code-file: \(path) must be readable by you alone; run 'chmod 600 \(path)'\n")
            }
            for (path, complaint) in [
                (folder, "is not a regular file; write the five words into one"),
                ("/dev/null", "is not a regular file"),
                ("\(folder)/none", "cannot read \(folder)/none: No such file or directory"),
                (try write(String(repeating: "x", count: 300), "long", mode: 0o600), "is too long for five words"),
            ] {
                let outcome = try room.run("join Monty --code-file \(path)", "eve", code: "")
                #expect(outcome.code == 1 && outcome.stderr.contains(complaint), "\(outcome.stderr)")
                #expect(outcome.stderr.filter { $0 == "\n" }.count == 1)
            }
            let wrong = try write("maple river candle ocean tigger\n", "code", mode: 0o400)
            for command in ["join Monty", "peer Monty", "serve Monty", "watch Monty", "run pi --session Monty"] {
                let outcome = try room.run("\(command) --code-file \(wrong)", "eve", code: "")
                #expect(outcome.code == 2, "\(outcome.stderr)")
                // The words are a secret, also in a log.
                #expect(outcome.stderr.contains("--code-file: word 5 of the join code is unknown"))
                #expect(!outcome.stderr.contains("tig"))
                let both = try room.run("\(command) --code-file \(wrong) --open", "eve", code: "")
                #expect(both.code == 2)
                #expect(both.stderr.contains("--code-file and --open cannot be used together"))
            }
        }
    }

    @Test func aCodeOfAnotherUserIsRefused() {
        var status = stat()
        status.st_mode = S_IFREG | 0o600
        status.st_uid = 7
        #expect(CodeFile.refusal(status, user: 7, "x") == nil)
        #expect(CodeFile.refusal(status, user: 8, "x")?.contains("belongs to another user") == true)
    }

    /// systemd gives root's files to a service by an access list.
    @Test func aCredentialOfAServiceIsItsOwn() {
        let folder = "/run/credentials/potluck@Monty.service"
        #expect(CodeFile.isCredential(folder + "/code", in: folder))
        for path in [folder + "/../code", folder + "2/code", "code"] {
            #expect(!CodeFile.isCredential(path, in: folder), "\(path)")
        }
        #expect(!CodeFile.isCredential("/code", in: nil))
    }

    @Test func aFileOfAnotherKindIsNoPlaceForAddresses() throws {
        try within {
            let path = try write("my thesis\n", "thesis", mode: 0o600)
            let serve = try room.run("serve Monty --address-file \(path)", "lab")
            #expect(serve.code == 1 && serve.stderr.contains("exists and holds no addresses"), "\(serve.stderr)")
            let join = try room.run("join Monty --connect-file \(path)", "lab")
            #expect(join.code == 1 && join.stderr.contains("each line must be one like 10.0.0.1:7077"))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "my thesis\n")
        }
    }

    @Test func addressesAreReadWholeOrNotAtAll() throws {
        let text = "10.0.0.1:7077\n[2001:db8::1]:7077\nnode-7.cluster:40000\n"
        let addresses = try #require(AddressFile.addresses(text))
        #expect(addresses.map(\.host) == ["10.0.0.1", "2001:db8::1", "node-7.cluster"])
        #expect(addresses.map(\.port) == [7077, 7077, 40_000])
        for length in 0..<text.utf8.count {
            // What ends with a line has fewer addresses, and anything else none.
            let part = String(text.prefix(length))
            #expect(AddressFile.addresses(part)?.count == (part.last == "\n" ? part.filter { $0 == "\n" }.count : nil))
        }
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let octets = generator.octets(Int(generator.next(below: 60))).map { $0 % 5 == 0 ? 10 : $0 % 96 + 32 }
            let text = String(decoding: octets, as: UTF8.self)
            if let found = AddressFile.addresses(text) { #expect(found.count == text.filter { $0 == "\n" }.count) }
        }
    }
}
