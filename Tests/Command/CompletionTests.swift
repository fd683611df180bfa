import Foundation
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckScreen
import Testing

@testable import Potluck
@testable import PotluckCommand

/// What the program offers to a shell, and what a shell makes of it.
@Suite struct CompletionTests {
    private func offer(_ line: String, _ environment: [String: String] = [:]) async -> Offer {
        await Completer(Main.program, environment: environment) { await Lookup($1).offer($0) }.offer("potluck " + line)
    }

    private func words(_ line: String, _ environment: [String: String] = [:]) async -> [String] {
        await offer(line, environment).words.map(\.text)
    }

    /// Asks again until the answer comes: nodes on a busy machine may not answer in time.
    private func words(_ line: String, _ environment: [String: String], until expected: [String]) async -> [String] {
        let end = Patience.end
        var words: [String] = []
        while words != expected, Date() < end { words = await self.words(line, environment) }
        return words
    }

    @Test func simulationsAndTheirFilesAreOfferedWhereOneIsMeant() async {
        for line in ["run ", "scale ", "check ", "simulations ", "serve Monty --run ", "history plot "] {
            #expect(await words(line) == catalogue.map(\.name), "\(line)")
        }
        #expect(await offer("run p").files == .ending([".swift", ".py", ".wasm"]))
        #expect(await offer("merge ").files == .ending([]))
        #expect(await offer("run pi --seed ").files == .none)
        #expect(await offer("join --state ").files == .folders)
    }

    /// Everything that is offered for a parameter is one of its values.
    @Test func parametersAreThoseOfTheSimulationInTheLine() async {
        for simulation in catalogue {
            let names = await words("run \(simulation.name) -p ")
            #expect(names == simulation.parameters.map { $0.label + "=" })
            for parameter in simulation.parameters {
                for word in await words("serve Monty --run \(simulation.name) -p \(parameter.label)=") {
                    #expect(throws: Never.self, "\(word)") {
                        try parameter.slot(of: String(word.dropFirst(parameter.label.count + 1)))
                    }
                }
            }
        }
        #expect(await words("run monty-hall -p d") == ["doors="])
        #expect(await words("run monty-hall -p doors=4 -p d") == [])
        #expect(await words("run primes -p method=") == ["method=sieve", "method=trial"])
        #expect(await words("run matrix-product --input ") == ["a=", "b="])
        #expect(await offer("run matrix-product --input a=").files == .ending([]))
    }

    @Test func parametersInAFileAreRead() async throws {
        let file = NSTemporaryDirectory() + "dice-\(getpid()).py"
        try "class Dice:\n    stop_early = potluck.Parameter(1)\n".write(
            toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(await words("run \(file) -p s") == ["stop-early="])
        #expect(await words("run \(file).no -p ") == [])
    }

    @Test func fixedValuesAreValid() async {
        for setting in Setting.all {
            for word in await words("config \(setting.name) ") where !word.hasPrefix("--") {
                #expect(setting.problem(with: word) == nil, "\(setting.name) \(word)")
            }
        }
        #expect(await words("config battery ") == ["pause", "run"])
        #expect(await words("run pi --priority ") == Priority.allCases.map(\.rawValue))
        #expect(await words("history ").contains("repair"))
    }

    @Test func sessionsAndNodesNearbyAreThere() async throws {
        let room = Laptops()
        let here = room.environment("ana")
        let (server, output) = try room.node("serve Monty", "ana")
        output.read { $0.contains("\"port\"") }
        let (guest, seen) = try room.node("join Monty", "bob")
        seen.read { $0.contains("\"connected\"") }
        for line in ["join ", "watch M", "run pi --session "] {
            #expect(await words(line, here, until: ["Monty"]) == ["Monty"], "\(line)")
        }
        for line in ["kick Monty ", "say Monty --to ", "run pi --session Monty --nodes "] {
            #expect(await words(line, here, until: ["ana", "bob"]) == ["ana", "bob"], "\(line)")
        }
        #expect(await words("kick Other ", here) == [])
        for child in [guest, server] {
            child.send(SIGTERM)
            _ = child.wait()
        }
        let state = ["POTLUCK_STATE": room.folder("ana")]
        #expect(await words("serve ", state) == ["Monty"])
        #expect(await words("join ", here) == [])
    }

    @Test func runsAreOfferedByTheirNumbers() async throws {
        let room = Laptops()
        let state = ["POTLUCK_STATE": room.folder("ana")]
        #expect(await words("history show ", state) == [])
        for seed in 1...2 {
            let run = try Child(
                ["run", "pi", "--trials", "1e4", "--seed", "\(seed)", "-q"], environment: room.environment("ana"))
            #expect(run.wait() == 0)
        }
        for line in ["history show ", "history compare 1 ", "report "] {
            #expect(await words(line, state) == ["last", "2", "1"], "\(line)")
        }
        #expect(await words("history note 1 ", state) == [])
        #expect(await words("history compare 2 1", state) == ["1"])
    }

    /// Types lines in a real shell and presses Tab. `potluck` there completes as the program does, and prints its
    /// arguments otherwise.
    @Test(arguments: Completions.allCases)
    func theTabKeyCompletes(in shell: Completions) throws {
        let program = try #require(
            ["/bin/", "/usr/bin/"].map { $0 + shell.rawValue }.first { access($0, X_OK) == 0 },
            "\(shell.rawValue) is missing; run Tools/deps test")
        let folder = NSTemporaryDirectory() + "shell-\(shell)-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func write(_ name: String, _ text: String) throws {
            let path = folder + "/" + name
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            chmod(path, 0o755)
        }
        try write(
            "bin/potluck",
            """
            #!/bin/sh
            [ "$1" != complete ] || exec \(ShellWord.quoted(Child.program)) "$@"
            printf '<%s>' "$@"; echo .
            """)
        try write("_potluck", shell.script(for: "potluck"))
        for name in ["my dice.py", "notes.txt", "parts/one.part"] { try write("files/" + name, "") }
        let terminal = try PseudoTerminal(columns: 200)
        let start: [Completions: [String]] = [
            .bash: ["--norc", "--noprofile", "-i"], .zsh: ["-f", "-i"], .fish: ["--no-config", "-i"],
        ]
        let child = try Child(
            try #require(start[shell]), program: program,
            environment: [
                "PATH": "\(folder)/bin:/usr/bin:/bin", "HOME": folder, "TERM": "xterm", "INPUTRC": "/dev/null",
            ],
            stdin: .terminal(terminal.name), stdout: .terminal(terminal.name), stderr: .terminal(terminal.name))
        let prepare =
            shell == .zsh
            ? "fpath=(\(folder) $fpath); autoload -Uz compinit; compinit -u -D" : ". \(folder)/_potluck"
        terminal.type("cd \(folder)/files; \(prepare); printf '%s%s\\n' rea dy\r")
        terminal.reader.read { $0.contains("ready") }
        for (line, words) in [
            ("ru\tmonty\t-p d\t4 --prio\tback\t", "<run><monty-hall><-p><doors=4><--priority><background>."),
            ("run primes -p method=tr\t", "<run><primes><-p><method=trial>."),
            ("run my\t--priority=u\t", "<run><my dice.py><--priority=utility>."),
            ("run ./my\t-p x", "<run><./my dice.py><-p><x>."),
            ("merge pa\tone\t", "<merge><parts/one.part>."),
            ("join --code-file=no\t", "<join><--code-file=notes.txt>."),
            ("join --state pa\tx", "<join><--state><parts/x>."), ("history re\t", "<history><repair>."),
        ] {
            terminal.type("potluck " + line + "\r")
            terminal.reader.read { $0.contains(words) }
        }
        terminal.type("exit\r")
        terminal.reader.read()
        _ = child.wait()
    }
}
