import PotluckCore
import Testing

@testable import PotluckMachine

@Suite struct RunCodingTests {
    /// A run whose goal names readings has a form of its own, and the others keep theirs.
    @Test func aGoalThatNamesReadingsComesBack() throws {
        let limits = [
            ReadingLimit(reading: "wait", limit: .relative(0.01)), ReadingLimit(reading: "p99", limit: .absolute(0.5)),
        ]
        for var run in Runs.many(20, seed: 39) {
            #expect(RunCoding.octets(run).first == 1)
            run.goal.precision = .named(limits)
            let octets = RunCoding.octets(run)
            #expect(octets.first == 3)
            #expect(RunCoding.run(octets) == run)
            for end in octets.indices { #expect(RunCoding.run(Array(octets[..<end])) == nil) }
        }
    }
}
