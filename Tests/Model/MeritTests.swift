import PotluckKit
import Testing

@testable import PotluckCore

@Suite struct MeritTests {
    private func run(_ seconds: Double, cores: Int) -> RunRecord {
        RunRecord(
            key: "", simulation: SimulationIdentity(name: "a", source: "", streams: 1), parameters: [], seed: 0,
            blockSize: 16, goal: Goal(), trials: 16, tally: [], counts: [], readings: [], course: [], digest: "",
            completion: .trials, startedAt: 0, elapsed: .seconds(seconds),
            nodes: [RecordedNode(name: "a", cores: cores, trials: 16, rate: nil)])
    }

    private func reading(_ value: Double?, half: Double?, varies: Bool = true) -> Reading {
        Reading(
            name: "a", kind: .mean, value: value,
            interval: half.flatMap { half in value.map { $0 - half...$0 + half } }, varies: varies)
    }

    /// The interval is half as wide after four times the trials, which take four times the time of a core.
    @Test func theMeritDoesNotDependOnTheTrials() throws {
        for value in [-3, 0.001, 1e6] {
            let few = try #require(run(2, cores: 1).merit(of: reading(value, half: 0.0004 * abs(value))))
            for (seconds, cores) in [(8.0, 1), (4, 2), (1, 8)] {
                let many = try #require(run(seconds, cores: cores).merit(of: reading(value, half: 0.0002 * abs(value))))
                #expect(abs(many / few - 1) < 1e-9)
            }
        }
        // One divided by 0.01 squared and by 2 seconds of each of 5 cores.
        let merit = try #require(run(2, cores: 5).merit(of: reading(7, half: 0.07 * Reading.standardErrors)))
        #expect(abs(merit - 1000) < 1e-9)
    }

    @Test func aReadingThatSaysNothingHasNone() {
        for nothing in [
            reading(nil, half: nil), reading(1, half: nil), reading(1, half: 0), reading(0, half: 1),
            reading(1, half: 0.5, varies: false),
        ] { #expect(run(1, cores: 1).merit(of: nothing) == nil, "\(nothing)") }
        #expect(run(0, cores: 1).merit(of: reading(1, half: 1)) == nil)
        #expect(run(1, cores: 0).merit(of: reading(1, half: 1)) == nil)
    }
}
