import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// Each fault of a module leads to its own error, and the next module runs.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"), .timeLimit(.minutes(60)))
struct HostileTests {
    static let limits = PluginLimits(memory: 16 << 20, time: .milliseconds(100))

    private func plugin(_ wrong: String) throws -> Plugin {
        try Plugin(Made.hostile(wrong), label: wrong, limits: Self.limits)
    }

    private func run(_ plugin: Plugin, blocks: Range<UInt64> = 0..<3) throws -> ChunkReply {
        try plugin.simulation.prepared(plugin.simulation.standardParameters).run(
            ChunkRequest(seed: 1, blocks: blocks, trials: nil)
        ) { false }
    }

    @Test func aFineOneRuns() throws {
        let reply = try run(plugin("fine"))
        #expect(reply == ChunkReply(end: 3, slots: [24]))
    }

    @Test(arguments: [
        ("endless_describe", "took longer than"), ("endless_start", "took longer than"),
        ("old_abi", "version 7 of the interface"), ("no_describe", "no function potluck_describe"),
        ("other_type", "lacks a part of the interface"), ("describe_outside", "outside its memory"),
        ("describe_huge", "bytes"), ("describe_ragged", "an incomplete slot"),
        ("describe_short", "is too short"), ("describe_long", "is too long"),
        ("escape_in_name", "unprintable"), ("escape_in_summary", "unprintable"),
        ("inverted_range", "ends before it begins"), ("standard_outside", "outside its range"),
        ("unknown_shape", "kind of work (99)"), ("collects", "is too short"),
        ("unknown_kind", "the kind of its parameter n (50) is unknown"),
        ("histogram_without_bins", "invalid tally fields"), ("other_streams", "version 1000 of the random streams"),
        ("imports", "imports functions"), ("huge_memory", "memory"),
        ("stopped_describe", "check that each parameter's default"),
        ("typed_describe", "lacks a part of the interface"), ("describe_many", "parameters, more than the limit of 64"),
        ("latin_name", "is not UTF-8"), ("latin_summary", "is not UTF-8"), ("many_tables", "table"),
    ])
    func modulesThatCannotBeLoadedAreRefused(_ wrong: String, _ why: String) throws {
        let error = try #require(throws: SandboxError.self) { try plugin(wrong) }
        #expect(error.reason.contains(why), "\(error.reason)")
    }

    @Test(arguments: [
        ("endless_alloc", "took longer than"), ("no_alloc", "no function potluck_alloc"),
        ("no_configure", "no function potluck_configure"), ("alloc_outside", "an address outside its memory"),
        ("endless_configure", "took longer than"), ("typed_alloc", "lacks a part of the interface"),
        ("typed_configure", "lacks a part of the interface"), ("alloc_nothing", "an invalid address"),
        ("alloc_odd", "an invalid address"), ("odd_block", "blockSize is 17;"),
        ("huge_block", "blockSize is 1099511627776;"), ("no_units", "0 units"),
        ("many_units", "18446744073709551615 units"),
        ("unknown_output", "an unknown kind of output"),
    ])
    func aFailedPreparationSaysWhy(_ wrong: String, _ why: String) throws {
        let simulation = try plugin(wrong).simulation
        let error = try #require(throws: ParameterError.self) { try simulation.prepared([3]) }
        guard case .failed(let failure) = error else { return #expect(Bool(false), "\(error)") }
        #expect(failure.reason.hasPrefix("\(wrong): ") && failure.reason.contains(why), "\(failure.reason)")
    }

    @Test(arguments: [
        ("endless_run", "took longer than"), ("hungry", "more than 16 MiB of memory"), ("nothing_called", "it crashed"),
        ("wild_read", "memory fault"), ("wild_write", "memory fault"),
        ("divided_by_zero", "divide by zero"), ("bottomless", "its stack of 128 KiB is full"),
        ("unreachable", "an index out of range"),
        ("no_run", "no function potluck_run"), ("run_outside", "outside its memory"),
        ("run_other_shape", "a different kind of work"), ("run_fewer_blocks", "0 blocks instead of 1"),
        ("run_fewer_slots", "0 slots instead of 1"), ("run_more_slots", "3 slots, more than the limit of 1"),
        ("run_output", "more than a tally"), ("run_more", "more than a tally"),
        ("run_long", "is too long"), ("typed_run", "lacks a part of the interface"),
        ("run_many_slots", "18446744073709551615 slots, more than the limit of 1"),
        ("run_many_octets", "more than the limit of 67108864"), ("tabled", "an index out of range"),
    ])
    func aRunThatFailsNamesPluginSeedAndBlock(_ wrong: String, _ why: String) throws {
        let reply = try run(plugin(wrong), blocks: 7..<9)
        let failure = try #require(reply.failure)
        #expect(failure.reason.hasPrefix("\(wrong), seed 1, block 7: "))
        #expect(failure.reason.contains(why), "\(failure.reason)")
        #expect(failure.block == 7 && reply.end == 7 && reply.slots == [0])
        // The node survives, and the next job runs.
        try aFineOneRuns()
    }

    @Test(arguments: [
        ("writes_untold", "output that it did not declare"),
        ("writes_ragged", "24 bytes, which are not 16 rows"),
        ("writes_more", "more than its output"), ("writes_of_none", "0 blocks instead of 1"),
    ])
    func aWrongOutputNamesPluginSeedAndBlock(_ wrong: String, _ why: String) throws {
        let reply = try run(plugin(wrong), blocks: 7..<9)
        let failure = try #require(reply.failure)
        #expect(failure.reason.hasPrefix("\(wrong), seed 1, block 7: "))
        #expect(failure.reason.contains(why), "\(failure.reason)")
        #expect(failure.block == 7 && reply.end == 7 && reply.outputs.isEmpty)
    }

    /// However short the blocks are, the output in memory is limited, and the remaining blocks are left for another
    /// chunk.
    @Test func aChunkThatWritesMuchEndsEarly() throws {
        let much = try Plugin(Made.hostile("writes_much"), label: "much", limits: PluginLimits(time: .seconds(2)))
        let reply = try run(much, blocks: 0..<100)
        #expect(reply.failure == nil && reply.end == 1 && reply.outputs.map(\.count) == [40 << 20])
        let little = try run(plugin("writes"), blocks: 0..<100)
        #expect(little.failure == nil && little.end == 100 && little.outputs.allSatisfy { $0.count == 16 })
    }

    /// An answer may be in the place of the request, or at an unaligned address.
    @Test(arguments: ["run_over_request", "run_misaligned"])
    func anAnswerMayLieAnywhere(_ odd: String) throws {
        #expect(try run(plugin(odd)) == ChunkReply(end: 3, slots: [24]))
    }

    @Test func theBlocksBeforeTheOneThatFailsCount() throws {
        let reply = try run(plugin("wrong_second"), blocks: 0..<4)
        #expect(reply.failure?.block == 1)
        #expect(reply.end == 1 && reply.slots == [8])
    }

    @Test(arguments: [
        ("no_read", "no function potluck_read"), ("typed_read", "lacks a part of the interface"),
        ("read_many", "bins, more than the limit of 65536"), ("read_infinite", "not a number"),
        ("endless_read", "took longer than"),
        ("read_nan", "not a number"), ("read_inverted", "ends before it begins"),
        ("read_other", "a different number of readings than declared"),
    ])
    func readingsThatAreNoneSaySo(_ wrong: String, _ why: String) throws {
        let prepared = try plugin(wrong).simulation.prepared([3])
        let failure = try #require(throws: SimulationFailure.self) { try prepared.readings(of: [5], trials: 16) }
        #expect(failure.reason.contains(why), "\(failure.reason)")
        #expect(prepared.read([5], 16).isEmpty)
    }

    @Test func octetsThatAreNoModuleAreRefused() throws {
        let fine = try Made.hostile("fine")
        for octets in [[], [1, 2, 3, 4], Array("\0asm".utf8), Array(fine.dropLast(40)), fine + fine] {
            #expect(throws: SandboxError.self) { try Plugin(octets, label: "broken") }
        }
        let large = [UInt8](repeating: 0, count: PluginLimits.largestModule + 1)
        #expect(throws: SandboxError.tooLarge) { try Plugin(large, label: "large") }
    }

    @Test func nothingIsRememberedFromChunkToChunk() throws {
        let plugin = try plugin("remembers")
        let first = try run(plugin, blocks: 0..<1)
        for _ in 0..<3 { #expect(try run(plugin, blocks: 0..<1) == first) }
        // `LawCheck` finds state that a module keeps between the blocks of one chunk.
        let check = LawCheck(try plugin.simulation.prepared([3]))
        #expect(!check.isKept)
        #expect(
            check.findings.contains { $0.grade == .broken && $0.text.contains("the simulation keeps s") })
        #expect(LawCheck(try self.plugin("fine").simulation.prepared([3])).isKept)
    }

    @Test func aTimeLimitCountsOnlyTheThreadsOwnTime() throws {
        // So many at once that each waits for a core longer than its time limit.
        let plugin = try plugin("endless_run")
        let fine = try self.plugin("fine")
        let prepared = try plugin.simulation.prepared([3])
        let other = try fine.simulation.prepared([3])
        let request = ChunkRequest(seed: 1, blocks: 0..<1, trials: nil)
        let outcomes = Outcomes()
        let threads = (0..<8).map { number in
            Running { outcomes.add((number % 2 == 0 ? prepared : other).run(request) { false }) }
        }
        for thread in threads { thread.join() }
        #expect(outcomes.all.filter { $0.failure != nil }.count == 4)
        #expect(outcomes.all.filter { $0 == ChunkReply(end: 1, slots: [8]) }.count == 4)
    }

    @Test func aLogThatIsNoneIsNone() throws {
        for (wrong, lines) in [
            ("log_outside", []), ("endless_log", []), ("typed_log", []), ("latin_log", ["\u{fffd}"]),
            ("fine", ["well"]),
            ("unreachable", ["well"]),
        ] {
            let replay = try Replay(of: plugin(wrong), parameters: [3], seed: 1, block: 0)
            #expect(replay.log == lines)
        }
    }
}
