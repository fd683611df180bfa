import PotluckCommand
import PotluckKit
import Testing

@testable import Potluck
@testable import PotluckCore

/// A simulation with a field of each kind.
private struct Sample: Simulation {
    static let name: StaticString = "sample"
    static let summary: StaticString = "Nothing of interest"

    struct Tally: SimulationTally {
        var hits = Count()
        var total = ExactSum()
        var least = Minimum()
        var most = Maximum()
        var gains = Moments()
        var spread = Histogram<3>(from: -1, to: 2)
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("hits", &hits)
            visitor.field("total", &total)
            visitor.field("least", &least)
            visitor.field("most", &most)
            visitor.field("gains", &gains)
            visitor.field("spread", &spread)
        }
    }
    func trial(_ random: inout RandomStream, _ tally: inout Tally) {}
    static var readings: [ReadingRule<Sample>] { mean("gains") { $0.gains } }
}

@Suite struct ResultJSONTests {
    private let layout = TallyLayout(of: Sample.Tally.self)

    private func text(_ fill: (inout Sample.Tally) -> Void) -> String {
        var tally = Sample.Tally()
        fill(&tally)
        return TallyJSON.value(tally.slots(layout.slots), layout).text
    }

    @Test func everyFieldHasItsShape() {
        let text = text { tally in
            tally.hits.add(7)
            for x in [1.5, -2.25, 0.5] {
                tally.total.add(x)
                tally.least.add(x)
                tally.most.add(x)
                tally.gains.add(x)
                tally.spread.add(x)
            }
        }
        #expect(
            text == #"{"hits":7,"total":-0.25,"least":-2.25,"most":1.5,"#
                + #""gains":{"count":3,"sum":-0.25,"squares":7.5625,"mean":-0.08333333333333333,"variance":3.7708333333333335},"#
                + #""spread":{"from":-1.0,"to":2.0,"below":1,"bins":[0,1,1],"above":0}}"#)
    }

    @Test func nothingYetIsNull() {
        #expect(
            text { _ in } == #"{"hits":0,"total":0.0,"least":null,"most":null,"#
                + #""gains":{"count":0,"sum":0.0,"squares":0.0,"mean":null,"variance":null},"#
                + #""spread":{"from":-1.0,"to":2.0,"below":0,"bins":[0,0,0],"above":0}}"#)
    }

    @Test func aSpoiltReadingIsNullAndNamed() {
        let text = text { tally in
            tally.total.add(.nan)
            tally.least.add(.nan)
            tally.gains.add(.nan)
        }
        #expect(text.contains(#""total":null,"least":null"#))
        #expect(text.contains(#""sum":null,"squares":null,"mean":null,"variance":null"#))
        let spoilt = Reading(name: "gains", kind: .mean, value: nil, isSpoilt: true)
        #expect(
            RunJSON.reading(spoilt).text
                == #"{"name":"gains","value":null,"low":null,"high":null,"confidence":null,"exact":null,"spoilt":true}"#
        )
    }

    @Test func aHistogramBringsItsBins() {
        let reading = Reading(name: "spread", kind: .histogram, value: nil, bins: [1, 2, 3, 4], range: 0...5)
        #expect(
            RunJSON.reading(reading).text.hasSuffix(
                #""histogram":{"from":0.0,"to":5.0,"below":1,"bins":[2,3],"above":4}}"#))
    }

    @Test func cellsAreRowsFromTheLowestY() {
        let words = [2, (-1.5).bitPattern, 1.0.bitPattern, 7, 1, 2, 3, 4]
        let reading = Reading(name: "plane", kind: .histogram2D, value: nil, bins: words, range: 0...5)
        #expect(
            RunJSON.reading(reading).text.hasSuffix(
                #""histogram2d":{"x":{"from":0.0,"to":5.0},"y":{"from":-1.5,"to":1.0},"outside":7,"rows":[[1,2],[3,4]]}}"#
            ))
        // Another node may send any words.
        let wrong = Reading(name: "plane", kind: .histogram2D, value: nil, bins: [3, 4, 5], range: 0...5)
        #expect(!RunJSON.reading(wrong).text.contains("histogram"))
    }

    private struct Several: SimulationTally {
        var both = Comoments<2>(), spread = Quantiles()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("both", &both)
            visitor.field("spread", &spread)
        }
    }

    @Test func severalNumbersHaveMeansAndCovariances() {
        var tally = Several()
        let layout = TallyLayout(of: Several.self)
        #expect(
            TallyJSON.value(tally.slots(layout.slots), layout).text
                == #"{"both":{"count":0,"means":[null,null],"covariances":[[null,null],[null,null]]},"#
                + #""spread":{"below":0,"above":0,"buckets":[]}}"#)
        for x in [1.0, 2, 3] {
            tally.both.add([x, 5 - 2 * x])
            tally.spread.add(-x * 100)
        }
        tally.spread.add(.infinity)
        #expect(
            TallyJSON.value(tally.slots(layout.slots), layout).text
                == #"{"both":{"count":3,"means":[2.0,1.0],"covariances":[[1.0,-2.0],[-2.0,4.0]]},"#
                + #""spread":{"below":0,"above":1,"#
                + #""buckets":[[-304.0,-296.0,1],[-204.0,-200.0,1],[-102.0,-100.0,1]]}}"#)
    }
}
