import PotluckKit

nonisolated(unsafe) private var trials = 0

/// Counts its trials in a global variable, and every thousandth in the tally.
struct Thousandth: Simulation {
    static let name: StaticString = "thousandth"
    static let summary: StaticString = "Counts every thousandth trial."
    var blockSize: Int { 1024 }

    struct Tally: SimulationTally {
        var hits = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("hits", &hits) }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        trials += 1
        tally.hits.add(trials % 1000 == 0)
    }

    static var readings: [ReadingRule<Thousandth>] { proportion("hits", { $0.hits }) }
}
