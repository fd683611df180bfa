import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// An idle node and a job that could use it do not coexist for more than a second, and a job that waits has said for what.
@Suite struct IdleNodeTests {
    /// The idle node and the job that could use it.
    private struct Pair: Hashable {
        let node: Int
        let job: JobID
    }

    @Test(arguments: 0..<8 as Range<UInt64>) func noNodeIsIdleThatAJobCouldUse(seed: UInt64) throws {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        var room = QueueRoom(["bo", "cy", "dan"])
        var since: [Pair: Instant] = [:]
        var waits: [JobID: (wait: JobState, since: Instant)] = [:]
        for _ in 0..<400 {
            if random.chance(0.25) { act(&room, &random) }
            room.passes(.milliseconds(random.integer(in: 20...120)))
            let pairs = Self.pairs(room)
            since = since.filter { pairs.contains($0.key) }
            for pair in pairs where since[pair] == nil { since[pair] = room.now }
            for (pair, begin) in since {
                try #require(
                    room.now - begin <= .seconds(1),
                    "seed \(seed): \(room.nodes[pair.node].name) is idle, \(String(describing: room.run(pair.job)?.phase))"
                )
            }
            check(room, &waits, seed)
        }
    }

    /// Viewers know what a job waits for, half a second after that changed.
    private func check(_ room: QueueRoom, _ waits: inout [JobID: (wait: JobState, since: Instant)], _ seed: UInt64) {
        for run in room.engine.coordinator.runs {
            guard case .waiting(let wait) = run.phase else {
                waits[run.id] = nil
                continue
            }
            var shown = JobState.waiting(wait)
            // The time left is counted down by those who watch.
            if case .start = wait { shown = .waiting(.start(.zero)) }
            if waits[run.id]?.wait != shown { waits[run.id] = (shown, room.now) }
            guard let since = waits[run.id]?.since, room.now - since > .milliseconds(500) else { continue }
            for told in room.nodes.map({ $0.pictures[run.id] }) + [room.published[run.id]] {
                if case .waiting(.start)? = told, case .waiting(.start) = shown { continue }
                #expect(told == shown, "seed \(seed)")
            }
        }
    }

    private static func pairs(_ room: QueueRoom) -> Set<Pair> {
        var pairs: Set<Pair> = []
        for (index, node) in room.nodes.enumerated() where node.cores > 0 && node.hand.isEmpty {
            for run in room.engine.coordinator.runs where node.ready.contains(run.id) {
                let order = run.taken.order
                func isReady(_ node: QueueRoom.Node) -> Bool {
                    node.cores > 0 && node.ready.contains(run.id)
                        && (order.nodes.isEmpty || order.nodes.contains(node.name))
                }
                guard isReady(node), run.ledger.left > 0 else { continue }
                switch run.phase {
                case .running: break
                case .waiting:
                    guard room.now - run.lineage.takenAt >= order.delay,
                        room.nodes.count(where: isReady) >= order.workers
                    else { continue }
                case .opening, .paused, .stopping, .filling, .concluding, .over: continue
                }
                pairs.insert(Pair(node: index, job: run.id))
            }
        }
        return pairs
    }

    private func act(_ room: inout QueueRoom, _ random: inout RandomStream) {
        let jobs = room.engine.coordinator.runs.map(\.id)
        let who = random.chance(0.5) ? nil : random.integer(in: 0...2)
        if jobs.isEmpty || random.chance(0.4) {
            // Some run until they are cancelled, the others take up to a second of three nodes.
            let goal = random.chance(0.3) ? Goal() : Goal(trials: UInt64(random.integer(in: 1...600)) * 16)
            let seed = random.next64() >> 32 | (random.chance(0.15) ? QueueRoom.browsersOnly : 0)
            let names = ["bo", "cy", "dan", "zoe"].filter { _ in random.chance(0.4) }
            var order = VirtualNode.order(seed: seed, goal: goal)
            order.workers = random.chance(0.3) ? random.integer(in: 1...4) : 1
            order.delay = random.chance(0.2) ? .milliseconds(random.integer(in: 100...4000)) : .zero
            order.nodes = random.chance(0.3) ? names : []
            room.orders(order, at: who)
        } else if random.chance(0.15) {
            room.setCores(random.integer(in: 0...1), of: random.integer(in: 0...2))
        } else {
            let commands: [JobCommand] = [.pause, .resume, .resume, .cancel]
            room.commands(commands[random.integer(in: 0...3)], jobs[random.integer(in: 0...(jobs.count - 1))])
        }
    }
}
