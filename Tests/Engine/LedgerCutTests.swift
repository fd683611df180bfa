import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// Ending a job early costs at most the allowed blocks, even after a node's share was withdrawn.
@Suite struct LedgerCutTests {
    private static let nodes = (1...4).map { NodeID(firstOctetsOf: [UInt8](repeating: $0, count: 16)) }

    /// Returns a tally that is different for any two ranges of blocks.
    private static func tally(_ blocks: Range<UInt64>, _ layout: TallyLayout) -> [UInt64] {
        var tally = layout.empty
        for block in blocks {
            var one = layout.empty
            one[0] = block * block + 1
            layout.merge(one, into: &tally)
        }
        return tally
    }

    private struct Game {
        var ledger: Ledger
        var random: RandomStream
        var chunks: [(attempt: UInt64, blocks: Range<UInt64>, node: NodeID)] = []

        init(_ seed: UInt64) {
            random = RandomStream(seed: seed, block: 0, lane: 0)
            let experiment = VirtualNode.order(seed: seed, goal: Goal()).experiment
            let layout = VirtualNode.facts.layout
            let isKept = random.below(3) == 0
            let base: UInt64 = isKept ? random.below(200) : 0
            ledger = Ledger(
                experiment, layout: layout, goal: Goal(),
                base: SettledTally(blocks: base, tally: LedgerCutTests.tally(0..<base, layout)))
        }

        mutating func lend(to node: NodeID) {
            guard
                let lent = ledger.lend(
                    to: node, atMost: 1 + random.below(12), extent: random.below(40), capable: LedgerCutTests.nodes,
                    now: .start)
            else { return }
            chunks.append((lent.attempt, lent.blocks, node))
        }

        mutating func bring(_ index: Int) {
            let chunk = chunks.remove(at: index)
            let end = random.below(8) == 0 ? chunk.blocks.lowerBound : chunk.blocks.upperBound
            let done = LedgerCutTests.tally(chunk.blocks.lowerBound..<end, ledger.layout)
            _ = ledger.count(chunk.attempt, by: chunk.node, end: end, tally: done)
            while ledger.advance() != nil {}
        }

        mutating func play(_ turns: UInt64) {
            for _ in 0..<turns {
                if chunks.isEmpty || random.below(2) == 0 {
                    lend(to: LedgerCutTests.nodes[Int(random.below(4))])
                } else {
                    bring(Int(random.below(UInt64(chunks.count))))
                }
            }
        }

        mutating func withdraw(_ node: NodeID) {
            chunks.removeAll { $0.node == node }
            _ = ledger.withdraw(node)
        }

        mutating func releaseAll() {
            for node in LedgerCutTests.nodes { ledger.release(allOf: node) }
            chunks = []
        }
    }

    @Test(arguments: 0..<300 as Range<UInt64>) func costsNoMoreThanItsBudget(_ seed: UInt64) {
        var game = Game(seed)
        game.play(game.random.below(400))
        if game.random.below(2) == 0 { game.withdraw(Self.nodes[0]) }
        game.play(game.random.below(100))
        game.releaseAll()
        let budget: UInt64 = game.random.below(4) == 0 ? 0 : game.random.below(60)
        game.ledger.cut(filling: budget)
        #expect(game.ledger.isSound)
        #expect(game.ledger.left <= budget)

        // The share of a node that seemed honest may be withdrawn after the cut.
        if game.random.below(3) == 0 {
            let end = game.ledger.end
            game.withdraw(Self.nodes[1])
            game.releaseAll()
            game.ledger.cut(filling: budget)
            #expect(game.ledger.end <= end)
            #expect(game.ledger.left <= budget)
        }

        // The remaining blocks can be done, and the total is the tally of exactly the blocks before the end.
        while true {
            game.lend(to: Self.nodes[2])
            if game.chunks.isEmpty { break }
            game.bring(0)
        }
        #expect(game.ledger.isComplete)
        #expect(game.ledger.total == Self.tally(0..<game.ledger.end, game.ledger.layout))
        #expect(game.ledger.tally(ofIntervals: game.ledger.intervals.count) == game.ledger.total)
        #expect(game.ledger.totalTrials == game.ledger.settledTrials)
    }

    /// If the budget is large enough for every gap, nothing is dropped.
    @Test(arguments: 0..<100 as Range<UInt64>) func aBudgetForEveryGapDropsNothing(_ seed: UInt64) {
        var game = Game(seed)
        game.play(game.random.below(400))
        if game.random.below(2) == 0 { game.withdraw(Self.nodes[0]) }
        game.releaseAll()
        let trials = game.ledger.totalTrials
        game.ledger.cut(filling: game.ledger.fresh)
        #expect(game.ledger.totalTrials == trials)
    }
}
