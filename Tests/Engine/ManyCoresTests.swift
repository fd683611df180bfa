import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// A machine with many cores stays busy and loses no chunk.
@Suite struct ManyCoresTests {
    @Test(arguments: [64, 65, 128]) func noCoreIdles(cores: Int) throws {
        var node = VirtualNode(cores: cores, blockCost: .microseconds(20), chance: 1)
        let order = VirtualNode.order(seed: 5, goal: Goal(trials: 100_000 * VirtualNode.blockSize))
        node.submit(order)
        node.run()
        let result = try #require(node.result)
        #expect(result.trials == order.goal.trials)
        #expect(node.chunks.reduce(0) { $0 + $1.blocks.count } == 100_000)
        // The smallest chunks take 5 ms, and every core waits for the last one.
        #expect(node.idle < .milliseconds(10) * cores)
    }

    /// The jobs of several submitters share the chunks that a node may hold, and together use all of them.
    @Test func allJobsTogetherLendNoMore() throws {
        let (own, guest) = (NodeID([UInt8](repeating: 1, count: 16))!, NodeID([UInt8](repeating: 2, count: 16))!)
        var turn = Turn(now: .start, keepsJournal: false)
        var coordinator = Coordinator(own: own, seed: 1, mostBlocks: 1)
        coordinator.joined(Worker(node: guest, name: "cy", cores: 300), &turn[at: .start])
        for number: UInt8 in 1...3 {
            let id = JobID(UInt64(number))
            let taken = TakenJob(
                order: VirtualNode.order(seed: 5, goal: Goal()),
                ticket: try #require(JobTicket([UInt8](repeating: number, count: JobTicket.length))),
                submitter: NodeID([UInt8](repeating: 10 + number, count: 16))!, submitterName: "ana")
            coordinator.pending.append(
                Coordinator.Pending(id: id, taken: taken, origin: .order(token: 1), since: .start))
            coordinator.prepared(id, .ready(VirtualNode.facts), &turn[at: .start])
            coordinator.change(id) {
                $0.keeping.mayBegin = true
                $0.ready(guest, now: .start)
            }
        }
        var inHand: [(job: JobID, chunk: LentChunk)] = []
        for _ in 0..<20 {
            coordinator.finishTurn(&turn[at: .start])
            for case .lend(let id, let chunks) in turn.mail.map(\.message) { inHand += chunks.map { (id, $0) } }
            turn.mail = []
            #expect(inHand.count <= LentChunk.most)
            for (id, chunk) in inHand.prefix(10) {
                let result = WorkResult(
                    attempt: chunk.attempt, end: chunk.blocks.upperBound, tally: [0], busy: .microseconds(20))
                coordinator.took([result], of: id, from: guest, &turn[at: .start])
            }
            inHand.removeFirst(10)
        }
        #expect(inHand.count == LentChunk.most - 10)
        #expect(Set(inHand.map(\.job)).count == 3)
    }
}
