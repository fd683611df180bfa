import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// A hostile peer sends anything that the wire format allows, at any time. The node never traps, and its memory stays
/// bounded.
@Suite struct HostileMemberTests {
    /// Numbers at or next to the bounds where something overflows.
    private static let edges: [UInt64] =
        [0, 1, 2, 15, 16, 17, 19, 1000, Goal.mostTrials - 1, Goal.mostTrials, Checkpoint.blocks(223), .max - 1, .max]
        + (1..<64).map { 1 << $0 }

    private struct Chance {
        var random: RandomStream

        init(seed: UInt64) { random = RandomStream(seed: seed, block: 0, lane: 0) }

        mutating func below(_ bound: Int) -> Int { random.integer(in: 0...bound - 1) }
        mutating func pick<Element>(_ all: [Element]) -> Element { all[below(all.count)] }

        mutating func number(below bound: UInt64 = .max) -> UInt64 {
            let edge = pick(HostileMemberTests.edges)
            let near = [edge, edge &- 1, edge &+ 1, edge &+ UInt64(below(40))]
            let number = below(3) == 0 ? UInt64(below(200)) : pick(near)
            return number < bound ? number : number % bound
        }

        mutating func blocks() -> Range<UInt64> {
            let first = number(below: JobMessage.mostBlocks)
            let count = number(below: JobMessage.mostBlocks - first)
            return first..<first + max(1, count)
        }

        mutating func tally() -> [UInt64] { (0..<(below(8) == 0 ? below(4) : 1)).map { _ in number() } }
        mutating func duration() -> Duration { .nanoseconds(Int64(number(below: 1 << 58))) }
        mutating func settled() -> SettledTally { SettledTally(blocks: number(below: 1 << 60), tally: tally()) }

        mutating func change(_ id: JobID, _ record: JobRecord) -> JournalChange {
            switch below(9) {
            case 0:
                var record = record
                record.epoch = number()
                return .accepted(record)
            case 1: return .rewritten(id, settled())
            case 2: return .done(id, BlockTally(blocks: blocks(), node: Host.own, tally: tally()))
            case 3: return .settled(id, settled())
            case 4: return .passed(id, settled())
            case 5: return .judged(id, end: number(below: 1 << 60))
            case 6: return .ran(id, duration())
            case 7: return .stands(id, pick(JobStanding.allCases))
            default: return .forgotten(id)
            }
        }

        mutating func message(_ id: JobID, _ record: JobRecord, _ spec: JobSpec) -> JobMessage {
            let attempt = below(2) == 0 ? UInt64(below(60)) : number()
            switch below(16) {
            case 0: return .ready(id)
            case 1: return .cores(below(9) * below(50))
            case 2, 3, 4: return .offer(id, (0..<below(6)).map { _ in offer() })
            case 5, 6:
                let result = WorkResult(
                    attempt: attempt, end: number(below: 1 << 60), tally: tally(), busy: duration())
                return .results(id, [result])
            case 7: return .failure(id, attempt: attempt, block: number(below: 1 << 60), text: "no")
            case 8, 9: return .replica(id, [.accepted(record)] + (0..<below(5)).map { _ in change(id, record) })
            case 10: return .job(id, spec, epoch: number())
            case 11: return .lend(id, [LentChunk(attempt: attempt, blocks: blocks())])
            case 12: return pick([.drop(id, attempts: [attempt]), .interrupt(id), .over(id)])
            case 13: return .course(id, index: below(224), CoursePoint(trials: number(), readings: []))
            case 14:
                return .result(
                    id,
                    JobResult(
                        spec: spec, trials: number(), tally: tally(), readings: [], completion: .trials,
                        elapsed: duration(), nodes: []))
            default: return .command(pick(JobCommand.allCases), id, ticket: nil, token: number())
            }
        }

        mutating func offer() -> OfferedWork {
            OfferedWork(blocks: blocks(), tally: tally(), busy: duration())
        }
    }

    /// Orders with every combination of goal and block size.
    private static let orders: [JobOrder] = [Goal(), Goal(trials: 1000), Goal(trials: Goal.mostTrials)].flatMap {
        goal in
        [UInt64(1), 16, 1 << 20].map { size in
            let plain = VirtualNode.order(seed: 5, goal: goal).experiment
            let experiment = Experiment(
                simulation: plain.simulation, parameters: [], seed: 5, blockSize: size)
            return JobOrder(JobRecipe(experiment: experiment, goal: goal))
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>) func whateverComesNothingTraps(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        // Each seed tests three of the nine orders, so twelve seeds test each order four times.
        for number in 0..<3 {
            var order = Self.orders[(3 * Int(seed) + number) % Self.orders.count]
            if chance.below(3) == 0 { order.goal.precision = .absolute(0.01) }
            order.collects = chance.below(4) == 0
            var host = Host()
            let own = try host.orders(order)
            host.hears(.ready(own))
            let taken = TakenJob(order: order, ticket: Host.ticket, submitter: Host.other, submitterName: "bo")
            let spec = JobSpec(JobRecipe(experiment: order.experiment, goal: order.goal, collects: order.collects))
            for step in 0..<40 {
                let id = chance.pick([own, own, JobID(8), JobID(9)])
                let record = JobRecord(
                    id: id, spec: taken.encoded, simulation: "hits", submitter: "bo", acceptedAt: 0, epoch: 0)
                host.hears(chance.message(id, record, spec))
                host.work(atMost: 4)
                host.passes(.milliseconds(10))
                if step % 20 == 19 { host.losesAndMeets() }
            }
            for run in host.engine.coordinator.runs {
                #expect(run.ledger.isSound)
                #expect(run.ledger.returned.count <= 2 * JobLimits.looseOffers)
            }
        }
    }

    /// A peer offers a huge range as done in no time. The node must not spend minutes to audit it.
    @Test(arguments: [1, 14, 20, 30, 40, 50, 55] as [UInt64]) func aWideOfferIsNoAuditWithoutEnd(shift: UInt64) throws {
        var host = Host()
        let id = try host.orders(VirtualNode.order(seed: 5, goal: Goal()))
        host.hears(.ready(id))
        for round in 0..<40 as Range<UInt64> {
            // An offer behind a checkpoint. The interval up to the next one is wide enough for it.
            let (first, width) = (Checkpoint.blocks(4 * Int(shift)) + round, UInt64(1) << shift)
            host.hears(.offer(id, [OfferedWork(blocks: first..<first + width, tally: [round], busy: .zero)]))
            host.work(atMost: 10)
            host.passes(.milliseconds(10))
        }
        // The node computes a block in a millisecond.
        #expect(host.chunks.count > 10 && host.chunks.allSatisfy { $0.blocks.count < 10_000 })
    }

    /// The ledger refuses an offer far ahead of its first block, because it would stay fragmented from then on.
    @Test func aFarOfferIsNotTaken() throws {
        var host = Host()
        let id = try host.orders(VirtualNode.order(seed: 5, goal: Goal()))
        host.hears(.ready(id))
        for _ in 0..<20 {
            host.work(atMost: 10)
            host.passes(.milliseconds(10))
        }
        for far in [1 << 30, 1 << 40, 1 << 55] as [UInt64] {
            host.hears(.offer(id, [OfferedWork(blocks: far..<far + 1, tally: [1], busy: .milliseconds(1))]))
        }
        let ledger = try #require(host.engine.coordinator.runs.first?.ledger)
        #expect(ledger.fresh < 1 << 30 && ledger.settled > 0)
    }

    // MARK: Replicas

    private static func record(_ order: JobOrder, epoch: UInt64) -> JobRecord {
        let taken = TakenJob(order: order, ticket: Host.ticket, submitter: Host.other, submitterName: "bo")
        return JobRecord(
            id: JobID(8), spec: taken.encoded, simulation: "hits", submitter: "bo", acceptedAt: 0, epoch: epoch)
    }

    /// Epochs near the limit may come in a replica, but also from a journal or from a peer with another decoder.
    @Test func noEpochIsTooLargeToResume() throws {
        let order = VirtualNode.order(seed: 5, goal: Goal(trials: 1000))
        for epoch in Self.edges + [JobRecord.lastEpoch - 1, JobRecord.lastEpoch] {
            var host = Host()
            let record = Self.record(order, epoch: epoch)
            host.handle(.session(.received(Host.link, .job(.replica(JobID(8), [.accepted(record)])))))
            host.losesAndMeets()
            let taken = host.engine.coordinator.runs.first?.epoch
            #expect(taken.map { $0 > epoch && $0 <= JobRecord.lastEpoch } ?? (epoch >> 16 >= JobRecord.lastEpoch >> 16))
            var next = Host()
            next.handle(.found([KeptJob(record)]))
            #expect(next.engine.coordinator.runs.first.map { $0.epoch == epoch + 1 } ?? (epoch >= JobRecord.lastEpoch))
        }
    }

    @Test(arguments: [Goal(), Goal(trials: 1000), Goal(trials: Goal.mostTrials), Goal(precision: .absolute(0.1))])
    func noProgressIsTooFarToResume(goal: Goal) {
        for blocks in Self.edges where blocks <= JobMessage.mostBlocks {
            for size in [1, 1 << 20] as [UInt64] {
                let plain = VirtualNode.order(seed: 5, goal: goal).experiment
                let order = JobOrder(
                    JobRecipe(
                        experiment: Experiment(
                            simulation: plain.simulation, parameters: [], seed: 5, blockSize: size), goal: goal))
                var host = Host()
                let settled = SettledTally(blocks: blocks, tally: [1])
                let id = JobID(8)
                host.hears(
                    .replica(
                        id,
                        [
                            .accepted(Self.record(order, epoch: 0)), .rewritten(id, settled), .passed(id, settled),
                            .done(id, BlockTally(blocks: blocks..<blocks + 1, node: Host.own, tally: [1])),
                        ]))
                host.losesAndMeets()
                for run in host.engine.coordinator.runs {
                    #expect(run.ledger.isSound && run.ledger.settledTrials <= goal.trials ?? Goal.mostTrials)
                }
            }
        }
    }

    /// The job's output was lost with its coordinator, so the new coordinator starts at the first block, whatever a
    /// replica says.
    @Test func aCollectingJobResumesFromItsFirstBlock() throws {
        var order = VirtualNode.order(seed: 5, goal: Goal(trials: 1600))
        order.collects = true
        for settled in [0, 16, 100] as [UInt64] {
            var host = Host()
            let id = JobID(8)
            let pieces = [BlockTally(blocks: settled..<settled + 1, node: Host.own, tally: [1])]
            host.hears(
                .replica(
                    id,
                    [
                        .accepted(Self.record(order, epoch: 0)),
                        .rewritten(id, SettledTally(blocks: settled, tally: [1])),
                        .ran(id, .seconds(1)),
                    ] + pieces.map { .done(id, $0) }))
            host.losesAndMeets()
            let run = try #require(host.engine.coordinator.runs.first)
            #expect(run.spec.collects && run.ledger.settled == 0 && run.ledger.totalTrials == 0)
            let sealed = host.effects.contains { if case .job(.seal) = $0 { true } else { false } }
            #expect(!sealed && host.chunks.first?.blocks.lowerBound == 0)
        }
    }

    /// A peer may send replicas of any size. Their memory is bounded.
    @Test func theMemoryOfAReplicaIsBounded() {
        let order = VirtualNode.order(seed: 5, goal: Goal())
        var replicas = Replicas(own: Host.own)
        let id = JobID(8)
        replicas.apply(id, [.accepted(Self.record(order, epoch: 0))], from: Host.other, isAutomatic: true, now: .start)
        let tally = [UInt64](repeating: 1, count: JobMessage.mostSlots)
        for number in 0..<2000 as Range<UInt64> {
            let piece = BlockTally(blocks: 2 * number..<2 * number + 1, node: Host.other, tally: tally)
            replicas.apply(
                id, [.done(id, piece), .passed(id, SettledTally(blocks: number + 1, tally: tally))], from: Host.other,
                isAutomatic: true, now: .start)
        }
        let kept = replicas.take(id, now: .start)
        #expect(kept.map { $0.slots <= JobLimits.replicaSlots } ?? true)
    }
}
