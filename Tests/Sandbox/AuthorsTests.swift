import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// What an author may expect of a plugin.
@Suite(.enabled(if: Made.canRun, "wasmtime is not here: make deps fetches it"), .timeLimit(.minutes(60)))
struct AuthorsTests {
    private func reply(_ simulation: AnySimulation, _ blocks: Range<UInt64>, large: Int64) throws -> ChunkReply {
        try simulation.prepared([UInt64(bitPattern: large)]).run(ChunkRequest(seed: 5, blocks: blocks, trials: nil)) {
            false
        }
    }

    /// Outputs, 64-bit numbers and mathematical functions.
    @Test func aModuleWritesTheOutputOfTheNativeBuild() throws {
        let plugin = try Made.plugin("Tests/Sandbox/Authors/Texts.swift")
        let native = AnySimulation(Texts.self, source: "")
        for large: Int64 in [5_000_000_000, -1, 8_999_999_999] {
            let (module, ours) = (
                try reply(plugin.simulation, 0..<8, large: large), try reply(native, 0..<8, large: large)
            )
            #expect(module.failure == nil && module.end == 8)
            #expect(module.outputs == ours.outputs)
            // Sets have another order natively, so the sum's last field differs.
            #expect(module.slots.prefix(1) == ours.slots.prefix(1) && module.slots[6...16] == ours.slots[6...16])
        }
        let text = String(decoding: try reply(native, 0..<1, large: 5).outputs[0], as: UTF8.self)
        #expect(text.hasPrefix("unit 0, 0 -128 65535\n-9223372036854775808\ntext\n0: "))
        #expect(text.contains(" 0.0 -0.0 0.1 1e+100 5e-324 inf -inf nan 1e+16 123456789.0 "))
        #expect(text.contains("\n1307674368000\n"), "15!")
    }

    /// The seed of hashes is constant, and the order in a set does not depend on where the set is in memory.
    @Test func theOrderInASetDoesNotDependOnEarlierBlocks() throws {
        let plugin = try Made.plugin("Tests/Sandbox/Authors/Texts.swift")
        let whole = try reply(plugin.simulation, 0..<8, large: 5)
        var slots = plugin.worker.layout.empty
        for block in (0..<8 as Range<UInt64>).reversed() {
            plugin.worker.layout.merge(try reply(plugin.simulation, block..<block + 1, large: 5).slots, into: &slots)
        }
        #expect(slots == whole.slots)
    }

    private func failure(_ name: String, memory: Int = PluginLimits.leastMemory * 4) throws -> String {
        let path = "Tests/Sandbox/Hostile/\(name).swift"
        let plugin = try Plugin(Made.simulation(path), label: path, limits: PluginLimits(memory: memory))
        let prepared = try plugin.simulation.prepared(plugin.simulation.standardParameters)
        return try #require(prepared.run(ChunkRequest(seed: 1, blocks: 0..<1, trials: nil)) { false }.failure).reason
    }

    @Test func theSystemsRandomNumbersEndTheRun() throws {
        let reason = try failure("Chance")
        #expect(reason.contains("it asked for random numbers of the system") && reason.contains("random.below(6)"))
    }

    @Test func anArrayThatIsTooLargeIsAMatterOfMemory() throws {
        let reason = try failure("Hungry")
        #expect(reason.hasSuffix("it needs more than 4 MiB of memory; allow more with --plugin-memory"), "\(reason)")
    }

    /// A module that counts its trials in a global variable gives other results on other numbers of cores.
    private static let counter = "Tests/Sandbox/Hostile/Thousandth.swift"

    /// The same from before modules could tell what they keep.
    private func oldCounter() throws -> PreparedSimulation {
        let name = Array("potluck_kept".utf8)
        var module = try Made.simulation(Self.counter)
        let place = try #require(module.indices.first { module[$0...].starts(with: name) })
        module[place] = UInt8(ascii: "P")
        return try Plugin(module, label: Self.counter).simulation.prepared([])
    }

    @Test func aCounterIsFoundInItsFirstBlock() throws {
        let prepared = try Made.plugin(Self.counter).simulation.prepared([])
        #expect(prepared.run(ChunkRequest(seed: 1, blocks: 7..<8, trials: nil)) { false }.failure?.block == 7)
        #expect(!LawCheck(prepared, depth: .quick).isKept)
    }

    @Test func aCheckFindsACounterThatFourBlocksDoNotShow() throws {
        let prepared = try oldCounter()
        #expect(LawCheck(prepared, depth: .quick).isKept)
        let deep = LawCheck(prepared)
        #expect(
            deep.findings.contains { $0.grade == .broken && $0.text.contains("computed together") },
            "\(deep.findings)")
    }

    @Test func aRunFindsItToo() throws {
        let prepared = try oldCounter()
        // A short chunk does not show it.
        let short = prepared.run(ChunkRequest(seed: 1, blocks: 0..<4, trials: nil)) { false }
        #expect(short.failure == nil && short.end == 4)
        let reply = prepared.run(ChunkRequest(seed: 1, blocks: 4..<54, trials: nil)) { false }
        let failure = try #require(reply.failure)
        #expect(reply.end == 4 && reply.slots == [0])
        #expect(failure.reason.contains("blocks 4 to 53 give another tally when they are computed in two parts"))
    }

    @Test func computingTwiceCostsLittle() {
        var budget = RecheckBudget()
        let chunk = RecheckBudget.allowance / 4
        let first = (0..<4).filter { _ in budget.takes(chunk) }.count
        #expect(first == 4)
        // Afterwards one chunk in a hundred.
        let taken = (0..<1000).filter { _ in budget.takes(chunk) }.count
        #expect((9...11).contains(taken), "\(taken)")
        var slow = RecheckBudget()
        let isTaken = slow.takes(RecheckBudget.allowance * 2)
        #expect(!isTaken)
    }
}
