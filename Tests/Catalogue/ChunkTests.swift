import PotluckChecks
import PotluckKit
import Testing

/// A job's tally is the same bytes, however its blocks are cut into chunks and in whatever order the chunks return. The
/// kit's tests check this for any tally over many seeds. These tests check that no simulation keeps state from one
/// block to the next.
@Suite struct ChunkTests {
    /// Searches end at points that depend on time, and have tests of their own.
    @Test(arguments: Cases.plain.filter { $0.simulation.shape != .space }) func everySimulation(each: Case) {
        let size = UInt64(each.prepared.blockSize)
        // The last block is short, and one of its lanes has one trial more than the next.
        let trials = 2 * size + size / 3 + 5
        let whole = each.tally(trials, seed: 3)
        let single = (0..<3).map { each.tally(of: $0..<$0 + 1, trials, seed: 3) }
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            #expect(each.merged(order.map { single[$0] }) == whole)
        }
        let written = (0..<3).flatMap { each.reply(of: $0..<$0 + 1, trials, seed: 3).outputs }
        #expect(written == each.reply(of: 0..<3, trials, seed: 3).outputs)

        // A chunk that is stopped says where, and the rest completes it. A kernel may compute several blocks at once.
        var asked = 0
        let first = each.prepared.run(ChunkRequest(seed: 3, blocks: 0..<3, trials: trials)) {
            asked += 1
            return asked > 1
        }
        #expect(first.end == 1 || each.simulation.name == "matrix-product" && (1...3).contains(first.end))
        #expect(first.slots == each.tally(of: 0..<first.end, trials, seed: 3))
        #expect(each.merged([each.tally(of: first.end..<3, trials, seed: 3), first.slots]) == whole)
    }
}
