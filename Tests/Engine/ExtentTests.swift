import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// What is set apart for a node that stops is computed by others.
@Suite struct ExtentTests {
    private static let nodes = (UInt8(1)...5).map { NodeID(firstOctetsOf: [UInt8](repeating: $0, count: 16)) }

    /// A random job in the middle, with chunks of all sizes in the hands of some nodes.
    private static func ledger(_ random: inout RandomStream) -> Ledger {
        let simulation = VirtualNode.order(seed: 1, goal: Goal()).experiment.simulation
        let experiment = Experiment(simulation: simulation, parameters: [], seed: 1, blockSize: 1 << 16)
        var ledger = Ledger(
            experiment, layout: VirtualNode.facts.layout, goal: Goal(trials: UInt64(1 + random.below(4000)) << 16))
        for _ in 0..<random.below(200) {
            let node = nodes[Int(random.below(4))]
            guard
                let lent = ledger.lend(
                    to: node, atMost: UInt64(1 + random.below(40)), extent: UInt64(1 + random.below(400)),
                    capable: nodes,
                    now: .start)
            else { continue }
            guard random.below(3) > 0 else { continue }
            compute(lent, node, &ledger)
        }
        return ledger
    }

    private static func compute(_ chunk: LentChunk, _ node: NodeID, _ ledger: inout Ledger) {
        _ = ledger.count(chunk.attempt, by: node, end: chunk.blocks.upperBound, tally: [UInt64(chunk.blocks.count)])
        while ledger.advance() != nil {}
    }

    /// All nodes but one have stopped. Once their chunks are late, it gets all blocks that are lent to nobody, however
    /// short what is set apart has become.
    @Test func blocksReservedForLateNodesAreLent() throws {
        for seed in UInt64(0)..<500 {
            var random = RandomStream(seed: seed, block: 0, lane: 0)
            var ledger = Self.ledger(&random)
            let (node, size) = (Self.nodes[4], UInt64(1 + random.below(1000)))
            while ledger.left > 0 {
                var lent = ledger.lend(to: node, atMost: size, extent: size, capable: Self.nodes, now: .start)
                if lent == nil {
                    // What is set apart stays with its node as long as that one is not late.
                    let left = ledger.left
                    let owners = ledger.extents.nodes
                    let late = owners.filter { ledger.count(heldBy: $0) > 0 }
                    #expect(!ledger.freeExtents { _ in false } && ledger.left == left)
                    let isFreed = ledger.freeExtents { late.contains($0) }
                    #expect(isFreed == !late.isEmpty)
                    // A node without chunks is not late: it has just returned one, and gets the next.
                    guard isFreed else { break }
                    lent = ledger.lend(to: node, atMost: size, extent: size, capable: Self.nodes, now: .start)
                }
                let chunk = try #require(lent, "seed \(seed): \(ledger.left) blocks are lent to nobody")
                Self.compute(chunk, node, &ledger)
                #expect(ledger.extents.isSound)
            }
        }
    }
}
