import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// Modules that no compiler would produce, byte by byte. They test what modules do when they are instantiated, and the
/// cost of compiling them.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"), .timeLimit(.minutes(60)))
struct HandmadeTests {
    private enum Section: UInt8 {
        case type = 1
        case function = 3
        case table, memory, global, export, start, element, code, data
    }

    private static func length(_ number: Int) -> [UInt8] {
        number < 128 ? [UInt8(number)] : [UInt8(number & 127 | 128)] + length(number >> 7)
    }

    private static func sized(_ octets: [UInt8]) -> [UInt8] { length(octets.count) + octets }

    private static func module(_ sections: [(Section, [UInt8])]) -> [UInt8] {
        sections.reduce(Array("\0asm".utf8) + [1, 0, 0, 0]) { $0 + [$1.0.rawValue] + sized($1.1) }
    }

    /// A module with a start function that takes and returns nothing.
    private static func starting(_ body: [UInt8], and more: [(Section, [UInt8])] = []) -> [UInt8] {
        let parts: [(Section, [UInt8])] = [
            (.type, [1, 0x60, 0, 0]), (.function, [1, 0]), (.start, [0]), (.code, [1] + sized([0] + body + [0x0b])),
        ]
        return module((parts + more).sorted { $0.0.rawValue < $1.0.rawValue })
    }

    private static let page: [UInt8] = [1, 0, 1]

    @Test(arguments: [
        ("loops for ever at its start", starting([0x03, 0x40, 0x0c, 0, 0x0b]), "took longer than"),
        ("calls itself at its start", starting([0x10, 0]), "a function probably calls itself without end"),
        ("stops itself at its start", starting([0x00]), "an index out of range"),
        (
            "takes all memory at its start",
            starting(
                [0x03, 0x40, 0x41, 1, 0x40, 0, 0x41, 0x7f, 0x47, 0x0d, 0, 0x0b, 0x00], and: [(.memory, [1, 0, 1])]),
            "an index out of range"
        ),
        (
            "has a table of four thousand million", module([(.table, [1, 0x70, 0] + [255, 255, 255, 255, 15])]), "table"
        ),
        ("has a hundred thousand tables", module([(.table, length(100_000) + tables)]), "table"),
        ("has two memories", module([(.memory, [2, 0, 1, 0, 1])]), "not a WebAssembly module"),
        ("shares its memory", module([(.memory, [1, 3, 1, 1])]), "not a WebAssembly module"),
        ("has a memory of 64 bits", module([(.memory, [1, 4, 1])]), "not a WebAssembly module"),
        (
            "has data outside its memory",
            module([(.memory, page), (.data, [1, 0, 0x41] + [255, 255, 3] + [0x0b] + sized([1, 2, 3]))]), "memory"
        ),
        (
            "has elements outside its table",
            module([
                (.type, [1, 0x60, 0, 0]), (.function, [1, 0]), (.table, [1, 0x70, 0, 1]),
                (.element, [1, 0, 0x41, 9, 0x0b, 1, 0]), (.code, [1, 2, 0, 0x0b]),
            ]), "table"
        ),
        (
            "has large data and nothing else",
            module([
                (.memory, [1, 0, 8]), (.data, [1, 0, 0x41, 0, 0x0b] + sized([UInt8](repeating: 7, count: 500_000))),
            ]), "no function potluck_abi"
        ),
        ("exports a memory as its version", module([(.memory, page), (.export, exported)]), "no function potluck_abi"),
        ("says that it has more than it has", Array("\0asm".utf8) + [1, 0, 0, 0, 10, 255, 255, 255, 127], "not a W"),
        ("ends within a number", Array("\0asm".utf8) + [1, 0, 0, 0, 1, 128], "not a WebAssembly module"),
        ("is empty", module([]), "no function potluck_abi"),
    ])
    func itIsRefused(_ what: String, _ octets: [UInt8], _ why: String) throws {
        let limits = PluginLimits(memory: 4 << 20, time: .milliseconds(50))
        let error = try #require(throws: SandboxError.self, "\(what)") {
            try Plugin(octets, label: what, limits: limits)
        }
        #expect(error.reason.contains(why), "\(what): \(error.reason)")
    }

    private static let tables = (0..<100_000).flatMap { _ in [0x70, 0, 0] as [UInt8] }
    private static let exported: [UInt8] = [1] + sized(Array("potluck_abi".utf8)) + [2, 0]

    /// wasmtime's messages quote the names of exports.
    @Test func aModulesNamesCommandNoTerminal() throws {
        let name = Array("a\u{1b}[31m\u{1b}]0;owned\u{7}\r\u{9b}2J\u{202e}\u{7f}\u{8}".utf8)
        let export = Self.sized(name) + [0, 0]
        let twice = Self.module([
            (.type, [1, 0x60, 0, 0]), (.function, [1, 0]), (.export, [2] + export + export), (.code, [1, 2, 0, 0x0b]),
        ])
        let error = try #require(throws: SandboxError.self) { try Plugin(twice, label: "twice") }
        #expect(error.reason.contains("duplicate export name") && error.reason.isFitForScreen, "\(error.reason)")
    }

    /// Nested loops: twice the depth takes four times as long to compile.
    private static func nested(_ depth: Int) -> [UInt8] {
        let loops = (0..<2 * depth).map { $0 % 2 == 0 ? 0x03 : 0x40 } as [UInt8]
        let body =
            [1, 1, 0x7f] + loops + [0x20, 0, 0x0d, 0] + [UInt8](repeating: 0x0b, count: depth) + [0x41, 1, 0x0b]
        return module([
            (.type, [1, 0x60, 0, 1, 0x7f]), (.function, [1, 0]), (.code, [1] + sized(body)),
        ])
    }

    /// A compilation that takes too long is ended with its process.
    @Test func aSlowCompilationIsEnded() throws {
        let module = Self.nested(4000)
        for limit in [Duration.zero, .milliseconds(1)] {
            #expect(throws: SandboxError.tooSlow(limit)) {
                _ = try Module(module, cache: nil, compileTime: limit)
            }
        }
        // The module itself is valid.
        #expect(throws: Never.self) { _ = try Module(module, cache: nil, compileTime: .seconds(600)) }
    }

    /// A compilation that needs too much memory is ended with its process, wherever in the compiler the memory ends.
    @Test func aLargeCompilationIsEnded() throws {
        let module = Self.nested(2000)
        var needed = 0
        while needed < 1 << 30 {
            do throws(SandboxError) {
                _ = try Module(module, cache: nil, compileTime: .seconds(600), compileMemory: needed)
                break
            } catch {
                #expect(error == .tooHard(needed))
            }
            needed += 1 << 20
        }
        #expect(needed > 0 && needed < 1 << 30)
    }

    /// Several compilations at once run in separate processes, and each gets its own result.
    @Test func manyAreCompiledAtOnce() throws {
        let modules = [try Made.hostile("fine"), try Made.hostile("remembers")]
        let outcomes = Outcomes()
        let threads = (0..<8).map { number in
            Running {
                guard let plugin = try? Plugin(modules[number % 2], label: "one of many"),
                    let prepared = try? plugin.simulation.prepared([3])
                else { return }
                outcomes.add(prepared.run(ChunkRequest(seed: 1, blocks: 0..<1, trials: nil)) { false })
            }
        }
        for thread in threads { thread.join() }
        for slot: UInt64 in [8, 1] {
            #expect(outcomes.all.filter { $0 == ChunkReply(end: 1, slots: [slot]) }.count == 4)
        }
    }
}
