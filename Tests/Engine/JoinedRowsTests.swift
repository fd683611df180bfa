import PotluckCore
import Testing

@testable import PotluckEngine

/// A laptop that restarts has one row with all of its trials.
@Suite struct JoinedRowsTests {
    private static func row(_ number: UInt8, _ name: String, _ trials: UInt64, _ work: NodeWork = .computing) -> NodeRow
    {
        NodeRow(node: node(number), name: name, cores: 2, trials: trials, rate: 3, work: work)
    }

    private static func node(_ number: UInt8) -> NodeID { NodeID(firstOctetsOf: [UInt8](repeating: number, count: 16)) }

    private static func credit(_ rows: [NodeRow]) -> [String] {
        JoinedRows.joined(rows).map { "\($0.name) \($0.trials) \($0.node.short == node(1).short ? 1 : 0)" }
    }

    @Test func aNodeThatRestartsKeepsItsTrials() {
        let rows = [Self.row(1, "ana", 5, .gone), Self.row(2, "lab", 7), Self.row(3, "ana", 11, .idle)]
        #expect(Self.credit(rows) == ["lab 7 0", "ana 16 0"])
        // The order of the rows makes no difference.
        #expect(Self.credit(rows.reversed()) == ["ana 16 0", "lab 7 0"])
        let joined = JoinedRows.joined(rows)[1]
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
        #expect(JoinedRows.joined(rows) == rows)
    }

    /// Nothing that a dishonest node computed counts, and it gives its row to nobody.
    @Test func aNodeThatIsShutOutIsShown() {
        let rows = [Self.row(1, "ana", 0, .shutOut), Self.row(2, "ana", 2)]
        #expect(JoinedRows.joined(rows) == rows)
    }

    /// A restarted server gives everybody the trials from before, whatever others are called.
    @Test func anIDCountsMoreThanAName() {
        let rows = [
            Self.row(1, "ana", 5, .gone), Self.row(2, "ana", 7, .gone), Self.row(1, "ana (1)", 1),
            Self.row(2, "ana (2)", 2),
        ]
        #expect(Self.credit(rows) == ["ana (1) 6 1", "ana (2) 9 0"])
    }

    /// A picture has room for 513 rows.
    @Test func departedNodesThatDidLeastShareARow() {
        let present = (0..<UInt64(500)).map { number in
            NodeRow(node: NodeID(words: (1, number)), name: "p\(number)", cores: 1, trials: 1, rate: nil)
        }
        let gone = (0..<UInt64(100)).map { number in
            NodeRow(
                node: NodeID(words: (2, number)), name: "g\(number)", cores: 0, trials: 10 + number, rate: nil,
                work: .gone)
        }
        let joined = JoinedRows.joined(gone + present)
        #expect(joined.count == 513)
        #expect(joined.first?.isEarlier == true)
        #expect(joined.reduce(0) { $0 + $1.trials } == (gone + present).reduce(0) { $0 + $1.trials })
        #expect(joined.contains { $0.name == "g99" } && !joined.contains { $0.name == "g0" })
    }

    @Test func noTrialIsLost() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            let rows = (1...UInt8(1 + random.next(below: 12))).map { number in
                let work: NodeWork = [.computing, .gone, .shutOut, .idle][Int(random.next(below: 4))]
                return Self.row(number, ["ana", "bo", "cy"][Int(random.next(below: 3))], random.next(below: 100), work)
            }
            let joined = JoinedRows.joined(rows)
            #expect(joined.reduce(0) { $0 + $1.trials } == rows.reduce(0) { $0 + $1.trials })
            #expect(JoinedRows.joined(joined) == joined)
            #expect(joined.count { $0.work != .gone } == rows.count { $0.work != .gone })
        }
    }
}
