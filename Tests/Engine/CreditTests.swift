import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// Who computed a job is known after its coordinator's end, too.
@Suite struct CreditTests {
    private static let id = JobID(7)
    private static let ticket = JobTicket([UInt8](repeating: 3, count: JobTicket.length))!
    private static let blocks: UInt64 = 400
    private static var trials: UInt64 { blocks * VirtualNode.blockSize }

    private static func node(_ number: UInt8) -> NodeID { NodeID(firstOctetsOf: [UInt8](repeating: number, count: 16)) }

    private static func run(_ credits: [Credit]) throws -> JobRun {
        let taken = TakenJob(
            order: VirtualNode.order(seed: 5, goal: Goal(trials: 2 * trials)), ticket: ticket, submitter: node(1),
            submitterName: "host")
        let record = JobRecord(
            id: id, spec: taken.encoded, simulation: "hits", submitter: "host", acceptedAt: 0, epoch: 0)
        let settled = SettledTally(blocks: blocks, tally: VirtualNode.reference(seed: 5, trials: trials))
        let kept = try #require(
            KeptJob(
                record, standing: .running, settled: settled, pieces: [], checkpoints: [], end: nil, ran: .seconds(60),
                credits: credits))
        return JobRun(
            id: id, taken, facts: VirtualNode.facts, kept: kept, epoch: 1, own: node(1), seed: 1, now: .start)
    }

    private static func workers(_ names: [UInt8: String]) -> OrderedTable<NodeID, Worker> {
        var workers = OrderedTable<NodeID, Worker>()
        for (number, name) in names.sorted(by: { $0.key < $1.key }) {
            workers[node(number)] = Worker(node: node(number), name: name, cores: 1)
        }
        return workers
    }

    private static func rows(_ run: JobRun, _ workers: OrderedTable<NodeID, Worker>) -> [String: UInt64] {
        let rows = run.snapshot(.running, workers, now: .start).nodes
        return Dictionary(rows.map { ($0.name, $0.trials) }) { $0 + $1 }
    }

    /// Ana's link only broke, so her ID is the same; Bo's laptop restarted; Cy went home.
    @Test func everybodyKeepsTheirTrialsOverARestart() throws {
        var run = try Self.run([
            Credit(node: Self.node(9), name: "host", trials: Self.trials / 8),
            Credit(node: Self.node(2), name: "ana", trials: Self.trials / 2),
            Credit(node: Self.node(3), name: "bo", trials: Self.trials / 4),
            Credit(node: Self.node(4), name: "cy", trials: Self.trials / 8),
        ])
        let workers = Self.workers([1: "host", 2: "ana", 5: "bo"])
        for number: UInt8 in [1, 2, 5] { run.joined(Self.node(number), now: .start) }
        let expected = [
            "host": Self.trials / 8, "ana": Self.trials / 2, "bo": Self.trials / 4, "cy": Self.trials / 8,
        ]
        #expect(Self.rows(run, workers) == expected)
        #expect(run.snapshot(.running, workers, now: .start).nodes.count == 4)
    }

    /// A journal of an earlier version has no credits.
    @Test func withoutCreditsItWasNobodyInParticular() throws {
        #expect(Self.rows(try Self.run([]), Self.workers([1: "host"])) == [NodeRow.earlierName: Self.trials])
    }

    @Test func aLiarKeepsNoCredit() throws {
        var run = try Self.run([
            Credit(node: Self.node(2), name: "ana", trials: 1), Credit(node: Self.node(3), name: "bo", trials: 3),
        ])
        run.joined(Self.node(2), now: .start)
        run.workerProgress.change(Self.node(2)) { $0.stage = .shutOut }
        #expect(Self.rows(run, Self.workers([2: "ana", 3: "bo"])) == ["ana": 0, "bo": Self.trials])
    }

    /// What one coordinator tells the journal is what the next one shows.
    @Test func creditsAreToldOnceASecond() throws {
        var run = try Self.run([Credit(node: Self.node(2), name: "ana", trials: 5)])
        let workers = Self.workers([1: "host"])
        var turn = Turn(now: .start, keepsJournal: true)
        run.keepTime(workers, &turn)
        #expect(
            turn.takeChanges().contains(
                .credited(Self.id, [Credit(node: Self.node(2), name: "ana", trials: Self.trials)])))
        run.keepTime(workers, &turn)
        #expect(turn.takeChanges().isEmpty)
        #expect(run.kept(.start).changes.contains { if case .credited = $0 { true } else { false } })
    }

    @Test func scaledCreditsHaveTheSum() {
        var random = SeededGenerator(seed: 3)
        for round in 0..<2000 {
            let width = UInt64(1) << random.next(below: 60)
            let credits = (0..<(1 + random.next(below: 9))).map { number in
                Credit(node: NodeID(words: (0, number)), name: "n\(number)", trials: 1 + random.next(below: width))
            }
            let sum = random.next(below: 1 << 60)
            let scaled = credits.scaled(to: sum)
            #expect(scaled.reduce(0) { $0 + $1.trials } == sum, "round \(round)")
            let known = credits.reduce(0) { $0 + $1.trials }
            for (before, after) in zip(credits, scaled) {
                let exact = Double(before.trials) / Double(known) * Double(sum)
                #expect(abs(Double(after.trials) - exact) <= 10 + exact * 1e-9, "round \(round)")
            }
        }
        #expect([Credit(node: .nobody, name: "x", trials: 0)].scaled(to: 5).isEmpty)
        #expect(
            [Credit(node: .nobody, name: "x", trials: .max), Credit(node: .nobody, name: "y", trials: .max)]
                .scaled(to: 8).reduce(0) { $0 + $1.trials } == 8)
    }
}
