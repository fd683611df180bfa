import PotluckCore
import PotluckKit
import PotluckMachine

/// A module may declare and answer anything. This is either refused, or it can be shown, merged and counted.
extension Check {
    static let records = [declarations, replies, outputs, readings]

    private static let odd: [UInt64] = [
        0, 1, 2, 5, 6, .max, 1 << 63, 1 << 32, Double.nan.bitPattern, Double.infinity.bitPattern, (-1.0).bitPattern,
        1e300.bitPattern,
    ]

    private static let declarations = Check(name: "modules' declarations", few: 2000) { seeds in
        let records = [ModuleInterface.Shape.tally, .collect].map { shape in
            var writer = RecordWriter()
            let inputs = [Input("left", "a table", columns: "x", "y"), Input("b", "")]
            writer.describe(Mixture.self, source: "", shape: shape, inputs: inputs)
            return writer.slots
        }
        for seed in seeds {
            var generator = SeededGenerator(seed: seed)
            let record = mutated(records[Int(seed % 2)], &generator, odd: odd)
            guard let declaration = try? Declaration(record) else { continue }
            let layout = declaration.layout
            var tally = layout.empty
            layout.merge((0..<layout.slots).map { _ in generator.next() }, into: &tally)
            layout.merge((0..<layout.slots).map { _ in generator.next() }, into: &tally)
            _ = Replay.spoilt(tally, layout)
            for parameter in declaration.parameters {
                _ = parameter.range + parameter.text(of: generator.next())
                guard case .several = parameter.domain else { continue }
                for text in [parameter.text(of: parameter.standard), parameter.brief(parameter.standard)] {
                    try must(
                        (try? parameter.slot(of: text)) == parameter.standard,
                        "seed \(seed): \(text) does not read as the default of \(parameter.label)")
                }
            }
        }
    }

    private static let replies = Check(name: "modules' tallies", few: 2000) { seeds in
        let asked = RunRequest(shape: .tally, seed: 1, first: 2, blocks: 3, trials: 48)
        let honest: [UInt64] = [1, 3, 0, 0, 2, 40, 41, 0, 0]
        try must(try RunReply(honest, to: asked, slots: 2).slots == [40, 41], "an honest reply is refused")
        for seed in seeds {
            var generator = SeededGenerator(seed: seed)
            let record = mutated(honest, &generator, odd: odd)
            guard let reply = try? RunReply(record, to: asked, slots: 2) else { continue }
            try must(
                reply.blocks == 3 && reply.slots.count == 2 && reply.output.isEmpty && reply.rest.isEmpty,
                "seed \(seed): a wrong reply is believed")
        }
    }

    /// Mutated replies about a block that writes twelve bytes. An accepted reply can be merged, and its print computed.
    private static let outputs = Check(name: "modules' outputs", few: 2000) { seeds in
        let asked = RunRequest(shape: .collect, seed: 1, first: 2, blocks: 1, trials: 4)
        let honest: [UInt64] = [2, 1, 0, 0, 2, 40, 41, 12, 0x0807_0605_0403_0201, 0x0c0b_0a09, 0]
        try must(try RunReply(honest, to: asked, slots: 2).output == Array(1...12), "an honest output is refused")
        try must(
            (try? RunReply(honest, to: asked, slots: 2, writes: .nothing)) == nil, "an output that nobody declared")
        guard
            let layout = TallyLayout([
                TallyLayout.DeclaredField(name: "a", kind: .count), TallyLayout.DeclaredField(name: "b", kind: .count),
            ])?.withPrint
        else { throw Broken(description: "two counts are no layout") }
        for seed in seeds {
            var generator = SeededGenerator(seed: seed)
            let record = mutated(honest, &generator, odd: odd)
            let writes = [OutputKind.nothing, .text, .rows][Int(generator.next(below: 3))]
            guard let reply = try? RunReply(record, to: asked, slots: 2, writes: writes) else { continue }
            try must(
                reply.blocks == 1 && reply.slots.count == 2 && reply.rest.isEmpty
                    && (writes != .nothing || reply.output.isEmpty)
                    && (writes != .rows || reply.output.count % 32 == 0) && reply.output.count <= 8 * record.count,
                "seed \(seed): a wrong output is believed")
            var tally = layout.empty
            layout.merge(reply.slots + layout.empty.dropFirst(2), into: &tally)
            var print = OutputPrint()
            print.add(
                octets: UInt64(reply.output.count), hashes: (0..<4).map { _ in (0..<4).map { _ in generator.next() } })
            layout.put(print, into: &tally)
            try must(layout.print(in: tally) == print, "seed \(seed): the print is not the one that was put")
        }
    }

    private static let readings = Check(name: "modules' readings", few: 2000) { seeds in
        var writer = RecordWriter()
        let tally = Mixture.Tally()
        writer.read(Mixture(), tally.slots(TallyLayout(of: Mixture.Tally.self).slots), trials: 5)
        let declared = Mixture.readings.map { (name: $0.name.description, kind: $0.kind) }
        try must(
            try ReadingRecords.readings(writer.slots, declared: declared).count == declared.count,
            "honest readings are refused")
        for seed in seeds {
            var generator = SeededGenerator(seed: seed)
            let record = mutated(writer.slots, &generator, odd: odd)
            guard let readings = try? ReadingRecords.readings(record, declared: declared) else { continue }
            try must(
                readings.allSatisfy { $0.value?.isFinite != false && $0.halfWidth?.isNaN != true },
                "seed \(seed): a reading is not a number")
            try must(
                readings.allSatisfy { $0.kind != .histogram2D || $0.cells != nil }, "seed \(seed): a map without cells")
        }
    }
}

/// A simulation with a field of every kind and with readings.
private struct Mixture: Simulation {
    static let name: StaticString = "mixture"
    static let summary: StaticString = "Adds all kinds of numbers."

    enum Colour: ParameterChoice {
        case red, green
        var name: StaticString { self == .red ? "red" : "green" }
    }
    @Parameter("n", "a number", in: 1...10) var n = 3
    @Parameter("x", "another", in: -1...1) var x = 0.5
    @Parameter("colour", "a colour") var colour = Colour.green
    @Parameter("loud", "whether it is loud") var loud = false
    @Parameter("voices", "who sings", of: ["alto", "bass", "tenor"], count: 1...2) var voices: Several = ["bass"]

    struct Tally: SimulationTally {
        var count = Count(), sum = ExactSum(), least = Minimum(), most = Maximum(), moments = Moments()
        var bins = Histogram<5>(from: 0, to: 1)
        var both = Comoments<3>(), pairs = Pairs(), quantiles = Quantiles()
        var third = Counts<3>(), course = Series<2>()
        var cells = Histogram2D<3, 2>(x: 0..<1, y: -1..<1)
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("count", &count)
            visitor.field("sum", &sum)
            visitor.field("least", &least)
            visitor.field("most", &most)
            visitor.field("moments", &moments)
            visitor.field("bins", &bins)
            visitor.field("both", &both)
            visitor.field("pairs", &pairs)
            visitor.field("quantiles", &quantiles)
            visitor.field("third", &third)
            visitor.field("course", &course)
            visitor.field("cells", &cells)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) { tally.count.add(random.below(n) == 0) }

    static var readings: [ReadingRule<Mixture>] {
        proportion("part", { $0.count }, exact: { 1 / Double($0.n) })
        mean("mean", { $0.moments })
        histogram("bins", { $0.bins })
        ratio("ratio", { $0.both })
        slope("slope", { $0.pairs })
        median("median", { $0.quantiles })
        proportions(["one", "two", "three"]) { $0.third }
        series("course") { $0.course }
        histogram("cells") { $0.cells }
    }
}
