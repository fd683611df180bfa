import Testing

@testable import PotluckCore

/// A record from elsewhere may claim any numbers of its nodes.
@Suite struct RecordedNodeTests {
    private func node(_ cores: Int, trials: UInt64 = 1) -> RecordedNode {
        RecordedNode(name: "ana", cores: cores, trials: trials, rate: nil)
    }

    private func cores(_ nodes: [Int]) -> Int {
        RunRecord(
            key: "", simulation: SimulationIdentity(name: "pi", source: "", streams: 1), parameters: [], seed: 1,
            blockSize: 16, goal: Goal(trials: 16), trials: 16, tally: [], counts: [], readings: [], course: [],
            digest: "", completion: .trials, startedAt: 0, elapsed: .seconds(1), nodes: nodes.map { node($0) }
        ).cores
    }

    @Test func coresAreAddedUpWithoutOverflow() {
        #expect(cores([]) == 0 && cores([4, 0, 8]) == 12)
        #expect(cores([.max, .max]) == .max && cores([.max, .max, .max, 1]) == .max)
        #expect(cores([.min, .min]) == 0 && cores([.min, 4]) == 4)
    }

    @Test func numbersThatNoNodeHasAreKnown() {
        for cores in [0, 1, RecordedNode.mostCores] { #expect(node(cores).isPossible, "\(cores) cores") }
        for cores in [-1, .min, RecordedNode.mostCores + 1, .max] {
            #expect(!node(cores).isPossible, "\(cores) cores")
        }
        #expect(node(1, trials: Goal.mostTrials).isPossible && !node(1, trials: Goal.mostTrials + 1).isPossible)
    }
}
