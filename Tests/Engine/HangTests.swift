import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// A trial that hangs ends its job with its line on any machine. The limit counts the CPU time of the trial's thread, so
/// a busy laptop reaches it long after it was judged silent.
@Suite struct HangTests {
    private static let nodes = (UInt8(1)...3).map { NodeID(firstOctetsOf: [UInt8](repeating: $0, count: 16)) }
    private static let own = nodes[0]
    private static let id = JobID(7)
    private static let order = VirtualNode.order(seed: 5, goal: Goal(trials: 1 << 30))

    /// The limit is two seconds: with a fifth of its core a thread reaches it after ten, in the background after minutes.
    @Test(arguments: [10, 11, 40, 150]) func aHangOnALoneLaptopEndsTheRun(seconds: Int) throws {
        for (cores, block) in [(1, 0), (2, 0), (4, 1000), (3, 12345)] as [(Int, UInt64)] {
            var node = VirtualNode(cores: cores, blockCost: .milliseconds(1), chance: UInt64(seconds))
            node.faults.hangsFrom = block
            node.faults.hang = .seconds(seconds)
            node.submit(Self.order)
            // Each core meets the hang, and a block that failed once is tried once more.
            node.run(until: .start + .seconds(3 * seconds + 60))
            #expect(try #require(node.failure).hasSuffix("with seed 5: no more"))
        }
    }

    /// A coordinator without cores, or with one, and two guests.
    private struct Room {
        var coordinator = Coordinator(own: HangTests.own, seed: 1, mostBlocks: 4)
        var turn = Turn(now: .start, keepsJournal: false)
        var now = Instant.start
        private(set) var hands: [NodeID: [LentChunk]] = [:]
        private(set) var dropped: [NodeID: [UInt64]] = [:]
        private(set) var failure: String?

        init(cores: Int, guests: Int) throws {
            let ticket = try #require(JobTicket([UInt8](repeating: 3, count: JobTicket.length)))
            let taken = TakenJob(order: HangTests.order, ticket: ticket, submitter: HangTests.own, submitterName: "ana")
            let present = HangTests.nodes.prefix(guests + 1)
            for node in present {
                let cores = node == HangTests.own ? cores : 1
                coordinator.joined(Worker(node: node, name: node.short, cores: cores), &turn[at: now])
            }
            coordinator.pending.append(
                Coordinator.Pending(id: HangTests.id, taken: taken, origin: .order(token: 1), since: .start))
            coordinator.prepared(HangTests.id, .ready(VirtualNode.facts), &turn[at: now])
            coordinator.change(HangTests.id) { $0.keeping.mayBegin = true }
            for node in present { coordinator.change(HangTests.id) { $0.ready(node, now: .start) } }
            exchange()
        }

        mutating func exchange() {
            coordinator.finishTurn(&turn[at: now])
            for (node, message) in turn.mail {
                switch message {
                case .lend(_, let chunks): hands[node, default: []] += chunks
                case .drop(_, let attempts): dropped[node, default: []] += attempts
                default: break
                }
            }
            for case .tell(.failed(_, let why)) in turn.effects { failure = "\(why)" }
            (turn.mail, turn.effects) = ([], [])
        }

        mutating func passes(_ time: Duration) {
            now = now + time
            coordinator.woke(&turn[at: now])
            exchange()
        }

        /// A chunk fails in its first block, whether it was dropped or not.
        mutating func fails(_ chunk: LentChunk, at node: NodeID) {
            coordinator.failed(
                chunk.attempt, block: chunk.blocks.lowerBound, "too long", of: HangTests.id, at: node, &turn[at: now])
            exchange()
        }

        func isSilent(_ node: NodeID) -> Bool { coordinator.runs.first?.workerProgress[node]?.isSilent == true }
    }

    @Test func aFailureCountsAfterItsChunkWasTakenBack() throws {
        var room = try Room(cores: 0, guests: 2)
        let (ana, bo) = (Self.nodes[1], Self.nodes[2])
        let chunks = try [ana, bo].map { try #require(room.hands[$0]?.first) }
        room.passes(JobLimits.silence + .seconds(1))
        #expect(room.dropped[ana]?.contains(chunks[0].attempt) == true && room.isSilent(ana))
        room.fails(chunks[0], at: ana)
        // It computes, so it may have chunks.
        #expect(!room.isSilent(ana) && room.failure == nil)
        room.fails(chunks[0], at: ana)
        #expect(room.failure == nil, "one failure counts once")
        room.fails(chunks[1], at: bo)
        #expect(try #require(room.failure).hasSuffix("too long"))
    }

    /// A chunk that the coordinator dropped for another reason, or never lent, says nothing about the simulation.
    @Test func otherFailuresDoNotCount() throws {
        var room = try Room(cores: 0, guests: 2)
        let chunk = try #require(room.hands[Self.nodes[1]]?.first)
        room.passes(JobLimits.silence + .seconds(1))
        for attempt in 1_000...1_010 {
            room.fails(LentChunk(attempt: UInt64(attempt), blocks: chunk.blocks), at: Self.nodes[1])
        }
        for _ in 0..<10 { room.fails(chunk, at: Self.nodes[2]) }
        #expect(room.failure == nil && room.isSilent(Self.nodes[1]))
    }

    /// No other node could compute its chunks. With another node they go there.
    @Test(arguments: [0, 1]) func aCoordinatorKeepsItsOwnChunksWhileItIsAlone(guests: Int) throws {
        var room = try Room(cores: 1, guests: guests)
        #expect(room.hands[Self.own]?.isEmpty == false)
        room.passes(JobLimits.silence * 3)
        #expect(room.isSilent(Self.own) == (guests > 0))
        #expect((room.dropped[Self.own] == nil) == (guests == 0))
    }

    /// The worker's side: it tells the coordinator of a failure in a chunk that was taken back, once.
    @Test func aWorkerReportsAFailureAfterADrop() {
        var turn = Turn(now: .start, keepsJournal: false)
        var tasks = WorkerTasks(cores: 1)
        let (coordinator, spec) = (
            Self.nodes[1], JobSpec(JobRecipe(experiment: Self.order.experiment, goal: Self.order.goal))
        )
        tasks.job(Self.id, spec, epoch: 1, from: coordinator, &turn)
        tasks.prepared(Self.id, .ready(VirtualNode.facts), &turn)
        tasks.lend(Self.id, [LentChunk(attempt: 5, blocks: 0..<4)], from: coordinator, &turn)
        tasks.drop(Self.id, [5, 6], from: coordinator, &turn)
        turn.mail = []
        func fails(_ attempt: UInt64) -> Bool {
            let failure = ChunkFailure(attempt: AttemptID(job: Self.id, number: attempt), block: 2, text: "too long")
            return tasks.computed([.failed(failure)], &turn).isEmpty
        }
        #expect(!fails(6))
        #expect(turn.mail.isEmpty)
        #expect(fails(5))
        let failures = turn.mail.filter { node, message in
            node == coordinator && message == .failure(Self.id, attempt: 5, block: 2, text: "too long")
        }
        #expect(failures.count == 1)
        #expect(!fails(5))
        #expect(turn.mail.count == 1)
    }

    /// A busy laptop gives up preparing a job, and is ready after all. It computes then.
    @Test func aWorkerThatIsReadyLateComputes() throws {
        var turn = Turn(now: .start, keepsJournal: false)
        var tasks = WorkerTasks(cores: 1)
        let spec = JobSpec(JobRecipe(experiment: Self.order.experiment, goal: Self.order.goal))
        tasks.job(Self.id, spec, epoch: 1, from: Self.nodes[1], &turn)
        tasks.prepared(Self.id, .impossible("too late"), &turn)
        tasks.prepared(Self.id, .ready(VirtualNode.facts), &turn)
        #expect(turn.mail.map(\.message) == [.unable(Self.id, "too late"), .ready(Self.id)])
        tasks.lend(Self.id, [LentChunk(attempt: 5, blocks: 0..<4)], from: Self.nodes[1], &turn)
        let computes = turn.effects.contains { if case .job(.compute) = $0 { true } else { false } }
        #expect(computes)

        var room = try Room(cores: 1, guests: 1)
        let before = try #require(room.hands[Self.nodes[1]]?.count)
        room.coordinator.change(Self.id) { $0.unable(Self.nodes[1], "too late", &room.turn) }
        room.exchange()
        #expect(room.hands[Self.nodes[1]]?.count == before)
        room.coordinator.change(Self.id) { $0.ready(Self.nodes[1], now: room.now) }
        room.exchange()
        #expect(try #require(room.hands[Self.nodes[1]]?.count) > before)
    }
}
