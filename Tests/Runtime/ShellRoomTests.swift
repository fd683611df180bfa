import PotluckCore
import PotluckEngine
import PotluckKit
import Testing

@testable import Potluck

/// Rooms of extreme shapes, with everything real but the network and the clock. The result and the file equal those of
/// one machine.
@Suite(.timeLimit(.minutes(60))) struct ShellRoomTests {
    /// Writes nothing, a little or a lot in every block.
    private struct Scribe: Gathering {
        static let name: StaticString = "scribe"
        static let summary: StaticString = "What a room writes"
        @Parameter("units", "how many", in: 1...10_000) var count = 400
        @Parameter("octets", "of each block", in: 0...2_000_000) var octets = 0
        @Parameter("alike", "whether all blocks write the same", in: 0...1) var alike = 0

        struct Tally: SimulationTally {
            var sum = Count()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("sum", &sum) }
        }

        var units: UInt64 { UInt64(count) }
        var blockSize: Int { 4 }

        func block(
            _ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout PotluckKit.Output,
            _ tally: inout Tally
        ) {
            for _ in units { if random.next() % 2 == 0 { tally.sum.add() } }
            let octet = alike == 1 ? 7 : UInt8(truncatingIfNeeded: units.lowerBound / 4)
            for _ in 0..<octets { output.put(octet) }
        }

        static var readings: [ReadingRule<Scribe>] { derived("sum", { _, tally, _ in Double(tally.sum.value) }) }
    }

    private struct Shape: CustomTestStringConvertible {
        let cores: [Int]
        let octets: UInt64
        let alike: UInt64
        var units: UInt64 = 400
        var reading: Duration = .milliseconds(1)
        var blockCost: Duration = .milliseconds(20)
        var liar: Int?
        var testDescription: String { "\(cores) cores, \(octets) octets, alike \(alike), readings of \(reading)" }
    }

    private static let shapes = [
        Shape(cores: [0, 1, 1], octets: 0, alike: 1), Shape(cores: [0, 2, 1, 1], octets: 9, alike: 1),
        Shape(cores: [1, 2, 0], octets: 40, alike: 0), Shape(cores: [0, 1, 1], octets: 700_000, alike: 0, units: 40),
        Shape(cores: [1, 1, 1], octets: 1_500_000, alike: 1, units: 24),
        Shape(cores: [0, 128, 128], octets: 3, alike: 0, units: 10_000, blockCost: .microseconds(20)),
        Shape(cores: [2, 1], octets: 5, alike: 0, reading: .milliseconds(300)),
        Shape(cores: [0, 1, 1, 1], octets: 5, alike: 0, liar: 1),
        Shape(cores: [1, 1, 1, 1], octets: 0, alike: 1, blockCost: .milliseconds(60), liar: 2),
    ]

    private static let scribe = AnySimulation(Scribe.self, source: "")

    /// Returns a simulation that counts one too many in every chunk.
    private static func liar(_ parameters: [UInt64]) throws -> AnySimulation {
        let honest = try scribe.prepared(parameters)
        return AnySimulation(
            name: scribe.name, summary: "", source: scribe.source, parameters: scribe.parameters, layout: scribe.layout,
            readings: scribe.readings
        ) { _, _ in
            .success(
                PreparedSimulation(
                    parameters: parameters, blockSize: honest.blockSize, layout: honest.layout, units: honest.units,
                    writes: honest.writes,
                    run: { request, shouldStop in
                        var reply = honest.run(request, shouldStop)
                        if reply.end > request.blocks.lowerBound { reply.slots[0] += 1 }
                        return reply
                    }, read: { .success(honest.read($0, $1)) }))
        }
    }

    @Test(arguments: shapes.indices) func theResultIsThatOfOneMachine(index: Int) async throws {
        let shape = Self.shapes[index]
        let parameters = [shape.units, shape.octets, shape.alike]
        let crew = try shape.cores.enumerated().map { seat, cores in
            let simulation = seat == shape.liar ? try Self.liar(parameters) : Self.scribe
            return Computing(Simulations([simulation]), cores: cores, priority: .normal)
        }
        let room = ShellRoom(crew, blockCost: shape.blockCost, reading: shape.reading)
        let experiment = try Self.scribe.experiment(parameters: parameters, seed: 5)
        room.order(
            JobOrder(JobRecipe(experiment: experiment, goal: Goal(trials: shape.units), collects: true), workers: 2))
        await room.live(until: .seconds(300)) { $0.contains { $0.isAnEnd } }

        let ends = room.effects.filter(\.isAnEnd)
        guard case .tell(.finished(_, let result, _))? = ends.first else {
            Issue.record("\(shape.testDescription): \(ends) at \(room.now.nanoseconds / 1_000_000) ms")
            return
        }
        let whole = try Self.whole(experiment, shape.units)
        #expect(result.trials == shape.units && result.tally == whole.tally)
        #expect(result.output?.hash == whole.file.hash && result.output?.size == whole.file.size)
        #expect(room.mostUnread <= 1)
        let liars = room.effects.compactMap { if case .tell(.news(.liar(_, let node, _))) = $0 { node } else { nil } }
        #expect(liars == shape.liar.map { [room.id($0)] } ?? [])
    }

    /// Returns what one machine counts and writes. It runs block by block, because a larger chunk ends early once it
    /// has written much.
    private static func whole(
        _ experiment: Experiment, _ units: UInt64
    ) throws -> (tally: [UInt64], file: BlobReference) {
        let prepared = try scribe.prepared(experiment.parameters)
        var tally = prepared.layout.empty
        var octets: [UInt8] = []
        for block in 0..<experiment.blocks(for: units) {
            var reply = prepared.run(ChunkRequest(seed: experiment.seed, blocks: block..<block + 1, trials: units)) {
                false
            }
            prepared.layout.put(OutputPrint(reply.outputs, from: block), into: &reply.slots)
            prepared.layout.merge(reply.slots, into: &tally)
            octets += Framed.octets(reply.outputs)
        }
        return (tally, try #require(BlobReference(of: octets, atMost: BlobReference.largest)))
    }
}

extension Effect {
    fileprivate var isAnEnd: Bool {
        if case .tell(let event) = self { event.endedJob != nil } else { false }
    }
}
