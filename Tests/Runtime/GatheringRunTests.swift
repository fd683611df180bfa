import PotluckCatalogue
import PotluckCore
import PotluckKit
import Testing

@testable import Potluck

/// Block outputs are joined in order on any number of cores, and the digest covers them.
@Suite struct GatheringRunTests {
    /// Writes some bytes in each block. They depend on the seed and on a parameter.
    struct Letters: Gathering {
        static let name: StaticString = "letters"
        static let summary: StaticString = "Some letters in each block"
        @Parameter("units", "how many", in: 1...100_000) var count = 1000
        @Parameter("letter", "first letter", in: 0...255) var letter = 65

        struct Tally: SimulationTally {
            var blocks = Count()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("blocks", &blocks) }
        }

        var units: UInt64 { UInt64(count) }
        var blockSize: Int { 4 }

        func block(
            _ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout PotluckKit.Output,
            _ tally: inout Tally
        ) {
            tally.blocks.add()
            for unit in units {
                for _ in 0..<random.below(3) { output.put(UInt8(truncatingIfNeeded: letter + Int(unit % 7))) }
            }
        }

        static var readings: [ReadingRule<Letters>] { derived("blocks", { _, tally, _ in Double(tally.blocks.value) }) }
    }

    private let letters = AnySimulation(Letters.self, source: "")

    private func run(
        _ parameters: [UInt64], seed: UInt64 = 1, trials: UInt64? = nil, cores: Int
    ) async throws -> (result: JobResult, output: [UInt8]) {
        let run = try LocalRun(letters, parameters: parameters, seed: seed, goal: Goal(trials: trials), cores: cores)
        let result = try await run.result
        var output: [UInt8] = []
        try run.output(of: result) { output += $0 }
        return (result, output)
    }

    private func expected(_ parameters: [UInt64], seed: UInt64 = 1, trials: UInt64? = nil) throws -> [UInt8] {
        let prepared = try letters.prepared(parameters)
        let trials = trials ?? prepared.units ?? 0
        let request = ChunkRequest(seed: seed, blocks: 0..<(trials + 3) / 4, trials: trials)
        return Array(prepared.run(request) { false }.outputs.joined())
    }

    @Test(arguments: [1, 2, 3, 7]) func outputsAreJoinedInOrder(cores: Int) async throws {
        for count: UInt64 in [1, 3, 4, 5, 1001] {
            let (result, output) = try await run([count, 65], cores: cores)
            #expect(try output == expected([count, 65]) && result.trials == count)
            #expect(letters.layout.print(in: result.tally)?.octets == UInt64(output.count))
            #expect(try await run([count, 65], cores: 1).result.digest == result.digest)
        }
    }

    /// Output that nobody wants must not fill a disk.
    @Test func unwantedOutputIsNotKept() async throws {
        let run = try LocalRun(
            letters, parameters: [1001, 65], seed: 1, goal: Goal(), cores: 2, spool: "/nowhere", keepsOutput: false)
        let result = try await run.result
        #expect(try await result.digest == self.run([1001, 65], cores: 1).result.digest)
        #expect(throws: JobError.self) { try run.output(of: result) { _ in } }
    }

    @Test func itsBeginningIsTheBeginningOfAll() async throws {
        let (result, output) = try await run([1000, 65], trials: 402, cores: 2)
        #expect(result.trials == 402)
        #expect(try expected([1000, 65]).starts(with: output) && output == expected([1000, 65], trials: 402))
    }

    /// These outputs differ only in what was written. The last one differs from the first only in the order of its
    /// blocks.
    @Test func theTallyTellsOutputsApart() {
        func print(_ blocks: [(UInt64, [UInt8])]) -> OutputPrint {
            blocks.reduce(into: OutputPrint()) { $0.add($1.1, of: $1.0) }
        }
        let first = print([(0, [1, 2]), (1, [3])])
        #expect(first == print([(1, [3]), (0, [1, 2])]))
        #expect(first.octets == 3)
        for other in [
            print([(0, [1]), (1, [2, 3])]), print([(0, [1, 2]), (1, [4])]), print([(0, [3]), (1, [1, 2])]),
        ] {
            #expect(first != other)
        }
    }

    @Test func printsMergeInAnyOrder() {
        let layout = letters.layout
        let parts = (0..<40 as Range<UInt64>).map { block in
            var slots = layout.empty
            var print = OutputPrint()
            print.add([UInt8](repeating: UInt8(block), count: Int(block)), of: block)
            layout.put(print, into: &slots)
            return slots
        }
        var whole = layout.empty
        for part in parts { layout.merge(part, into: &whole) }
        var other = layout.empty
        for half in [parts[20...], parts[..<20]] {
            var sum = layout.empty
            for part in half.reversed() { layout.merge(part, into: &sum) }
            layout.merge(sum, into: &other)
        }
        #expect(whole == other)
        #expect(layout.print(in: whole)?.octets == 780)
    }

    /// Covers outputs in memory, in the file, and on the border between them. A block that is put again replaces the
    /// old one.
    @Test(arguments: [0, 1, 50, 1000]) func anOutputStoreKeepsItsBlocks(memory: Int) throws {
        let shelf = OutputStore(folder: "/tmp", mostMemory: memory)
        var expected: [[UInt8]] = []
        for block in 0..<30 { expected.append([UInt8](repeating: UInt8(block), count: block % 5)) }
        for block in (0..<30).reversed() { try shelf.put(expected[block], of: UInt64(block)) }
        expected[7] = [9, 9, 9, 9, 9, 9]
        try shelf.put(expected[7], of: 7)
        var found: [[UInt8]] = []
        try shelf.read(0..<30) { found.append($0) }
        #expect(found == expected)
    }

    @Test func aShelfSaysWhyItKeepsNothing() throws {
        let shelf = OutputStore(folder: "/dev/null", mostMemory: 1)
        do {
            try shelf.put([1, 2], of: 0)
            Issue.record("it was kept")
        } catch {
            #expect(error.reason == "cannot create a file in /dev/null: Not a directory")
        }
    }

    /// The digest covers the input tables.
    @Test func tablesAreInTheDigest() async throws {
        let product = try #require(catalogue.first { $0.name == "matrix-product" })
        func run(_ a: [Double], _ b: [Double]) async throws -> JobResult {
            let tables = [Table(rows: 1, columns: 2, numbers: a), Table(rows: 2, columns: 1, numbers: b)]
            return try await LocalRun(
                product, parameters: product.standardParameters, tables: tables, seed: 0, goal: Goal(), cores: 2
            ).result
        }
        let first = try await run([1, 2], [3, 4])
        let same = try await run([1, 2], [3, 4])
        let other = try await run([2, 1], [4, 3])
        #expect(first.digest == same.digest)
        #expect(first.tally == other.tally && first.digest != other.digest)
    }
}
