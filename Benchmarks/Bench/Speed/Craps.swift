import PotluckKit

/// A game of dice as an author would write it, with a function of its own for a throw. The benchmarks also build this file
/// as a module.
struct Craps: Simulation {
    static let name: StaticString = "craps"
    static let summary: StaticString = "How often does the shooter win?"

    struct Tally: SimulationTally {
        var won = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("won", &won) }
    }

    private func roll(_ random: inout RandomStream) -> Int {
        random.integer(in: 1...6) + random.integer(in: 1...6)
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let first = roll(&random)
        switch first {
        case 7, 11: tally.won.add()
        case 2, 3, 12: break
        default:
            var next = roll(&random)
            while next != first && next != 7 { next = roll(&random) }
            tally.won.add(next == first)
        }
    }

    static var readings: [ReadingRule<Craps>] {
        proportion("won", { $0.won }, exact: { _ in 244.0 / 495 })
    }
}
