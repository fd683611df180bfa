import PotluckKit
import PotluckModel
import Testing

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
    func whatIsWrittenReadsBack(_ index: Int, _ text: String) throws {
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
        (0, "101", "is -3 to 100, not 101"), (0, "-4", "is -3 to 100, not -4"), (0, "x", "is -3 to 100, not x"),
        (0, "1e3", "is -3 to 100, not 1e3"), (0, "1e99", "is a whole number, -3 to 100, not 1e99"),
        (0, "1e", "is -3 to 100, not 1e"), (0, "9e18", "is -3 to 100, not 9e18"),
        (0, "", "is -3 to 100, not \"\""), (0, "2.5", "is a whole number, -3 to 100, not 2.5"),
        (0, "99999999999999999999", "is a whole number, -3 to 100, not 99999999999999999999"),
        (1, "nan", "is -0.5 to 1000000, not nan"), (1, "inf", "is -0.5 to 1000000, not inf"),
        (1, "0x1p3", "is -0.5 to 1000000, not 0x1p3"), (1, "1e7", "is -0.5 to 1000000, not 1e7"),
        (2, "calls", "has no calls, did you mean call?"), (2, "straddle", "is call or put, not straddle"),
        (3, "maybe", "is yes or no, not maybe"),
    ])
    func mistakesNameWhatIsPossible(_ index: Int, _ text: String, _ reason: String) {
        let error = #expect(throws: ParameterTextError.self) { try parameters[index].slot(of: text) }
        #expect(error?.reason == reason)
    }

    @Test func aSlotOutsideTheDomainDoesNoHarm() {
        #expect(parameters.map { $0.text(of: .max) }.suffix(3) == ["?", "?", "?"])
    }
}
