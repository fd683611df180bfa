import PotluckModel
import Testing

@testable import PotluckEngine

/// A laptop that restarts has one row with all of its trials.
@Suite struct CreditTests {
    private static func row(_ number: UInt8, _ name: String, _ trials: UInt64, _ work: NodeWork = .computing) -> NodeRow
    {
        NodeRow(node: node(number), name: name, cores: 2, trials: trials, rate: 3, work: work)
    }

    private static func node(_ number: UInt8) -> NodeID { NodeID(firstOctetsOf: [UInt8](repeating: number, count: 16)) }

    private static func credit(_ rows: [NodeRow]) -> [String] {
        Credit.joined(rows).map { "\($0.name) \($0.trials) \($0.node.short == node(1).short ? 1 : 0)" }
    }

    @Test func aNodeThatRestartsKeepsItsTrials() {
        let rows = [Self.row(1, "ana", 5, .gone), Self.row(2, "lab", 7), Self.row(3, "ana", 11, .idle)]
        #expect(Self.credit(rows) == ["lab 7 0", "ana 16 0"])
        // The order of the rows makes no difference.
        #expect(Self.credit(rows.reversed()) == ["ana 16 0", "lab 7 0"])
        let joined = Credit.joined(rows)[1]
        #expect(joined.node == Self.node(3) && joined.work == .idle && joined.rate == 3 && joined.cores == 2)
    }

    /// While the session still waited for the old node, the two had IDs in their names.
    @Test func anIDInTheNameIsNoPartOfIt() {
        let old = "ana (\(Self.node(1).short))"
        #expect(Self.credit([Self.row(1, old, 5, .gone), Self.row(3, "ana", 11)]) == ["ana 16 0"])
        #expect(Self.credit([Self.row(2, old, 5, .gone), Self.row(3, "ana", 11)]).count == 2)
    }

    @Test func aNodeThatRestartsTwiceAndLeavesHasOneRow() {
        let rows = (1...3).map { Self.row($0, "ana", 5, .gone) }
        #expect(Self.credit(rows) == ["ana 15 0"])
    }

    @Test func twoLaptopsOfOneNameStayApart() {
        let rows = [Self.row(1, "ana", 1, .gone), Self.row(2, "ana", 2), Self.row(3, "ana", 4, .silent)]
        #expect(Credit.joined(rows) == rows)
    }

    /// Nothing that a dishonest node computed counts, and it gives its row to nobody.
    @Test func aNodeThatIsShutOutIsShown() {
        let rows = [Self.row(1, "ana", 0, .shutOut), Self.row(2, "ana", 2)]
        #expect(Credit.joined(rows) == rows)
    }

    @Test func noTrialIsLost() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let rows = (1...UInt8(1 + random.next(below: 12))).map { number in
                let work: NodeWork = [.computing, .gone, .shutOut, .idle][Int(random.next(below: 4))]
                return Self.row(number, ["ana", "bo", "cy"][Int(random.next(below: 3))], random.next(below: 100), work)
            }
            let joined = Credit.joined(rows)
            #expect(joined.reduce(0) { $0 + $1.trials } == rows.reduce(0) { $0 + $1.trials })
            #expect(Credit.joined(joined) == joined)
            #expect(joined.count { $0.work != .gone } == rows.count { $0.work != .gone })
        }
    }
}
