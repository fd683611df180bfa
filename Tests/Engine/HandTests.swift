import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// A node and its coordinator must agree on the chunks that the node holds. If the coordinator counts chunks that the
/// node does not have, it lends nothing new.
@Suite struct HandTests {
    private static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private static let guests = (UInt8(2)...4).map { NodeID(firstOctetsOf: [UInt8](repeating: $0, count: 16)) }
    private static let id = JobID(7)
    private static let output = BlobHash([UInt8](repeating: 9, count: BlobHash.length)).flatMap {
        BlobReference(hash: $0, size: 1)
    }

    /// A coordinator without cores and three guests that treat their chunks at random.
    private struct Party {
        var coordinator = Coordinator(own: HandTests.own, seed: 1, mostBlocks: 4)
        var turn = Turn(now: .start, keepsJournal: false)
        var now = Instant.start
        var random: SeededGenerator
        private var hands: [NodeID: [LentChunk]] = [:]
        private(set) var dropped: [NodeID: Set<UInt64>] = [:]

        init(seed: UInt64, collects: Bool = false) throws {
            random = SeededGenerator(seed: seed)
            let ticket = try #require(JobTicket([UInt8](repeating: 3, count: JobTicket.length)))
            var order = VirtualNode.order(seed: 5, goal: Goal())
            order.collects = collects
            let taken = TakenJob(order: order, ticket: ticket, submitter: HandTests.own, submitterName: "ana")
            for node in [HandTests.own] + HandTests.guests { meets(node) }
            let plain = VirtualNode.facts
            let facts = JobFacts(
                layout: plain.layout, blockSize: order.experiment.blockSize, title: plain.title, writes: collects)
            coordinator.pending.append(
                Coordinator.Pending(id: HandTests.id, taken: taken, origin: .order(token: 1), since: .start))
            coordinator.prepared(HandTests.id, .ready(facts), &turn[at: now])
            coordinator.change(HandTests.id) { $0.keeping.mayBegin = true }
            for node in HandTests.guests { coordinator.change(HandTests.id) { $0.ready(node, now: .start) } }
            exchange()
        }

        private mutating func meets(_ node: NodeID) {
            let cores = node == HandTests.own ? 0 : 2
            coordinator.joined(
                Worker(node: node, name: node.short, address: [node.octets[0]], cores: cores), &turn[at: now])
        }

        var run: JobRun? { coordinator.runs.first }

        func hand(of node: NodeID) -> [LentChunk] { hands[node] ?? [] }

        /// Returns how many chunks the coordinator thinks the node holds. Chunks whose output is in flight don't count.
        func lent(to node: NodeID) -> Int {
            run.map {
                $0.ledger.count(heldBy: node) + $0.audits.count(heldBy: node) - $0.pendingOutputs.count(of: node)
            } ?? 0
        }

        /// Delivers the coordinator's messages and performs its effects.
        mutating func exchange() {
            while true {
                coordinator.finishTurn(&turn[at: now])
                for (node, message) in turn.mail {
                    switch message {
                    case .lend(_, let chunks): hands[node, default: []] += chunks
                    case .drop(_, let attempts):
                        hands[node]?.removeAll { attempts.contains($0.attempt) }
                        dropped[node, default: []].formUnion(attempts)
                    case .over: hands[node] = nil
                    default: break
                    }
                }
                let (effects, liars) = (turn.effects, turn.shutOut)
                (turn.mail, turn.effects, turn.shutOut) = ([], [], [])
                for liar in liars {
                    coordinator.left(liar)
                    hands[liar] = nil
                }
                for case .job(.compute(let chunk, _, _, .referee)) in effects {
                    let result = ChunkResult(
                        attempt: chunk.attempt, end: chunk.blocks.upperBound, tally: HandTests.tally(chunk.blocks),
                        busy: .zero)
                    coordinator.judged(.done(result), &turn[at: now])
                }
                for case .job(.collect(let attempt, _, _, _)) in effects {
                    coordinator.collected(attempt, .right, &turn[at: now])
                }
                if turn.mail.isEmpty && turn.effects.isEmpty { return }
            }
        }

        /// Removes a random chunk from the node's hand and returns it.
        private mutating func take(from node: NodeID) -> LentChunk? {
            guard let hand = hands[node], !hand.isEmpty else { return nil }
            return hands[node]?.remove(at: Int(random.next(below: UInt64(hand.count))))
        }

        mutating func bring(from node: NodeID, lies: Bool = false, nothing: Bool = false) {
            guard let chunk = take(from: node) else { return }
            let done = nothing ? chunk.blocks.prefix(0) : chunk.blocks
            var tally = HandTests.tally(done)
            if lies { tally[0] += 1 }
            let output = nothing ? nil : HandTests.output
            bring(
                WorkResult(
                    attempt: chunk.attempt, end: done.upperBound, tally: tally, busy: .milliseconds(1), output: output),
                from: node)
        }

        /// Delivers a result and removes its chunk, if there is one, from the node's hand.
        mutating func bring(_ result: WorkResult, from node: NodeID) {
            hands[node]?.removeAll { $0.attempt == result.attempt }
            coordinator.took([result], of: HandTests.id, from: node, &turn[at: now])
            exchange()
        }

        mutating func fail(at node: NodeID) {
            guard let chunk = take(from: node) else { return }
            fail(chunk.attempt, chunk.blocks.lowerBound, at: node)
        }

        mutating func fail(_ attempt: UInt64, _ block: UInt64, at node: NodeID) {
            coordinator.failed(attempt, block: block, "no", of: HandTests.id, at: node, &turn[at: now])
            exchange()
        }

        /// The oldest output in flight arrives or is lost.
        mutating func arrive() {
            guard !turn.outputs.isEmpty else { return }
            let (attempt, _, _) = turn.outputs.removeFirst()
            if random.next(below: 4) == 0 {
                coordinator.lost(attempt, .late, &turn[at: now])
            } else {
                coordinator.change(attempt.job) { $0.came(attempt.number, &turn) }
            }
            exchange()
        }

        mutating func passes(_ time: Duration) {
            now = now + time
            coordinator.woke(&turn[at: now])
            exchange()
        }

        mutating func want(_ command: JobCommand) {
            coordinator.command(
                command, HandTests.id, ticket: nil, by: HandTests.own, role: .hosts, token: 2, &turn[at: now])
            exchange()
        }
    }

    private static func tally(_ blocks: Range<UInt64>) -> [UInt64] {
        [
            VirtualNode.reference(seed: 5, trials: blocks.upperBound * 16)[0]
                - VirtualNode.reference(seed: 5, trials: blocks.lowerBound * 16)[0]
        ]
    }

    @Test(arguments: 0..<24 as Range<UInt64>, [false, true])
    func whateverHappensBothSidesAgree(seed: UInt64, collects: Bool) throws {
        var party = try Party(seed: seed, collects: collects)
        // The first guest lies from some step on; the first two fail at times.
        for step in 0..<250 {
            let number = party.random.next(below: 100)
            let node = Self.guests[Int(party.random.next(below: 3))]
            switch number {
            case 0..<60: party.bring(from: node, lies: step > 40 && node == Self.guests[0] && number < 20)
            case 60..<75: party.fail(at: node == Self.guests[0] ? node : Self.guests[1])
            case 75..<80: party.bring(from: node, nothing: true)
            case 80..<90: party.arrive()
            case 90..<92: party.passes(.seconds(11))
            case 92: party.want(.pause)
            case 93..<96: party.want(.resume)
            default: party.passes(.milliseconds(100))
            }
            guard let run = party.run, !run.isOver else { return }
            for node in Self.guests where run.workerProgress[node]?.stage == .ready {
                try #require(party.hand(of: node).count == party.lent(to: node), "step \(step), \(node.short)")
            }
        }
    }

    // MARK: Silent guests

    /// What a node sends each second while it keeps a chunk.
    enum Junk: CaseIterable { case unknownResult, unknownFailure, othersResult, nothing }

    /// A node that sends only junk loses its chunks to others, and is told so.
    @Test(arguments: Junk.allCases) func aNodeThatSendsJunkLosesItsChunks(junk: Junk) throws {
        var party = try Party(seed: 1)
        let (node, other) = (Self.guests[0], Self.guests[1])
        let kept = try #require(party.hand(of: node).first)
        for _ in 0..<12 {
            switch junk {
            case .unknownResult:
                let result = WorkResult(attempt: 1 << 62, end: 1, tally: [1], busy: .zero)
                party.bring(result, from: node)
            case .unknownFailure: party.fail(1 << 62, 0, at: node)
            case .othersResult:
                let chunk = try #require(party.hand(of: other).first)
                let result = WorkResult(
                    attempt: chunk.attempt, end: chunk.blocks.upperBound, tally: [1], busy: .zero)
                party.bring(result, from: node)
            case .nothing:
                guard let chunk = party.hand(of: node).last, chunk != kept else { break }
                party.bring(
                    WorkResult(attempt: chunk.attempt, end: chunk.blocks.lowerBound, tally: [0], busy: .zero),
                    from: node)
            }
            // The other guests continue to work.
            for other in Self.guests.dropFirst() { party.bring(from: other) }
            party.passes(.seconds(1))
        }
        #expect(party.dropped[node]?.contains(kept.attempt) == true)
    }

    /// A guest that breaks the protocol is disconnected, and its chunks are free at once.
    @Test func aDisconnectedGuestHoldsNoChunks() throws {
        var host = Host()
        let id = try host.orders(VirtualNode.order(seed: 5, goal: Goal()))
        host.hears(.ready(id))
        host.work(atMost: 2)
        let lent = host.engine.coordinator.runs.first?.ledger.count(heldBy: Host.other)
        #expect(lent.map { $0 > 0 } == true)
        host.handle(.session(.received(Host.link, .hold(.consent))))
        #expect(host.engine.coordinator.runs.first?.ledger.count(heldBy: Host.other) == 0)
        #expect(host.engine.peers.allSatisfy { $0.state != .connected })
    }

    // MARK: The worker's side

    /// A coordinator that announces its job and lends chunks repeatedly must not fill a worker's memory.
    @Test(arguments: [false, true]) func theChunksThatWaitForACoreAreBounded(changes: Bool) {
        var workerTasks = WorkerTasks(cores: 1)
        var queued: Set<AttemptID> = []
        for round in 0..<6 as Range<UInt64> {
            var turn = Turn(now: .start, keepsJournal: false)
            let order = VirtualNode.order(seed: changes ? round : 5, goal: Goal())
            let spec = JobSpec(JobRecipe(experiment: order.experiment, goal: order.goal))
            workerTasks.job(Self.id, spec, epoch: 0, from: Self.own, &turn)
            workerTasks.prepared(Self.id, .ready(VirtualNode.facts), &turn)
            let chunks = (0..<UInt64(LentChunk.most)).map {
                LentChunk(attempt: round << 32 + $0, blocks: $0..<$0 + 1)
            }
            workerTasks.lend(Self.id, chunks, from: Self.own, &turn)
            for effect in turn.effects {
                switch effect {
                case .job(.compute(let chunk, _, _, _)): queued.insert(chunk.attempt)
                case .job(.drop(let attempts)): queued.subtract(attempts)
                default: break
                }
            }
            // The worker accepts all the chunks that it was lent last.
            #expect(chunks.allSatisfy { queued.contains(AttemptID(job: Self.id, number: $0.attempt)) })
        }
        #expect(queued.count <= 2 * LentChunk.most)
    }

    /// A chunk may be on its way when a node's last core is taken away. It would wait here for ever.
    @Test func chunksForANodeWithoutCoresAreReturned() {
        var workerTasks = WorkerTasks(cores: 1)
        var turn = Turn(now: .start, keepsJournal: false)
        let order = VirtualNode.order(seed: 5, goal: Goal())
        let spec = JobSpec(JobRecipe(experiment: order.experiment, goal: order.goal))
        workerTasks.job(Self.id, spec, epoch: 0, from: Self.own, &turn)
        workerTasks.prepared(Self.id, .ready(VirtualNode.facts), &turn)
        workerTasks.took(cores: 0, &turn)
        turn.effects = []
        workerTasks.lend(Self.id, [LentChunk(attempt: 1, blocks: 0..<1)], from: Self.own, &turn)
        let kinds = turn.effects.map { effect in
            switch effect {
            case .job(.compute): "compute"
            case .job(.interrupt(Self.id)): "interrupt"
            default: "other"
            }
        }
        #expect(kinds == ["compute", "interrupt"])
    }
}
