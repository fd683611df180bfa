import PotluckKit
import Testing

@Suite struct ParameterTests {
    enum Colour: ParameterChoice {
        case red, green, blue
        var name: StaticString {
            switch self {
            case .red: "red"
            case .green: "green"
            case .blue: "blue"
            }
        }
    }

    struct Painter: Simulation {
        static let name: StaticString = "painter"
        static let summary: StaticString = "Shows its parameters."
        @Parameter("coats", "how many coats", in: -2...5) var coats = 3
        @Parameter("thickness", "of each coat", in: 0.5...2) var thickness = 1.5
        @Parameter("colour", "of the paint") var colour = Colour.green
        @Parameter("dry", "whether it is dry") var isDry = true

        var problem: StaticString? { coats < 0 && isDry ? "what was never painted cannot be dry" : nil }
        var blockSize: Int { coats > 0 ? 16 : 32 }

        struct Tally: SimulationTally {
            var coats = ExactSum(), thickness = ExactSum(), colour = Count(), dry = Count()
            mutating func visit(_ visitor: inout some TallyVisitor) {
                visitor.field("coats", &coats)
                visitor.field("thickness", &thickness)
                visitor.field("colour", &colour)
                visitor.field("dry", &dry)
            }
        }

        func trial(_ random: inout RandomStream, _ tally: inout Tally) {
            tally.coats.add(coats)
            tally.thickness.add(thickness)
            tally.colour.add(colour == .blue)
            tally.dry.add(isDry)
        }

        static var readings: [ReadingRule<Painter>] {
            derived("coats", { _, tally, _ in tally.coats.value }, exact: { Double($0.coats) })
            derived("thickness") { _, tally, _ in tally.thickness.value }
            proportion("blue") { $0.colour }
            proportion("dry") { $0.dry }
        }
    }

    private let painter = AnySimulation(Painter.self, source: "")

    private func slots(_ coats: Int, _ thickness: Double, _ colour: UInt64, _ dry: UInt64) -> [UInt64] {
        [UInt64(bitPattern: Int64(coats)), thickness.bitPattern, colour, dry]
    }

    /// Returns the readings of one trial.
    private func seen(_ parameters: [UInt64]) throws -> [Double?] {
        let painter = try painter.prepared(parameters)
        let reply = painter.run(ChunkRequest(seed: 1, blocks: 0..<1, trials: 1)) { false }
        return painter.read(reply.slots, 1).map(\.value)
    }

    @Test func theyAreListedInOrder() {
        #expect(painter.parameters.map(\.name.description) == ["coats", "thickness", "colour", "dry"])
        #expect(painter.parameters[0].help.description == "how many coats")
        #expect(painter.standardParameters == slots(3, 1.5, 1, 1))
    }

    @Test func eachGetsItsValue() throws {
        #expect(try seen(painter.standardParameters) == [3, 1.5, 0, 1])
        #expect(try seen(slots(-2, 0.5, 2, 0)) == [-2, 0.5, 1, 0])
        #expect(try seen(slots(5, 2, 0, 1)) == [5, 2, 0, 1])
        #expect(try painter.prepared(slots(0, 1, 0, 0)).blockSize == 32)
        #expect(try painter.prepared(slots(1, 1, 0, 0)).blockSize == 16)
    }

    @Test func eachIsHeldAgainstItsRange() {
        let wrong: [(Int, [UInt64])] = [
            (0, slots(-3, 1, 0, 0)), (0, slots(6, 1, 0, 0)), (0, slots(1 << 32, 1, 0, 0)),
            (1, slots(1, 0.5.nextDown, 0, 0)), (1, slots(1, 2.0.nextUp, 0, 0)), (1, slots(1, .nan, 0, 0)),
            (1, slots(1, .infinity, 0, 0)), (2, slots(1, 1, 3, 0)), (2, slots(1, 1, .max, 0)), (3, slots(1, 1, 0, 2)),
            (1, slots(1, 9, 9, 9)),
        ]
        for (index, slots) in wrong {
            #expect(throws: ParameterError.outOfRange(index)) { try painter.prepared(slots) }
        }
        for count in [0, 3, 5] {
            #expect(throws: ParameterError.wrongCount) { try painter.prepared([UInt64](repeating: 1, count: count)) }
        }
    }

    @Test func conflictingParametersAreReported() {
        #expect(throws: ParameterError.conflict("what was never painted cannot be dry")) {
            try painter.prepared(slots(-1, 1, 0, 1))
        }
        #expect(throws: Never.self) { try painter.prepared(slots(-1, 1, 0, 0)) }
    }

    @Test func outsideAReaderTheyHaveTheirOwnValues() {
        let painter = Painter()
        #expect(painter.coats == 3 && painter.thickness == 1.5 && painter.colour == .green && painter.isDry)
    }

    @Test func threadsDoNotMixThemUp() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for coats in 0..<200 {
                group.addTask {
                    let coats = coats % 8 - 2
                    return try seen(slots(coats, 1, 0, 0))[0] == Double(coats)
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
