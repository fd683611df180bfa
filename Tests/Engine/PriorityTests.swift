import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// How jobs of several priorities share the nodes.
@Suite struct PriorityTests {
    private static func order(_ priority: Priority, seed: UInt64 = 5, trials: UInt64? = nil) -> JobOrder {
        var order = VirtualNode.order(seed: seed, goal: Goal(trials: trials))
        order.priority = priority
        return order
    }

    /// The trials of two endless jobs of different submitters after a while.
    private static func trials(_ room: inout QueueRoom, _ jobs: [JobID], in time: Duration) -> [UInt64] {
        let before = jobs.map { room.run($0)?.ledger.totalTrials ?? 0 }
        room.passes(time)
        return zip(jobs, before).map { (room.run($0)?.ledger.totalTrials ?? 0) - $1 }
    }

    @Test(arguments: Priority.allCases, Priority.allCases)
    func jobsGetTheirTurns(first: Priority, second: Priority) throws {
        var room = QueueRoom()
        let jobs = [
            try room.ordered(Self.order(first, seed: 5), at: 0), try room.ordered(Self.order(second, seed: 7), at: 1),
        ]
        room.passes(.seconds(2))
        let trials = Self.trials(&room, jobs, in: .seconds(200))
        #expect(!trials.contains(0), "a job stands still")
        let share = Double(trials[0]) / Double(trials[0] + trials[1])
        let wanted = Double(first.turns) / Double(first.turns + second.turns)
        // Chunks are not of the same length to the last block.
        #expect(abs(share - wanted) < 0.03, "\(share), not \(wanted)")
    }

    @Test func aMoreUrgentJobNeedNotWaitForTheOthersOfItsSubmitter() throws {
        var room = QueueRoom()
        let running = try room.ordered(Self.order(.utility, seed: 5))
        room.passes(.milliseconds(500))
        let usual = try room.ordered(Self.order(.normal, seed: 7, trials: 16 * 100))
        let patient = try room.ordered(Self.order(.utility, seed: 9))
        let urgent = try room.ordered(Self.order(.interactive, seed: 11, trials: 16 * 400))
        room.passes(.milliseconds(500))
        #expect(room.state(running) == .running && room.state(urgent) == .running)
        #expect(room.state(patient) == .waiting(.line(3, behind: JobAhead(id: running, name: "hits"))))
        room.passes(.seconds(10))
        #expect(room.run(usual) == nil && room.run(urgent) == nil)
        #expect(room.state(patient) == .waiting(.line(1, behind: JobAhead(id: running, name: "hits"))))
    }

    @Test func aCommandMakesAJobMoreUrgent() throws {
        var room = QueueRoom()
        let jobs = [
            try room.ordered(Self.order(.normal, seed: 5), at: 0),
            try room.ordered(Self.order(.normal, seed: 7), at: 1),
        ]
        room.passes(.seconds(2))
        #expect(room.commands(.prioritize(.background), jobs[0], at: 0) == .taken(jobs[0]))
        let trials = Self.trials(&room, jobs, in: .seconds(100))
        #expect(trials[0] > 0 && trials[1] > 12 * trials[0], "\(trials)")
        let run = try #require(room.run(jobs[0]))
        #expect(run.snapshot(.running, OrderedTable(), now: room.now).picture.priority == .background)
        // Whoever continues the job has the new priority.
        #expect(try TakenJob(run.record.spec).order.priority == .background)
    }

    /// The answer to an order was lost, and the user changed the priority of the job before it came again.
    @Test func anOrderThatComesAgainIsKnownAfterACommand() throws {
        var room = QueueRoom()
        let order = Self.order(.normal)
        let id = try room.ordered(order, at: 0)
        room.commands(.prioritize(.utility), id, at: 0)
        room.hears(.order(order, ticket: QueueRoom.ticket(1), token: 99), from: 0)
        #expect(room.engine.coordinator.runs.count == 1)
    }

    @Test func aJournalKeepsTheLatestPriority() throws {
        var room = QueueRoom()
        let id = try room.ordered(Self.order(.normal))
        var kept = KeptJobs()
        kept.apply(.accepted(try #require(room.run(id)).record))
        room.commands(.prioritize(.interactive), id)
        kept.apply(.accepted(try #require(room.run(id)).record))
        let spec = try #require(kept.jobs[id]?.record.spec)
        #expect(try TakenJob(spec).order.priority == .interactive)
    }
}
