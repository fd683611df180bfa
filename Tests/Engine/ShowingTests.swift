import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// What a coordinator shows of its job, on its own screen and on others.
@Suite struct ShowingTests {
    private static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private static let other = NodeID(firstOctetsOf: [UInt8](repeating: 2, count: 16))

    /// A job that is precise enough may wait for audits or its output. Everybody sees meanwhile that it ends.
    @Test func everybodySeesThatAPreciseJobEnds() throws {
        let order = VirtualNode.order(seed: 5, goal: Goal(precision: .absolute(0.1)))
        let ticket = try #require(JobTicket([UInt8](repeating: 3, count: JobTicket.length)))
        let taken = TakenJob(order: order, ticket: ticket, submitter: Self.own, submitterName: "ana")
        var run = JobRun(
            id: JobID(7), taken, facts: VirtualNode.facts, kept: nil, epoch: 0, own: Self.own, seed: 1, now: .start)
        var workers = OrderedTable<NodeID, Worker>()
        workers[Self.own] = Worker(node: Self.own, name: "ana", cores: 1)
        workers[Self.other] = Worker(node: Self.other, name: "bo", cores: 1)
        for node in workers.keys { run.joined(node, now: .start) }
        var turn = Turn(now: .start, keepsJournal: false)
        run.begin(&turn)
        let tally = [UInt64](repeating: 0, count: VirtualNode.facts.layout.slots)
        let precise = ReadRequest(job: run.id, tally: tally, trials: 64, purpose: .checkpoint(0))
        run.evaluation.end(with: (precise, []))
        run.clock.stop(.start)
        run.phase = .concluding(.precision, isResultAsked: true)
        turn = Turn(now: .start + .seconds(1), keepsJournal: false)
        run.woke(workers, &turn)
        let published = turn.effects.compactMap {
            if case .tell(.snapshot(let snapshot)) = $0 { snapshot.state } else { nil }
        }
        let sent = turn.mail.compactMap { to, message in
            if to == Self.other, case .picture(let picture) = message { picture.state } else { nil }
        }
        #expect(published == [.stopping] && sent == [.stopping])
    }
}
