import PotluckCore
import PotluckEngine
import PotluckKit
import Testing

/// Tests of a simulation that takes long to read its tally.
@Suite struct ReaderTests {
    private static let slow = Duration.milliseconds(300)

    private static func node(chance: UInt64) -> VirtualNode {
        var node = VirtualNode(cores: 2, blockCost: .milliseconds(30), chance: chance)
        node.readCost = slow
        return node
    }

    /// Pictures that take long to read do not delay the result of a job that ends after a minute.
    @Test(arguments: UInt64(0)..<4) func theResultWaitsForNoOldPicture(chance: UInt64) throws {
        var node = Self.node(chance: chance)
        node.submit(VirtualNode.order(seed: 7, goal: Goal(duration: .seconds(60))))
        node.run()
        let result = try #require(node.result)
        #expect(result.tally == VirtualNode.reference(seed: 7, trials: result.trials))
        // The wait covers a reading under way, the last checkpoint and the result.
        #expect(node.now - node.lastChunk <= Self.slow * 3)
        #expect(node.mostReads == 1)
    }

    /// Every checkpoint is read, in order, and pictures are read between checkpoints.
    @Test(arguments: UInt64(0)..<4) func checkpointsAndPicturesTakeTurns(chance: UInt64) throws {
        var node = Self.node(chance: chance)
        node.submit(VirtualNode.order(seed: 7, goal: Goal(trials: 20_000)))
        node.run(until: .start + .seconds(3))
        #expect(node.snapshots.contains { $0.trials > 0 && $0.isReadSlowly })
        node.run()
        let result = try #require(node.result)
        let blocks = result.spec.experiment.blocks(for: 20_000)
        let expected = (0..<224).map(Checkpoint.blocks).prefix { $0 < blocks }.map { $0 * VirtualNode.blockSize }
        #expect(result.course.map(\.trials) == expected + [20_000])
    }

    /// Snapshots of nodes and times appear ten times a second even while a reading takes forever. Only a slow reading
    /// is shown as slow.
    @Test(arguments: [Duration.zero, .milliseconds(100), .seconds(100)]) func picturesContinueDuringASlowReading(
        cost: Duration
    ) throws {
        var node = VirtualNode(cores: 2, blockCost: .milliseconds(30), chance: 1)
        node.readCost = cost
        node.submit(VirtualNode.order(seed: 7, goal: Goal()))
        node.run(until: .start + .seconds(5))
        #expect(node.snapshots.count > 30)
        let last = try #require(node.snapshots.last)
        #expect(last.elapsed > .milliseconds(4_700) && last.nodes.map(\.work) == [.computing])
        #expect(node.snapshots.contains { $0.isReadSlowly } == (cost > .seconds(1)))
    }

    /// A precision goal is reached at the same checkpoint, however slow readings are.
    @Test(arguments: UInt64(0)..<4) func aSlowReaderStopsAtTheSameCheckpoint(seed: UInt64) throws {
        let order = VirtualNode.order(seed: seed, goal: Goal(precision: .absolute(0.012)))
        var quick = VirtualNode(cores: 2, blockCost: .milliseconds(30), chance: seed)
        quick.submit(order)
        quick.run()
        var slow = Self.node(chance: seed)
        slow.submit(order)
        slow.run()
        let results = try [#require(quick.result), #require(slow.result)]
        #expect(results[0].trials == results[1].trials && results[0].tally == results[1].tally)
        #expect(results[0].course.map(\.trials) == results[1].course.map(\.trials))
    }
}
