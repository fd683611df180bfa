import PotluckKit
import Testing

@testable import PotluckMachine

/// Adds one draw, a constant and a sum, each in the way that a parameter says.
private struct Adding: Simulation {
    static let name: StaticString = "adding"
    static let summary: StaticString = "Adds numbers"
    @Parameter("times", "how often each draw is added", in: 1...100) var times = 1
    @Parameter("off", "the error of the exact answers", in: 0...1) var off = 0.0
    var blockSize: Int { 16 }

    struct Tally: SimulationTally {
        var draws = Moments(), same = Moments(), sum = ExactSum(), small = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("draws", &draws)
            visitor.field("same", &same)
            visitor.field("sum", &sum)
            visitor.field("small", &small)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let x = random.unit()
        for _ in 0..<times { tally.draws.add(x) }
        tally.same.add(3)
        tally.sum.add(x)
        tally.small.add(x < 0.5)
    }

    static var readings: [ReadingRule<Adding>] {
        mean("draws", { $0.draws }, exact: { 0.5 + $0.off })
        mean("same", { $0.same }, exact: { 3 + $0.off })
        derived("share", { _, tally, trials in (tally.sum.value ?? 0) / Double(trials) }, exact: { 0.5 + $0.off })
        variance("spread", { $0.draws }, exact: { 1.0 / 12 + $0.off })
        derived("three", { _, tally, _ in tally.same.mean }, exact: { 3 + $0.off })
        proportion("small", { $0.small }, exact: { 0.5 + $0.off })
        derived("total", { _, tally, _ in tally.sum.value })
    }
}

/// Adds a number that is rarely large.
private struct Seldom: Simulation {
    static let name: StaticString = "seldom"
    static let summary: StaticString = "Adds numbers"
    @Parameter("chance", "how often the number is large", in: 0...1) var chance = 0.0
    var blockSize: Int { 256 }

    struct Tally: SimulationTally {
        var all = Moments(), large = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("all", &all)
            visitor.field("large", &large)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let isLarge = random.unit() < chance
        tally.large.add(isLarge)
        tally.all.add(isLarge ? 1000 : random.unit())
    }

    static var readings: [ReadingRule<Seldom>] {
        mean("all") { $0.all }
        proportion("large") { $0.large }
    }
}

/// What `potluck check` says of readings.
struct ReadingCheckTests {
    private func check(times: UInt64 = 1, off: Double = 0, blocks count: UInt64 = 1024) throws -> [LawCheck.Finding] {
        let simulation = try AnySimulation(Adding.self, source: "").prepared([times, off.bitPattern])
        let run = { (blocks: Range<UInt64>) in
            simulation.run(ChunkRequest(seed: 5, blocks: blocks, trials: nil)) { false }.slots
        }
        return ReadingCheck(
            simulation, blocks: (0..<count).map { run($0..<$0 + 1) }, size: 16, whole: run(0..<count),
            trials: 16 * count, ignoresSeed: { false }
        ).findings
    }

    /// What a run of so many blocks says.
    private func warnings(
        times: UInt64 = 1, off: Double = 0, blocks count: UInt64 = 20_000, elapsed: Duration = .seconds(1000)
    ) throws -> [String] {
        let simulation = try AnySimulation(Adding.self, source: "").prepared([times, off.bitPattern])
        let whole = simulation.run(ChunkRequest(seed: 7, blocks: 0..<count, trials: nil)) { false }
        return ResultCheck(simulation, seed: 7, trials: 16 * count, tally: whole.slots, elapsed: elapsed).warnings
    }

    private func broken(_ findings: [LawCheck.Finding]) -> [String] {
        findings.filter { $0.grade == .broken }.map(\.text)
    }

    @Test func rightReadingsAgree() throws {
        let findings = try check()
        #expect(broken(findings) == [])
        #expect(findings.contains { $0.text.hasPrefix("same agrees with its exact answer") })
        #expect(findings.contains { $0.text.hasPrefix("draws agrees") && $0.text.contains(" would be found") })
    }

    @Test func aHundredAddsOfOneDrawMakeTheIntervalTooNarrow() throws {
        let said = broken(try check(times: 100))
        #expect(said.count == 1 && said.first?.hasPrefix("the interval of draws is ") == true, "\(said)")
        let two = broken(try check(times: 2, blocks: 4096))
        #expect(two.count == 1 && two.first?.hasPrefix("the interval of draws is 1.") == true, "\(two)")
    }

    @Test func anExactAnswerThatIsOffIsFoundForEachKindOfReading() throws {
        let said = broken(try check(off: 0.25))
        #expect(
            said.map { String($0.prefix { $0 != " " }) } == ["draws", "same", "share", "spread", "three", "small"],
            "\(said)")
        #expect(said[1] == "same is 3.0, not the exact answer 3.25")
    }

    @Test func aRunSaysWhatIsWrongWithItsResult() throws {
        #expect(try warnings() == [])
        for times in [2, 100] as [UInt64] {
            let said = try warnings(times: times)
            #expect(said.count == 1 && said.first?.hasPrefix("the interval of draws is ") == true, "\(said)")
        }
        // With the trials of the run, which are more than those of its parts.
        let said = try warnings(off: 0.01)
        #expect(
            said.map { String($0.prefix { $0 != " " }) } == ["draws", "same", "share", "spread", "three", "small"],
            "\(said)")
        // A run of few trials has no parts, so only what is certain is said.
        #expect(try warnings(blocks: 16) == [])
        #expect(try warnings(off: 0.25, blocks: 16).contains { $0.hasPrefix("same ") })
    }

    /// One to four large numbers among 16,384 decide the mean. None of them leaves no trace, and many are no problem. The
    /// interval of a proportion is right for few, too.
    @Test(arguments: 0..<24 as Range<UInt64>) func aMeanThatFewTrialsDecideIsDoubted(seed: UInt64) throws {
        for chance in [0, 0.0002, 0.01] {
            let simulation = try AnySimulation(Seldom.self, source: "").prepared([chance.bitPattern])
            let reply = simulation.run(ChunkRequest(seed: seed, blocks: 0..<64, trials: nil)) { false }
            let large = try #require(simulation.layout.fields.first { $0.name == "large" })
            let count = reply.slots[large.slots.lowerBound]
            let said = ResultCheck(
                simulation, seed: seed, trials: 16_384, tally: reply.slots, elapsed: .seconds(1000)
            ).warnings
            switch count {
            case 0, 60...: #expect(said == [], "\(count)")
            case 1...4:
                let isDoubted = said.first?.hasPrefix("the interval of all cannot be trusted")
                #expect(said.count == 1 && isDoubted == true, "\(count) \(said)")
            default: break
            }
        }
    }

    /// With few blocks nobody knows how much a value without an interval may be off.
    @Test func fewBlocksBlameOnlyCertainReadings() throws {
        let said = broken(try check(off: 0.25, blocks: 4))
        #expect(said.contains { $0.hasPrefix("same ") } && !said.contains { $0.hasPrefix("share ") }, "\(said)")
    }
}
