import PotluckCore
import Testing

@testable import PotluckMachine

/// The history keeps what a run's work is counted in, and how much of a tree each node looked at.
@Suite struct WorkCodingTests {
    private static let efforts = [
        SearchEffort(), SearchEffort(expanded: 5), SearchEffort(expanded: .max, inVain: 1 << 60),
    ]

    @Test func unitsAndNodesOfATreeComeBack() {
        var chance = SeededGenerator(seed: 41)
        for run in Runs.many(50, seed: 42) {
            var run = run
            run.hasUnits = chance.next(below: 2) == 0
            for place in run.nodes.indices { run.nodes[place].effort = Self.efforts[Int(chance.next(below: 3))] }
            #expect(RunCoding.run(RunCoding.octets(run)) == run)
        }
    }

    /// Earlier programs read what they know: a run of trials has the bytes that it always had.
    @Test func aRunOfTrialsIsWrittenAsBefore() {
        for run in Runs.many(20, seed: 43) {
            var (search, octets) = (run, RunCoding.octets(run))
            #expect(octets[0] == 1)
            search.nodes[0].effort = SearchEffort(expanded: 1)
            #expect(RunCoding.octets(search)[0] == 2)
            // The later form without anything of its own is no run.
            octets[0] = 2
            #expect(RunCoding.run(octets) == nil)
        }
    }
}
