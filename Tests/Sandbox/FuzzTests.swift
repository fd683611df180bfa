import Foundation
import PotluckKit
import PotluckModel
import Testing

@testable import PotluckSandbox

/// Records and modules that nobody should send: as many rounds as POTLUCK_FUZZ says. CI runs a million of records.
@Suite(.timeLimit(.minutes(20))) struct FuzzTests {
    private static let rounds = ProcessInfo.processInfo.environment["POTLUCK_FUZZ"].flatMap(UInt64.init) ?? 2000
    /// Compiling takes thousands of times as long as reading a record.
    private static let modules = max(200, rounds / 1000)

    private func mutated<Element: FixedWidthInteger>(
        _ record: [Element], _ generator: inout SeededGenerator, odd: [Element]
    ) -> [Element] {
        var record = record
        for _ in 0...generator.next(below: 3) {
            let place = record.isEmpty ? 0 : Int(generator.next(below: UInt64(record.count)))
            switch generator.next(below: 5) {
            case 0 where !record.isEmpty: record[place] ^= 1 << Element(generator.next(below: UInt64(Element.bitWidth)))
            case 1 where !record.isEmpty: record[place] = odd[Int(generator.next(below: UInt64(odd.count)))]
            case 2 where !record.isEmpty: record.remove(at: place)
            case 3: record.insert(Element(truncatingIfNeeded: generator.next()), at: place)
            default: record = Array(record.prefix(place))
            }
        }
        return record
    }

    private static let oddSlots: [UInt64] = [
        0, 1, 2, 5, 6, .max, 1 << 63, 1 << 32, Double.nan.bitPattern, Double.infinity.bitPattern, (-1.0).bitPattern,
        1e300.bitPattern,
    ]

    /// A declaration that gets through can be shown and merged.
    @Test func declarations() {
        let records = [ModuleInterface.Shape.tally, .collect].map { shape in
            var writer = RecordWriter()
            writer.describe(Mixture.self, source: "", shape: shape, inputs: [Input("left", "a table"), Input("b", "")])
            return writer.slots
        }
        for round in 0..<Self.rounds {
            var generator = SeededGenerator(seed: round)
            let record = records[Int(round % 2)]
            guard let declaration = try? Declaration(mutated(record, &generator, odd: Self.oddSlots)) else { continue }
            let layout = declaration.layout
            var tally = layout.empty
            layout.merge((0..<layout.slots).map { _ in generator.next() }, into: &tally)
            layout.merge((0..<layout.slots).map { _ in generator.next() }, into: &tally)
            _ = Replay.spoilt(tally, layout)
            for parameter in declaration.parameters {
                _ = parameter.range + parameter.text(of: generator.next()) + parameter.text(of: parameter.standard)
            }
        }
    }

    @Test func replies() throws {
        let asked = RunRequest(shape: .tally, seed: 1, first: 2, blocks: 3, trials: 48)
        let honest: [UInt64] = [1, 3, 0, 0, 2, 40, 41, 0, 0]
        #expect(try RunReply(honest, to: asked, slots: 2).slots == [40, 41])
        for round in 0..<Self.rounds {
            var generator = SeededGenerator(seed: round)
            let record = mutated(honest, &generator, odd: Self.oddSlots)
            guard let reply = try? RunReply(record, to: asked, slots: 2) else { continue }
            #expect(reply.blocks == 3 && reply.slots.count == 2 && reply.output.isEmpty && reply.rest.isEmpty)
        }
    }

    /// Of a block that writes twelve octets. What gets through can be merged, and its print told.
    @Test func repliesThatWrite() throws {
        let asked = RunRequest(shape: .collect, seed: 1, first: 2, blocks: 1, trials: 4)
        let honest: [UInt64] = [2, 1, 0, 0, 2, 40, 41, 12, 0x0807_0605_0403_0201, 0x0c0b_0a09, 0]
        #expect(try RunReply(honest, to: asked, slots: 2).output == Array(1...12))
        #expect(throws: SandboxError.self) { try RunReply(honest, to: asked, slots: 2, writes: .nothing) }
        let layout = try #require(
            TallyLayout([
                TallyLayout.DeclaredField(name: "a", kind: .count), TallyLayout.DeclaredField(name: "b", kind: .count),
            ])
        ).withPrint
        for round in 0..<Self.rounds {
            var generator = SeededGenerator(seed: round)
            let record = mutated(honest, &generator, odd: Self.oddSlots)
            let writes = [OutputKind.nothing, .text, .rows][Int(generator.next(below: 3))]
            guard let reply = try? RunReply(record, to: asked, slots: 2, writes: writes) else { continue }
            #expect(reply.blocks == 1 && reply.slots.count == 2 && reply.rest.isEmpty)
            #expect(writes != .nothing || reply.output.isEmpty)
            #expect(writes != .rows || reply.output.count % 32 == 0)
            #expect(reply.output.count <= 8 * record.count)
            var tally = layout.empty
            layout.merge(reply.slots + layout.empty.dropFirst(2), into: &tally)
            var print = OutputPrint()
            print.add(
                octets: UInt64(reply.output.count), hashes: (0..<4).map { _ in (0..<4).map { _ in generator.next() } })
            layout.put(print, into: &tally)
            #expect(layout.print(in: tally) == print)
        }
    }

    @Test func readings() throws {
        var writer = RecordWriter()
        let tally = Mixture.Tally()
        writer.read(Mixture(), tally.slots(TallyLayout(of: Mixture.Tally.self).slots), trials: 5)
        let declared = Mixture.readings.map { (name: $0.name.description, kind: $0.kind) }
        #expect(try ReadingRecords.readings(writer.slots, declared: declared).count == declared.count)
        for round in 0..<Self.rounds {
            var generator = SeededGenerator(seed: round)
            let record = mutated(writer.slots, &generator, odd: Self.oddSlots)
            guard let readings = try? ReadingRecords.readings(record, declared: declared) else { continue }
            #expect(readings.allSatisfy { $0.value?.isFinite != false && $0.halfWidth?.isNaN != true })
        }
    }

    /// What a module is asked may have come from anybody, and is nothing that it can count on: it answers, or is ended.
    @Test(.enabled(if: Made.canRun, "wasmtime is not here: make deps fetches it")) func requests() throws {
        let limits = PluginLimits(memory: 4 << 20, time: .milliseconds(20))
        let modules = [
            try Module(Made.simulation("Plugins/Pi/Pi.swift"), cache: nil),
            try Module(Made.c("Examples/PluginInC/coins.c", name: "coins-asked"), cache: nil),
            try Module(Made.c("Examples/PluginInC/nearest.c", name: "nearest-asked"), cache: nil),
            try Module(Made.simulation("Plugins/MatrixProduct/MatrixProduct.swift"), cache: nil),
        ]
        let run = RunRequest(shape: .tally, seed: 1, first: 2, blocks: 3, trials: 48).record
        // Three points of two coordinates.
        let points = Settings(
            parameters: [0], tables: [Table(rows: 3, columns: 2, numbers: [0, 0, 3, 4, 5, 6])]
        ).record
        let records: [(String, [UInt64])] = [
            ("potluck_configure", [0, 0]), ("potluck_configure", [1, 20, 0]), ("potluck_run", run),
            ("potluck_read", [48, 1, 40]), ("potluck_configure", points),
            ("potluck_run", RunRequest(shape: .collect, seed: 0, first: 0, blocks: 1, trials: 3).record),
        ]
        for round in 0..<Self.modules * 10 {
            var generator = SeededGenerator(seed: round)
            let module = modules[Int(round % 4)]
            // Whatever comes of it, the next one is asked in peace.
            _ = try? module.withInstance(limits) { instance throws(SandboxError) in
                for _ in 0..<4 {
                    let (function, record) = records[Int(generator.next(below: UInt64(records.count)))]
                    _ = try instance.record(function, mutated(record, &generator, odd: Self.oddSlots))
                }
            }
        }
        for module in modules {
            let record = try module.withInstance(limits) { instance throws(SandboxError) in
                try instance.record("potluck_describe")
            }
            #expect(throws: Never.self) { try Declaration(record) }
        }
    }

    /// A module with some octets changed is refused, or runs and gives a tally or an error.
    @Test(.enabled(if: Made.canRun, "wasmtime is not here: make deps fetches it")) func modules() throws {
        let limits = PluginLimits(memory: 4 << 20, time: .milliseconds(20))
        let originals = [
            try Made.hostile("fine"), try Made.c("Examples/PluginInC/coins.c", name: "coins"),
            try Made.c("Examples/PluginInC/nearest.c", name: "nearest"),
        ]
        let table = Table(rows: 3, columns: 2, numbers: [0, 0, 3, 4, 5, 6])
        for round in 0..<Self.modules {
            var generator = SeededGenerator(seed: round)
            let original = originals[Int(round % 3)]
            let octets = mutated(original, &generator, odd: [0, 1, 0x7f, 0x80, 0xff, 0x0b, 0x03, 0x0c])
            guard let plugin = try? Plugin(octets, label: "mutant", limits: limits) else { continue }
            let simulation = plugin.simulation
            let tables = simulation.inputs.map { _ in table }
            guard let prepared = try? simulation.prepared(simulation.standardParameters, tables: tables) else {
                continue
            }
            let reply = prepared.run(ChunkRequest(seed: 1, blocks: 0..<2, trials: 1000)) { false }
            #expect(reply.end == 2 || reply.failure != nil)
            #expect(reply.outputs.count == (prepared.writes == .nothing ? 0 : Int(reply.end)))
            _ = prepared.read(reply.slots, 1000)
        }
    }
}

/// Has a field of every kind, and readings.
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

    struct Tally: SimulationTally {
        var count = Count(), sum = ExactSum(), least = Minimum(), most = Maximum(), moments = Moments()
        var bins = Histogram<5>(from: 0, to: 1)
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("count", &count)
            visitor.field("sum", &sum)
            visitor.field("least", &least)
            visitor.field("most", &most)
            visitor.field("moments", &moments)
            visitor.field("bins", &bins)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) { tally.count.add(random.below(n) == 0) }

    static var readings: [ReadingRule<Mixture>] {
        proportion("part", { $0.count }, exact: { 1 / Double($0.n) })
        mean("mean", { $0.moments })
        histogram("bins", { $0.bins })
    }
}
