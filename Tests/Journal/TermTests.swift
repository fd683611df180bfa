import PotluckCore
import Testing

@testable import PotluckMachine

/// Names of fields, parameters and readings in conditions.
@Suite struct TermTests {
    private static let names = Term.Names(
        parameters: ["distance", "rate", "doors"], readings: ["distance", "price", "cores"], nodes: [])

    /// A name that means several things is refused, with each way to write it.
    @Test(arguments: [
        ("distance", "'distance' is a parameter and a reading; write parameter.distance or reading.distance"),
        ("rate", "'rate' is a property of every run and a parameter; write run.rate or parameter.rate"),
        ("cores", "'cores' is a property of every run and a reading; write run.cores or reading.cores"),
    ]) func aSharedNameIsRefused(_ name: String, _ reason: String) throws {
        #expect(throws: TermError(reason)) { try Term(name, among: Self.names) }
        let error = #expect(throws: ConditionError.self) {
            try Condition("trials>3 and \(name)>3000", names: Self.names) { _ in nil }
        }
        #expect(error?.reason == reason && error?.column == 14)
    }

    @Test func eachMeaningCanBeWritten() throws {
        let meanings: [(String, Term.Kind)] = [
            ("parameter.distance", .parameter("distance")), ("reading.distance", .reading("distance", .value)),
            ("distance.low", .reading("distance", .low)), ("reading.distance.low", .reading("distance", .low)),
            ("run.rate", .field(.rate)), ("parameter.rate", .parameter("rate")), ("run.trials", .field(.trials)),
            ("doors", .parameter("doors")), ("price.exact", .reading("price", .exact)), ("trials", .field(.trials)),
        ]
        for (text, kind) in meanings { #expect(try Term(text, among: Self.names).kind == kind, "\(text)") }
        for text in ["run.doors", "reading.doors", "parameter.price", "reading.distance.lower", "run.rate.low"] {
            #expect(throws: TermError.self) { try Term(text, among: Self.names) }
        }
    }

    /// Among the runs of one simulation, a name that only another simulation shares needs no prefix.
    @Test func namesAreSharedOnlyWhereTheyOccur() throws {
        let folder = try Folder()
        let history = try History.open(at: folder["history.db"])
        var chance = SeededGenerator(seed: 3)
        var (plain, other) = (Runs.random(&chance), Runs.random(&chance))
        plain.simulation = SimulationIdentity(name: "plain", source: plain.simulation.source, streams: 1)
        other.simulation = SimulationIdentity(name: "other", source: other.simulation.source, streams: 1)
        other.parameters = [RecordedParameter(name: "rate", slot: 1, text: "1", number: 1)]
        for run in [plain, other] { try history.record(run) }
        let all = try history.names().terms
        #expect(throws: TermError.self) { try Term("rate", among: all) }
        #expect(try Term("rate", among: history.names(all, of: "plain")).kind == .field(.rate))
        #expect(throws: TermError.self) { try Term("rate", among: history.names(all, of: "other")) }
    }
}
