import PotluckKit
import Testing

@testable import PotluckCore

private enum Side: CaseIterable, ParameterChoice {
    case call, put
    var name: StaticString { self == .call ? "call" : "put" }
}

/// Has a parameter of each kind.
private struct Sample: Simulation {
    static let name: StaticString = "sample"
    static let summary: StaticString = "Nothing of interest"
    @Parameter("doors", "doors", in: -3...100) var doors = 3
    @Parameter("rate", "a rate", in: -0.5...1e6) var rate = 0.25
    @Parameter("side", "which") var side = Side.put
    @Parameter("fast", "whether") var fast = true

    struct Tally: SimulationTally {
        var hits = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("hits", &hits) }
    }
    func trial(_ random: inout RandomStream, _ tally: inout Tally) {}
    static var readings: [ReadingRule<Sample>] { proportion("hits") { $0.hits } }
}

@Suite struct ParameterTextTests {
    private let parameters = AnySimulation(Sample.self, source: "").parameters

    @Test func rangesAndStandardValuesAreReadable() {
        #expect(parameters.map(\.range) == ["-3 to 100", "-0.5 to 1000000", "call or put", "yes or no"])
        #expect(parameters.map { $0.text(of: $0.standard) } == ["3", "0.25", "put", "yes"])
        #expect(parameters.map(\.label) == ["doors", "rate", "side", "fast"])
    }

    @Test(arguments: [
        (0, "-3"), (0, "100"), (1, "0.1"), (1, "1000000"), (1, "-0.5"), (1, "1e-05"), (2, "call"), (2, "put"),
        (3, "yes"),
        (3, "no"),
    ])
    func parameterTextReadsBack(_ index: Int, _ text: String) throws {
        #expect(try parameters[index].text(of: parameters[index].slot(of: text)) == text)
    }

    @Test(arguments: [("1e1", 10), ("-2e0", -2), ("1_0", 10), ("1e+2", 100), ("0e9", 0)])
    func wholeNumbersAreWrittenAsTrialsAre(_ text: String, _ value: Int64) throws {
        #expect(try Int64(bitPattern: parameters[0].slot(of: text)) == value)
    }

    @Test func zeroHasOneSlot() throws {
        #expect(try parameters[1].slot(of: "-0.0") == 0)
    }

    @Test(arguments: [
        (0, "101", "must be -3 to 100"), (0, "-4", "must be -3 to 100"), (0, "x", "must be -3 to 100"),
        (0, "1e3", "must be -3 to 100"), (0, "1e99", "must be a whole number, -3 to 100"),
        (0, "1e", "must be -3 to 100"), (0, "9e18", "must be -3 to 100"),
        (0, "", "must be -3 to 100"), (0, "2.5", "must be a whole number, -3 to 100"),
        (0, "99999999999999999999", "must be a whole number, -3 to 100"),
        (1, "nan", "must be -0.5 to 1000000"), (1, "inf", "must be -0.5 to 1000000"),
        (1, "0x1p3", "must be -0.5 to 1000000"), (1, "1e7", "must be -0.5 to 1000000"),
        (2, "calls", "must be call or put; did you mean 'call'?"), (2, "straddle", "must be call or put"),
        (3, "maybe", "must be yes or no"),
    ])
    func mistakesNameTheAllowedValues(_ index: Int, _ text: String, _ reason: String) {
        let error = #expect(throws: ParameterTextError.self) { try parameters[index].slot(of: text) }
        #expect(error?.reason == reason)
    }

    @Test func aSlotOutsideTheDomainDoesNoHarm() {
        #expect(parameters.map { $0.text(of: .max) }.suffix(3) == ["?", "?", "?"])
    }
}
