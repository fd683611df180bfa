import PotluckCore
import PotluckEngine
import PotluckKit

@testable import PotluckSimulation

/// A room with a server, ana, and a client, bob, in which nothing has happened yet. A sensor sets up a violation in it
/// and calls the laws.
final class Evening {
    /// A seed with which readings are fast and blocks write little.
    private static let seed: UInt64 = 0x2277
    static let blockSize: UInt64 = 16
    /// The trials of a hundred blocks.
    static let trials = 100 * blockSize

    let room: SimulatedCluster
    let id = JobID(7)
    let link = LinkName.dialled(1)

    init(guests: Role = .submits) {
        room = SimulatedCluster(seed: 1)
        room.guests = guests
        room.arrive("ana", mode: .server, cores: 1)
        room.arrive("bob", mode: .client, cores: 1)
    }

    var ana: Laptop { room.laptops[0] }
    var bob: Laptop { room.laptops[1] }

    // MARK: A job

    func experiment(_ kind: VirtualSimulation = .even) -> Experiment {
        VirtualSimulation.experiment(
            kind, seed: Self.seed, blockSize: Self.blockSize, cost: .milliseconds(1), trap: kind == .trap ? 5 : .max)
    }

    func order(
        _ kind: VirtualSimulation = .even, goal: Goal = Goal(trials: Evening.trials), collects: Bool = false
    ) -> JobOrder {
        JobOrder(JobRecipe(experiment: experiment(kind), goal: goal, collects: collects))
    }

    /// Makes the job known to the room. Ana coordinates it, and the laptop at `submitter` ordered it.
    func know(_ order: JobOrder, submitter: Seat? = nil) {
        var job = KnownJob(id: id)
        (job.order, job.submitter) = (order, submitter)
        room.wishes.known[id] = job
        room.wishes.jobs.append(id)
        ana.observed.leads[id] = Lead(epoch: 0, isTaken: true, now: room.now)
    }

    /// Records a request whose answer is still to come. Returns its token.
    func wish(_ laptop: Laptop, _ request: JobRequest) -> UInt64 {
        let token = UInt64(room.wishes.wishes.count + 1)
        room.wishes.wishes.append(
            Wish(token: token, seat: laptop.seat, start: laptop.start, request: request, at: room.now, answer: nil))
        return token
    }

    /// Returns the result of an honest coordinator, changed as the arguments say.
    func result(
        of order: JobOrder, goal: Goal? = nil, trials: UInt64 = Evening.trials, completion: Completion = .trials,
        shares: UInt64? = nil, tally spoilTally: (inout [UInt64]) -> Void = { _ in },
        readings otherReadings: [Reading]? = nil, course spoilCourse: (inout [CoursePoint]) -> Void = { _ in },
        output: BlobReference? = nil
    ) -> JobResult {
        let experiment = order.experiment
        var tally = room.truth(experiment) { $0.tally(of: trials) } ?? [trials, 0, 0]
        spoilTally(&tally)
        var course: [CoursePoint] = []
        while Checkpoint.blocks(course.count) * Self.blockSize < trials {
            let point = Checkpoint.blocks(course.count) * Self.blockSize
            guard let there = room.truth(experiment, { $0.tally(of: point) }) else { break }
            course.append(CoursePoint(trials: point, readings: VirtualSimulation.readings(there, trials: point)))
        }
        spoilCourse(&course)
        return JobResult(
            spec: JobSpec(JobRecipe(experiment: experiment, goal: goal ?? order.goal)), trials: trials, tally: tally,
            readings: otherReadings ?? VirtualSimulation.readings(tally, trials: trials), course: course,
            completion: completion, elapsed: .seconds(1),
            nodes: [NodeRow(node: ana.node, name: ana.name, cores: 1, trials: shares ?? trials, rate: nil)],
            output: output)
    }

    /// Returns the result of a search, with another best.
    func searched(shares: UInt64 = SearchSpace.points, _ change: (Best) -> Best) -> JobResult {
        let experiment = VirtualSimulation.experiment(
            .search, seed: 1, blockSize: 1, cost: .milliseconds(1), trap: 256)
        let order = JobOrder(JobRecipe(experiment: experiment, goal: Goal(trials: SearchSpace.points)))
        know(order)
        let best = VirtualSearch(experiment)?.best ?? Best()
        return JobResult(
            spec: JobSpec(JobRecipe(experiment: experiment, goal: order.goal)), trials: SearchSpace.points,
            tally: VirtualSearch.tally(change(best)), readings: [], completion: .trials, elapsed: .seconds(1),
            nodes: [NodeRow(node: ana.node, name: ana.name, cores: 1, trials: shares, rate: nil)])
    }

    func whole(_ order: JobOrder) -> BlobReference? {
        room.truth(order.experiment) { $0.tally(of: Self.trials) }.map { SimulatedCluster.whole(order.experiment, $0) }
    }

    func judge(_ result: JobResult) { room.judge(ana, id, result) }

    // MARK: Effects of engines

    func attempt(_ number: UInt64) -> AttemptID { AttemptID(job: id, number: number) }

    func task(_ number: UInt64, blocks: Range<UInt64>) -> ChunkTask {
        ChunkTask(
            chunk: Chunk(attempt: attempt(number), blocks: blocks), experiment: experiment(), trials: nil, duty: .worker
        )
    }

    /// Passes effects of ana's engine to the laws.
    func does(_ effects: [Effect], at event: Event = .woke) {
        room.check(ana, event, effects, ana.clock.local(room.now))
    }

    func sends(_ message: JobMessage) { does([.session(.send(link, .job(message), reliably: true))]) }

    func snapshot(_ state: JobState, of job: JobID? = nil, trials: UInt64 = 0) -> JobSnapshot {
        JobSnapshot(
            JobSpec(JobRecipe(experiment: experiment(), goal: Goal(trials: Self.trials))),
            JobPicture(id: job ?? id, submitter: "bob", state: state, trials: trials))
    }

    func blob(_ number: UInt8, size: Int = 3) -> BlobReference {
        guard let hash = BlobHash([UInt8](repeating: number, count: BlobHash.length)),
            let blob = BlobReference(hash: hash, size: size)
        else { preconditionFailure("a hash has 32 octets") }
        return blob
    }

    func ticket() -> JobTicket {
        guard let ticket = JobTicket([UInt8](repeating: 1, count: JobTicket.length)) else {
            preconditionFailure("a ticket has 16 octets")
        }
        return ticket
    }

    /// Joins the two laptops with a link that both know by the same name.
    func plug() {
        let cable = Cable(
            1, [Cable.End(seat: 0, start: 0, link: link), Cable.End(seat: 1, start: 0, link: link)])
        (ana.network.links[link], bob.network.links[link]) = (cable, cable)
    }

    func wait(_ time: Duration) { room.run(until: room.now + time) }
}
