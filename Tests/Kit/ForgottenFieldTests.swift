import PotluckKit
import Testing

/// A property of a tally that `visit` leaves out would be in no result.
@Suite struct ForgottenFieldTests {
    private struct Whole: Simulation {
        static let name: StaticString = "whole"
        static let summary: StaticString = "Counts with every kind of field."
        struct Tally: SimulationTally {
            var count = Count(), sum = ExactSum(), least = Minimum(), most = Maximum(), moments = Moments()
            var bins = Histogram<3>(from: 0, to: 1)
            mutating func visit(_ visitor: inout some TallyVisitor) {
                visitor.field("count", &count)
                visitor.field("sum", &sum)
                visitor.field("least", &least)
                visitor.field("most", &most)
                visitor.field("moments", &moments)
                visitor.field("bins", &bins)
            }
        }
        func trial(_ random: inout RandomStream, _ tally: inout Tally) {}
        static var readings: [ReadingRule<Whole>] { proportion("count", { $0.count }) }
    }

    private struct Partial: Simulation {
        static let name: StaticString = "partial"
        static let summary: StaticString = "Forgets what it lost."
        struct Tally: SimulationTally {
            var won = Count(), lost = Count()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("won", &won) }
        }
        func trial(_ random: inout RandomStream, _ tally: inout Tally) {}
        static var readings: [ReadingRule<Partial>] { proportion("won", { $0.won }) }
    }

    @Test func itIsFoundBeforeTheFirstTrial() throws {
        #expect(throws: Never.self) { try AnySimulation(Whole.self, source: "").prepared([]) }
        let error = try #require(throws: ParameterError.self) {
            try AnySimulation(Partial.self, source: "").prepared([])
        }
        guard case .conflict(let why) = error else { return #expect(Bool(false), "\(error)") }
        #expect(why.contains("has a property that visit leaves out") && !why.contains("\n"))
    }
}
