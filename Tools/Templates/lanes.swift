import PotluckKit

/// Do two friends meet who come at any time of an hour and wait some minutes? Replace this with your own question.
struct ExampleName: LaneSimulation {
    // The name for `potluck run`, and a line that says what the simulation computes.
    static let name: StaticString = "example-name"
    static let summary: StaticString = "Do two friends meet if each waits only some minutes?"

    // Parameters, set with: `potluck run example-name.swift -p wait=30`.
    @Parameter("wait", "minutes that each of them waits", in: 1...60) var wait = 15.0

    // What the trials count.
    struct Tally: SimulationTally {
        var met = Count()
        var gap = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("met", &met)
            visitor.field("gap", &gap)
        }
    }

    // One trial.
    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let first = random.real(in: 0..<60)
        let second = random.real(in: 0..<60)
        var gap = abs(first - second)
        if gap > wait { gap = wait }
        tally.met.add(gap < wait)
        tally.gap.add(gap)
    }

    // The same for sixteen trials at once: each name stands for sixteen numbers, so no `if` depends on one. It draws the
    // same numbers in the same order, which `potluck check` compares.
    func lanes(_ random: inout LaneStreams, _ tally: inout Tally) {
        let first = random.real(in: 0..<60)
        let second = random.real(in: 0..<60)
        var gap = abs(first - second)
        gap.replace(with: Lane(wait), where: gap > wait)
        tally.met.add(gap < wait)
        tally.gap.add(gap)
    }

    // The numbers to show, with the exact answer if you know it.
    static var readings: [ReadingRule<ExampleName>] {
        proportion("met", { $0.met }, exact: { 1 - (1 - $0.wait / 60) * (1 - $0.wait / 60) })
        mean("minutes alone", { $0.gap })
    }
}
