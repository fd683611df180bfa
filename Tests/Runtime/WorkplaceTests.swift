import PotluckEngine
import PotluckKit
import PotluckModel
import PotluckSystem
import Testing

@testable import Potluck

/// What a coordinator and its workers owe each other, with all that is real but the network.
@Suite(.timeLimit(.minutes(1))) struct WorkplaceTests {
    /// Writes the same octets in every block.
    private struct Echo: Gathering {
        static let name: StaticString = "echo"
        static let summary: StaticString = "The same in every block"
        @Parameter("units", "how many", in: 1...1000) var count = 16
        @Parameter("octets", "of each block", in: 0...100) var octets = 0

        struct Tally: SimulationTally {
            var blocks = Count()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("blocks", &blocks) }
        }

        var units: UInt64 { UInt64(count) }
        var blockSize: Int { 4 }

        func block(_ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally) {
            tally.blocks.add()
            for _ in 0..<octets { output.put(UInt8(7)) }
        }

        static var readings: [ReadingRule<Echo>] { derived("blocks", { _, tally, _ in Double(tally.blocks.value) }) }
    }

    private static let echo = AnySimulation(Echo.self, source: "")
    private static let ticket = JobTicket([UInt8](repeating: 1, count: JobTicket.length))!

    private static func computing(_ simulation: AnySimulation, cores: Int) -> Computing {
        Computing(Simulations([simulation]), cores: cores, priority: .normal)
    }

    private static func order(
        _ simulation: AnySimulation, _ parameters: [UInt64] = [], trials: UInt64, workers: Int = 2
    ) throws -> JobRequest {
        let experiment = try simulation.experiment(parameters: parameters, seed: 5)
        let order = JobOrder(
            experiment: experiment, goal: Goal(trials: trials), workers: workers, collects: !parameters.isEmpty)
        return .order(order, ticket)
    }

    // MARK: Equal octets

    /// Chunks of two nodes write the same octets, which come here once: each chunk counts.
    @Test(arguments: [0, 9] as [UInt64]) func chunksMayWriteTheSame(octets: UInt64) async throws {
        let place = Workplace([
            Self.computing(Self.echo, cores: 0), Self.computing(Self.echo, cores: 1),
            Self.computing(Self.echo, cores: 1),
        ])
        // Nothing is fetched before both have told what they wrote.
        place.isHeld = { _, event in
            if case .session(.received(_, .job(.fetch))) = event { true } else { false }
        }
        var told: Set<SessionLink> = []
        let isFetchHeld = place.isHeld
        place.isHeld = { seat, event in
            if seat == 0, case .session(.received(let link, .job(.results))) = event { told.insert(link) }
            return isFetchHeld(seat, event)
        }
        try place.want(Self.order(Self.echo, [16, octets], trials: 16))
        await place.live { _ in told.count == 2 }
        place.release()
        await place.live { !$0.results.isEmpty || !$0.failures.isEmpty }
        #expect(place.effects.failures == [])
        let result = try #require(place.effects.results.first)
        let output = try #require(result.output)
        #expect(result.trials == 16 && output.size == 4 * (Framed.head([]).count + Int(octets)))
    }
}
