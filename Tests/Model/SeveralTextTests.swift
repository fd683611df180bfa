import PotluckKit
import Testing

@testable import PotluckCore

@Suite struct SeveralTextTests {
    private func parameter(
        _ names: [String], _ count: ClosedRange<Int>, standard: UInt64 = 1
    ) -> ParameterDescription {
        ParameterDescription(name: "airports", help: "", domain: .several(names, count: count), standard: standard)
    }

    /// A list that was drawn, and a slot of it.
    private func drawn(_ seed: UInt64) -> (parameter: ParameterDescription, names: [String], slot: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let size = 1 + Int(generator.next(below: 64))
        let names = (0..<size).map { place in
            "\(place)" + String(repeating: "y", count: 1 + Int(generator.next(below: 8)))
        }
        var slot: UInt64 = 0
        for _ in 0..<generator.next(below: UInt64(size) + 1) { slot |= 1 << generator.next(below: UInt64(size)) }
        let chosen = slot.nonzeroBitCount
        let least = Int(generator.next(below: UInt64(chosen) + 1))
        let most = chosen + Int(generator.next(below: UInt64(size - chosen) + 1))
        return (parameter(names, least...most, standard: slot), names, slot)
    }

    @Test func textOfAChoiceReadsBack() throws {
        for seed in 0..<2000 as Range<UInt64> {
            let (parameter, names, slot) = drawn(seed)
            #expect(try parameter.slot(of: parameter.text(of: slot)) == slot, "seed \(seed)")
            #expect(try parameter.slot(of: parameter.brief(slot)) == slot, "seed \(seed)")
            #expect(parameter.brief(slot).utf8.count <= JobTitle.longestValue, "seed \(seed)")
            #expect(try parameter.slot(of: "0x" + String(slot, radix: 16)) == slot, "seed \(seed)")
            // People type the names in any order.
            guard slot != 0 else { continue }
            var typed = names.indices.filter { slot >> UInt64($0) & 1 == 1 }.map { names[$0] }
            var generator = SeededGenerator(seed: seed)
            for place in typed.indices { typed.swapAt(place, Int(generator.next(below: UInt64(typed.count)))) }
            #expect(try parameter.slot(of: " " + typed.joined(separator: ", ")) == slot, "seed \(seed)")
        }
    }

    /// A slot that is no value is shown as a question mark, and typing it is refused.
    @Test func slotsOutsideTheDomainAreRefused() {
        for seed in 0..<500 as Range<UInt64> {
            let (parameter, _, _) = drawn(seed)
            var generator = SeededGenerator(seed: seed + 1_000_000)
            let slot = generator.next() >> generator.next(below: 64)
            guard !parameter.domain.contains(slot) else { continue }
            #expect(parameter.text(of: slot) == "?")
            #expect(throws: ParameterTextError.self) { try parameter.slot(of: "0x" + String(slot, radix: 16)) }
        }
    }

    @Test(arguments: [
        (0...3, "any of AMS, BCN, LHR"), (1...2, "1 to 2 of AMS, BCN, LHR"), (0...2, "up to 2 of AMS, BCN, LHR"),
        (2...3, "2 or more of AMS, BCN, LHR"), (2...2, "2 of AMS, BCN, LHR"),
    ])
    func theRangeSaysHowMany(_ count: ClosedRange<Int>, _ range: String) {
        #expect(parameter(["AMS", "BCN", "LHR"], count, standard: 3).range == range)
    }

    @Test func noneAndAllHaveWords() throws {
        let any = parameter(["AMS", "BCN", "LHR"], 0...3)
        #expect([0, 2, 5, 7].map { any.text(of: $0) } == ["none", "BCN", "AMS,LHR", "all"])
        #expect(try ["none", "BCN", "LHR,AMS", "all", "AMS,BCN,LHR"].map { try any.slot(of: $0) } == [0, 2, 5, 7, 7])
    }

    @Test(arguments: [
        ("BNC,LHR", "unknown name 'BNC'; did you mean 'BCN'?"),
        ("amsterdam", "unknown name 'amsterdam'; use AMS, BCN, JFK, LHR"),
        ("bcn,LHR", "unknown name 'bcn'; did you mean 'BCN'?"), ("BCN,LHR,BCN", "'BCN' is given twice"),
        ("BCN", "must be 2 to 3 of 4 names, not 1"), ("all", "must be 2 to 3 of 4 names, not 4"),
        ("none", "must be 2 to 3 of 4 names, not 0"), ("", "must be names with commas between them, such as AMS,BCN"),
        ("BCN,,LHR", "must be names with commas between them, such as AMS,BCN"),
        ("BCN,LHR,", "must be names with commas between them, such as AMS,BCN"),
        ("0x", "must be names with commas between them, such as AMS,BCN"),
        ("0x10", "must be names with commas between them, such as AMS,BCN"),
        ("0xf", "must be 2 to 3 of 4 names, not 4"),
        ("BCN LHR", "must be names with commas between them, such as AMS,BCN"),
        ("BCN,all", "must be names with commas between them, such as AMS,BCN"),
        ("ALL", "unknown name 'ALL'; did you mean 'all'?"),
    ])
    func mistakesSayTheirReason(_ text: String, _ reason: String) {
        let airports = parameter(["AMS", "BCN", "JFK", "LHR"], 2...3, standard: 3)
        let error = #expect(throws: ParameterTextError.self) { try airports.slot(of: text) }
        #expect(error?.reason == reason)
    }

    /// A message has room for a label. What is longer is written as a number, which is no quantity in the history.
    @Test func aLongListFitsATitle() {
        let long = parameter((0..<64).map { "name\($0)" }, 0...64)
        let slot = UInt64.max >> 1
        #expect(long.text(of: slot).utf8.count > JobTitle.longestValue && long.brief(slot) == "0x7fffffffffffffff")
        #expect(long.brief(.max) == "all" && long.brief(6) == "name1,name2")
        #expect(RecordedParameter(long, slot: slot).text == long.text(of: slot))
        #expect(RecordedParameter(long, slot: slot).number == nil)
    }

    /// A node without the simulation records what the title says. A slot is no quantity to compare or plot by.
    @Test func aTitleIsRecordedAsItIs() {
        let given: [(text: String, number: Double?)] = [("0x1f", nil), ("AMS,BCN", nil), ("12", 12), ("-0.5", -0.5)]
        let title = JobTitle(
            summary: "", parameters: given.map { .init(label: "p", value: $0.text, isStandard: false) }, counts: [])
        let experiment = Experiment(
            simulation: SimulationIdentity(name: "sample", source: "", streams: 1), parameters: [31, 3, 12, 0], seed: 1,
            blockSize: 16)
        let result = JobResult(
            spec: JobSpec(JobRecipe(experiment: experiment, goal: Goal(trials: 16)), title: title), trials: 16,
            tally: [],
            readings: [], completion: .trials, elapsed: .zero, nodes: [])
        let record = RunRecord(key: "", result, of: nil, digest: "", startedAt: 0)
        #expect(record.parameters.map(\.text) == given.map(\.text))
        #expect(record.parameters.map(\.number) == given.map(\.number))
    }
}
