import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

/// Trials that are played one by one, in words.
@Suite struct TrialViewTests {
    private func reading(_ name: String, _ kind: ReadingKind, _ value: Double?) -> Reading {
        Reading(name: name, kind: kind, value: value, exact: 0.5)
    }

    @Test func aTrialIsToldByWhatHappened() {
        let (stay, other) = (reading("stay", .proportion, 1), reading("switch", .proportion, 0))
        #expect(TrialView.told([stay, other]) == "stay")
        #expect(TrialView.told([reading("hit", .proportion, 0), reading("miss", .category, 0)]) == "no hit, no miss")
        let values = [reading("packets", .mean, 231), reading("spread", .variance, 0), stay]
        #expect(TrialView.told(values) == "stay, packets 231")
        #expect(TrialView.told([reading("bins", .histogram, nil), reading("none", .mean, nil)]) == "")
    }

    @Test func notesAreBesideTheirTrialAndAnswersAreHidden() {
        let canvas = Canvas(columns: 40, unicode: true, colour: false)
        let readings = [reading("stay", .proportion, 1)]
        let lines = TrialView.lines(12, readings, notes: ["the car is \u{1b}[31mhere"], on: canvas)
        #expect(lines.map { $0.rendered(on: canvas) } == ["trial 12  stay", "    the car is ?[31mhere"])
        let sum = TrialView.sum(readings, on: canvas).map { $0.rendered(on: canvas) }.joined(separator: "\n")
        #expect(sum.contains("stay") && !sum.contains("exact"))
    }
}
