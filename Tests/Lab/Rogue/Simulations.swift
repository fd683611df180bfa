import PotluckCatalogue
import PotluckKit
import Synchronization

/// Claims to be the built-in simulation `pi`, but sets one wrong bit in one chunk of fifty.
struct Lie: Simulation {
    static let name: StaticString = "pi"
    static let summary: StaticString = "Pi, now and then with a wrong bit"

    struct Tally: SimulationTally {
        var inside = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("inside", &inside) }
    }

    /// The first wrong chunk is among the first ten, which a second node also computes. Of later ones only one block in
    /// 200 is audited.
    private static let first = 6
    private static let every = 50
    private static let chunks = Atomic(0)

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let x = random.unit()
        let y = random.unit()
        tally.inside.add(x * x + y * y < 1)
    }

    func lane(_ random: inout RandomStream, _ tally: inout Tally, trials: Int) {
        // The tally is empty only at the beginning of a chunk: of a lane's thousands of points some are always inside.
        let isFirst = tally.inside.value == 0
        for _ in 0..<trials { trial(&random, &tally) }
        guard isFirst, Self.chunks.add(1, ordering: .relaxed).oldValue % Self.every == Self.first else { return }
        tally.inside.value ^= 1
    }

    static var readings: [ReadingRule<Lie>] {
        derived("pi", from: proportion("inside") { $0.inside }, { 4 * $1 }, exact: { _ in .pi })
    }

    /// Has the source hash of the real simulation.
    static let simulation = AnySimulation(Lie.self, source: catalogue.first { $0.name == "pi" }?.source ?? "")
}

/// A simulation that breaks the rules: its trials depend on earlier ones.
struct Mood: Simulation {
    static let name: StaticString = "mood"
    static let summary: StaticString = "Remembers what came before"

    struct Tally: SimulationTally {
        var good = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("good", &good) }
    }

    private static let memory = Atomic<UInt64>(1)

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let before = Self.memory.load(ordering: .relaxed)
        Self.memory.store(before &* 6_364_136_223_846_793_005 &+ UInt64(random.below(6)), ordering: .relaxed)
        tally.good.add(before >> 63 == 1)
    }

    static var readings: [ReadingRule<Mood>] { proportion("good", { $0.good }) }

    static let simulation = AnySimulation(Mood.self, source: String(repeating: "0", count: 64))
}
