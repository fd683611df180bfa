import CWasmtime
import Foundation
import Potluck
import PotluckCore
import PotluckKit
import PotluckSystem
import Testing

@testable import PotluckMachine
@testable import PotluckRanks

/// Version 2 of the interface is frozen. These modules were made when that happened: weave with `potluck build` from
/// Swift, token in the same way from C, and every from text, which needs no library. They must always run on ranks of
/// real threads, with the same lines and outputs; neither the modules nor the records are ever made again. A change that
/// fails this test needs version 3.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"), .timeLimit(.minutes(60)))
struct FrozenRanksTests {
    private static let folder = Made.root.appending(path: "Tests/Sandbox/Version2")
    private static let file = folder.appending(path: "records.txt")

    private static func octets(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: "\(name).wasm")))
    }

    private static func module(_ name: String) throws -> RankModule { try RankModule(octets(name), label: name) }

    private struct Outcome {
        let output: [UInt8]
        /// Each line with its rank in front. Those of one rank follow each other.
        let lines: [String]
        let checkpoint: [[UInt8]]?
    }

    private static func launch(
        _ module: RankModule, _ size: Int, _ start: RankModule.Start, checkpoint: [[UInt8]]? = nil
    ) async throws(RankError) -> Outcome {
        let lines = Guarded(Array(repeating: [String](), count: size))
        let launch = RankLaunch(size: size, cores: 2, checkpoint: checkpoint) { line in
            lines.with { $0[line.rank].append("[\(line.rank)]" + words(line.octets)) }
        }
        let output = try await launch.run { (seat) throws(RankError) in
            try module.run(start, on: seat) { stopper in seat.onStop { stopper.stop() } }
        }
        return Outcome(output: output, lines: lines.with { $0.flatMap(\.self) }, checkpoint: launch.checkpoint)
    }

    private static func start(
        _ parameters: [UInt64] = [], _ tables: [Table] = [], seed: UInt64 = 0, _ arguments: [String] = []
    ) -> RankModule.Start {
        .init(parameters: parameters, tables: tables, seed: seed, arguments: arguments)
    }

    private static func hexadecimal(_ slots: [UInt64]) -> String {
        slots.map { String($0, radix: 16) }.joined(separator: " ")
    }

    /// The notes of `every`, of four bytes each, with a blank in front.
    private static func numbers(_ output: [UInt8]) -> String {
        output.withUnsafeBytes { octets in
            stride(from: 0, to: octets.count, by: 4).map {
                " \(Int32(littleEndian: octets.loadUnaligned(fromByteOffset: $0, as: Int32.self)))"
            }.joined()
        }
    }

    /// The lines of a text, each with a blank in front.
    private static func words(_ output: [UInt8]) -> String {
        String(decoding: output, as: UTF8.self).split(separator: "\n").map { " \($0)" }.joined()
    }

    // MARK: records

    /// What the modules are started with, and on how many ranks.
    private static let starts: [(name: String, size: Int, start: RankModule.Start)] = [
        ("every", 3, start()),
        ("every", 1, start()),
        ("weave", 4, start([3, (1.5).bitPattern, 0, 0, 0b010], [.empty], seed: 7, ["a", "ä b", ""])),
        ("weave", 3, start([2, (0.5).bitPattern, 1, 1, 0b101], [yarn], ["x"])),
        ("token", 3, start([], [Table(rows: 1, columns: 1, numbers: [2.5])], seed: 7, ["a", "b c"])),
        ("token", 2, start([], [.empty])),
    ]
    private static let yarn = Table(rows: 2, columns: 2, numbers: [1.5, 2, 3, 4])

    /// Parameters that `weave` refuses: too few, two outside their range, two that do not fit together, too many names.
    private static let refused: [[UInt64]] = [
        [3], [0, 0, 0, 0, 1], [2, 0, 2, 0, 1], [1, 0, 0, 1, 1], [1, 0, 0, 0, 0b111],
    ]

    /// What a module says before its ranks run: a line for each call with request and answer.
    private static func answers(of name: String) throws -> [String] {
        let source = try ModuleSource(
            octets(name), cache: nil, time: PluginLimits.compileTime, memory: PluginLimits.compileMemory)
        let code = try MachineCode(of: source, .canonical, imports: .ranks)
        return try Module.ticking { () throws(SandboxError) in
            let bridge = RankBridge(LoneRank())
            let instance = try Instance(of: code.handle, PluginLimits(), bridge: bridge)
            let description = try instance.record("potluck_describe")
            bridge.isOpen = true
            var lines = ["\(name) potluck_describe() = \(hexadecimal(description))"]
            for parameters in name == "weave" ? refused : [[]] {
                let request = ModuleConfiguration(parameters: parameters).record
                let verdict = try instance.record("potluck_configure", request)
                lines.append("\(name) potluck_configure(\(hexadecimal(request))) = \(hexadecimal(verdict))")
            }
            return lines
        }
    }

    private static func lines() async throws -> [String] {
        var lines: [String] = []
        for name in ["every", "weave", "token"] {
            lines += try answers(of: name)
            let module = try module(name)
            let show = name == "every" ? numbers : words
            for (_, size, start) in starts.filter({ $0.name == name }) {
                let first = try await launch(module, size, start)
                lines += ["\(name) on \(size) writes\(show(first.output))"] + first.lines
                guard let checkpoint = first.checkpoint else { continue }
                let states = checkpoint.map { $0.map { String($0, radix: 16) }.joined(separator: " ") }
                lines.append("\(name) keeps \(states.joined(separator: ", "))")
                let second = try await launch(module, size, start, checkpoint: checkpoint)
                lines += ["\(name) on \(size) again writes\(show(second.output))"] + second.lines
            }
        }
        return lines
    }

    @Test func modulesBehaveAsRecorded() async throws {
        let lines = try await Self.lines()
        if ProcessInfo.processInfo.environment["POTLUCK_RECORDS"] == "write" {
            try (lines.joined(separator: "\n") + "\n").write(to: Self.file, atomically: false, encoding: .utf8)
            Issue.record("records.txt was written again; look at the difference")
            return
        }
        let known = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines == known)
    }

    // MARK: what ends a program

    /// What rank 0 of `every` does wrong with each seed, while ranks 1 and 2 wait for it.
    private static let faults: [(seed: UInt64, fault: RankError)] = [
        (1, .aborted(rank: 0, code: 7)),
        (2, .argument(rank: 0, call: "send", .rank, 3)),
        (3, .argument(rank: 0, call: "send", .tag, -1)),
        (4, .argument(rank: 0, call: "send", .context, -1)),
        (5, .argument(rank: 0, call: "send", .mode, 3)),
        (6, .address(rank: 0, call: "send")),
        (7, .tooLong(rank: 0, call: "send", octets: (256 << 20) + 1, most: 256 << 20)),
        (8, .address(rank: 0, call: "probe")),
        (9, .argument(rank: 0, call: "receive", .rank, -2)),
        (10, .argument(rank: 0, call: "receive", .tag, -2)),
        (11, .argument(rank: 0, call: "receive", .context, -1)),
        (12, .truncated(rank: 0, RankStatus(source: 0, tag: 4, octets: 8), capacity: 4)),
        (13, .argument(rank: 0, call: "wait", .request, 99)),
        (14, .argument(rank: 0, call: "test", .request, 0)),
        (15, .argument(rank: 0, call: "wait", .count, 16_385)),
        (16, .deadlock((0..<3).map { RankWait(rank: $0, cause: .message(answer), ended: nil) })),
        (17, .openAtCheckpoint(rank: 0, messages: 1, requests: 0)),
        (18, .address(rank: 0, call: "restore")),
        (19, .address(rank: 0, call: "checkpoint")),
        (20, .tooLong(rank: 0, call: "log", octets: (1 << 20) + 1, most: 1 << 20)),
        (21, .tooManyRequests(rank: 0)),
        (22, .failed(rank: 0, code: -4)),
        // It ends on purpose, and the others wait for it.
        (23, .deadlock((1..<3).map { RankWait(rank: $0, cause: .message(answer), ended: 0) })),
    ]
    private static let answer = RankPattern(source: 0, tag: 8, context: 0)

    @Test func faultsEndAProgramAsRecorded() async throws {
        let every = try Self.module("every")
        for (seed, expected) in Self.faults {
            let fault = await #expect(throws: RankError.self) {
                _ = try await Self.launch(every, 3, Self.start(seed: seed))
            }
            #expect(fault == expected, "seed \(seed)")
        }
        // With this seed, a rank traps and does not know why. With the one before, it is done.
        let fault = await #expect(throws: RankError.self) {
            _ = try await Self.launch(every, 1, Self.start(seed: 24))
        }
        guard case .crashed(rank: 0, _, let places) = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(!places.isEmpty)
        #expect(try await Self.launch(every, 1, Self.start(seed: 23)).output == [])
    }

    // MARK: the table

    /// Each function with its parameters and its result: `i` has 32 bits, and `d` is a real number of 64 bits.
    private static let imports = [
        "rank() i", "size() i", "time() d", "log(ii)", "abort(i)", "send(iiiiii)", "isend(iiiiii) i", "receive(iiiiii)",
        "ireceive(iiiii) i", "probe(iiiii) i", "wait(iii) i", "test(ii) i", "checkpoint(ii)", "restore(ii) i",
        // Added since.
        "error(ii)",
    ]

    @Test func theImportsAreFrozen() throws {
        let own = RankImport.allCases.map { function in
            let entry = RankImport.table[function.rawValue]
            let result = UInt8(bitPattern: entry.result)
            return String(cString: entry.name) + "(" + String(cString: entry.parameters) + ")"
                + (result == 0 ? "" : " " + String(decoding: [result], as: UTF8.self))
        }
        #expect(own == Self.imports)
        #expect(RankImport.space == "potluck_comm")
    }

    /// The numbers that no program gets back from a call.
    @Test func theNumbersAreFrozen() {
        #expect(ModuleInterface.ranksVersion == 2 && ModuleInterface.Shape.ranks.rawValue == 5)
        #expect(RankSendMode.allCases.map(\.rawValue) == [0, 1, 2])
        #expect(RankSendMode.allCases == [.standard, .synchronous, .buffered])
        #expect([SendMode.standard, .synchronous, .buffered].map(\.rawValue) == [0, 1, 2])
        // Limits may grow, but what is allowed today stays allowed.
        #expect(RankLimits.ranks >= 512 && RankLimits.requests >= 16_384 && RankLimits.line >= 1 << 20)
        #expect(RankLimits.message >= 256 << 20 && RankLimits.checkpoint >= 256 << 20 && RankLimits.pending >= 2 << 30)
        #expect(RankRooms().room >= 64 << 20 && PluginLimits.largestModule >= 512 << 10)
    }

    /// The guide names each function with all of its parameters.
    @Test func theGuideHasTheTable() throws {
        let guide = try String(contentsOf: Made.root.appending(path: "docs/PLUGINS.md"), encoding: .utf8)
        let begin = try #require(guide.range(of: "### Imports\n")).upperBound
        let table = guide[begin...].components(separatedBy: "\n#")[0]
        var told: [String: Int] = [:]
        for row in table.split(separator: "\n") where row.hasPrefix("| `") {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            told[cells[0].trimmingCharacters(in: ["`"])] =
                cells[1].isEmpty ? 0 : cells[1].split(separator: ",").count
        }
        let own = RankImport.allCases.map { ($0.name, strlen(RankImport.table[$0.rawValue].parameters)) }
        #expect(told == Dictionary(uniqueKeysWithValues: own.map { ($0, Int($1)) }))
    }
}
