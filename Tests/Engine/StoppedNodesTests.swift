import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// Nodes that stop in the middle of a job, with their links still open, hold up nobody: the others never wait for what
/// such nodes have in hand.
@Suite struct StoppedNodesTests {
    /// A coordinator and the nodes that compute for it, on a virtual clock. Each node has one core.
    private struct Room {
        static let id = JobID(7)
        /// When some nodes stop. By then the speed of every node is known.
        static let stop = Instant.start + .seconds(4)

        /// A node, what it has in hand, and when the first of that is done.
        struct Laptop {
            let node: NodeID
            /// The time that a block takes.
            let cost: Duration
            let stops: Bool
            var chunks: [LentChunk] = []
            var done = Instant.start
        }

        var coordinator: Coordinator
        var turn = Turn(now: .start, keepsJournal: false)
        var now = Instant.start
        var laptops: [Laptop] = []
        /// The longest time for which no working node had anything in hand.
        private(set) var longestWait = Duration.zero
        private var waitsSince: Instant?

        var isComplete: Bool { coordinator.runs.first?.ledger.isComplete ?? true }

        /// Whether every block is done, and every audit.
        var isOver: Bool { isComplete && (coordinator.runs.first?.audits.isEmpty ?? true) }

        /// Makes a room in which node 0 coordinates and continues, and `stopping` of the others stop.
        init(working: Int, stopping: Int, _ random: inout RandomStream) throws {
            coordinator = Coordinator(own: Self.node(0), seed: random.next64(), mostBlocks: .max)
            for number in 0..<working + stopping {
                laptops.append(
                    Laptop(
                        node: Self.node(number), cost: .microseconds(Int64(200 + random.below(2000))),
                        stops: number >= working))
                let worker = Worker(
                    node: Self.node(number), name: "node \(number)", cores: 1,
                    isBrowser: number > 0 && random.chance(0.5))
                coordinator.joined(worker, &turn[at: now])
            }
            // The job takes two to thirty seconds after the nodes have stopped.
            let rate = laptops.filter { !$0.stops }.reduce(0) { $0 + 1 / $1.cost.seconds }
            let all = laptops.reduce(0) { $0 + 1 / $1.cost.seconds }
            let blocks = UInt64((Self.stop - .start).seconds * all + random.real(in: 2..<30) * rate)
            let taken = TakenJob(
                order: VirtualNode.order(seed: 5, goal: Goal(trials: blocks * VirtualNode.blockSize)),
                ticket: Host.ticket, submitter: Self.node(0), submitterName: "ana")
            coordinator.pending.append(
                Coordinator.Pending(id: Self.id, taken: taken, origin: .order(token: 1), since: .start))
            coordinator.prepared(Self.id, .ready(VirtualNode.facts), &turn[at: now])
            let laptops = laptops
            let now = now
            coordinator.change(Self.id) { run in
                run.keeping.mayBegin = true
                for laptop in laptops { run.ready(laptop.node, now: now) }
            }
            finish()
        }

        private static func node(_ number: Int) -> NodeID {
            NodeID(firstOctetsOf: [UInt8](repeating: UInt8(number + 1), count: 16))
        }

        /// Handles the next result or timer. Returns false if there is none.
        mutating func step() -> Bool {
            let computing = laptops.indices.filter {
                !laptops[$0].chunks.isEmpty && !(laptops[$0].stops && laptops[$0].done >= Self.stop)
            }
            let next = computing.min { laptops[$0].done < laptops[$1].done }
            let wake = coordinator.wakeTime(now)
            if let next, laptops[next].done <= wake ?? laptops[next].done {
                now = laptops[next].done
                let chunk = laptops[next].chunks.removeFirst()
                let result = WorkResult(
                    attempt: chunk.attempt, end: chunk.blocks.upperBound, tally: [UInt64(chunk.blocks.count)],
                    busy: laptops[next].cost * Int(chunk.blocks.count))
                begin(next)
                coordinator.took([result], of: Self.id, from: laptops[next].node, &turn[at: now])
            } else if let wake {
                now = max(now, wake)
                coordinator.woke(&turn[at: now])
            } else {
                return false
            }
            finish()
            return true
        }

        private mutating func begin(_ index: Int) {
            if let first = laptops[index].chunks.first {
                laptops[index].done = now + laptops[index].cost * Int(first.blocks.count)
            }
        }

        private mutating func finish() {
            coordinator.finishTurn(&turn[at: now])
            for (node, message) in turn.mail {
                guard let index = laptops.firstIndex(where: { $0.node == node }) else { continue }
                switch message {
                case .lend(_, let chunks):
                    let wasIdle = laptops[index].chunks.isEmpty
                    laptops[index].chunks += chunks
                    if wasIdle { begin(index) }
                case .drop(_, let attempts):
                    let first = laptops[index].chunks.first?.attempt
                    laptops[index].chunks.removeAll { attempts.contains($0.attempt) }
                    if laptops[index].chunks.first?.attempt != first { begin(index) }
                default: break
                }
            }
            (turn.mail, turn.effects) = ([], [])
            if isComplete || laptops.contains(where: { !$0.stops && !$0.chunks.isEmpty }) {
                waitsSince = nil
            } else {
                waitsSince = waitsSince ?? now
                longestWait = max(longestWait, now - (waitsSince ?? now))
            }
        }
    }

    @Test func nobodyWaitsForThem() throws {
        for seed in UInt64(0)..<100 {
            var random = RandomStream(seed: seed, block: 0, lane: 0)
            var room = try Room(working: 1 + Int(random.below(3)), stopping: 1 + Int(random.below(5)), &random)
            while !room.isOver, room.now < .start + .seconds(100), room.step() {}
            #expect(room.isOver, "seed \(seed): audits go on without end")
            #expect(room.longestWait <= .milliseconds(150), "seed \(seed): \(room.longestWait)")
        }
    }
}
