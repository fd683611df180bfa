import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// What the nodes of a session learn of the ends of jobs while their links come and go. The law is: a node that is
/// connected learns the end of every job that it saw, once.
@Suite struct EndingTests {
    private static let own = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))
    private static let other = NodeID(firstOctetsOf: [UInt8](repeating: 2, count: 16))

    private static let spec = JobSpec(
        JobRecipe(experiment: VirtualNode.order(seed: 5, goal: Goal(trials: 1000)).experiment, goal: Goal(trials: 1000))
    )

    private static func result(_ spec: JobSpec = spec) -> JobResult {
        JobResult(
            spec: spec, trials: 1000, tally: VirtualNode.reference(seed: 5, trials: 1000), readings: [],
            completion: .trials, elapsed: .seconds(1), nodes: [])
    }

    private static func picture(_ id: JobID, _ state: JobState) -> JobPicture {
        JobPicture(id: id, submitter: "ana", state: state)
    }

    // MARK: What a node remembers of others' jobs

    /// A long job is still shown after any number of later ones, and its result counts.
    @Test(arguments: [1, 60]) func aLongJobIsShownHoweverManyComeAfterIt(open: Int) {
        var remoteJobs = RemoteJobs()
        var turn = Turn(now: .start, keepsJournal: false)
        let long = (1...open).map { JobID(UInt64($0)) }
        for id in long { remoteJobs.job(id, Self.spec, epoch: 0, from: Self.other, name: "bo", &turn) }
        for id in (1000..<1300).map({ JobID($0) }) {
            remoteJobs.job(id, Self.spec, epoch: 0, from: Self.other, name: "bo", &turn)
            remoteJobs.result(id, Self.result(), from: Self.other, &turn)
        }
        for id in long {
            turn.effects = []
            remoteJobs.picture(Self.picture(id, .running), from: Self.other, &turn)
            remoteJobs.result(id, Self.result(), from: Self.other, &turn)
            #expect(turn.effects.map(\.isEnd) == [false, true], "job \(id.number)")
        }
    }

    /// A coordinator that announces jobs without end costs a bounded memory, and a job that is dropped is told as lost.
    @Test func aCoordinatorCannotFillTheMemory() {
        var remoteJobs = RemoteJobs()
        var turn = Turn(now: .start, keepsJournal: false)
        for id in (1...10_000).map({ JobID($0) }) {
            remoteJobs.job(id, Self.spec, epoch: 0, from: Self.other, name: "bo", &turn)
        }
        var count = 0
        _ = remoteJobs.contains { _ in
            count += 1
            return false
        }
        #expect((JobLimits.jobs...4 * JobLimits.jobs).contains(count))
    }

    // MARK: Among peers

    /// A node that has stepped down passes on the end, because others may follow it and not have met the other
    /// coordinator.
    @Test(arguments: [false, true]) func whoSteppedDownPassesOnTheEnd(fails: Bool) throws {
        var room = QueueRoom()
        let id = try room.ordered(VirtualNode.order(seed: 5, goal: Goal(trials: 1000)))
        room.hears(.job(id, Self.spec, epoch: 1 << 16, known: Knowledge.whole), from: 0)
        #expect(room.run(id) == nil && room.nodes[1].results.isEmpty)
        room.hears(fails ? .picture(Self.picture(id, .failed("it traps"))) : .result(id, Self.result()), from: 0)
        #expect(fails ? room.nodes[1].pictures[id] == .failed("it traps") : room.nodes[1].results == [id])
        // Who connects later is told, too.
        room.meets("dan")
        room.hears(.unresolved([id]), from: 2)
        #expect(fails ? room.nodes[2].pictures[id] == .failed("it traps") : room.nodes[2].results == [id])
    }

    /// A node that connects may have continued and ended any job that is open here, also one of this node, which slept.
    @Test func whoConnectsIsAskedAboutEveryOpenJob() throws {
        var room = QueueRoom()
        let own = try room.ordered(VirtualNode.order(seed: 5, goal: Goal(trials: 1_000_000)))
        let others = JobID(7)
        room.hears(.job(others, Self.spec, epoch: 1 << 16), from: 0)
        room.meets("dan")
        #expect(Set(room.nodes[2].unresolved) == [own, others])
    }

    /// Who asks about a job that was continued may follow another coordinator. It is told who ended the job before it is
    /// told how.
    @Test(arguments: [0, 1 << 16] as [UInt64]) func anEndIsToldWithItsClaim(epoch: UInt64) throws {
        var turn = Turn(now: .start, keepsJournal: false)
        var coordinator = Coordinator(own: Self.own, seed: 1, mostBlocks: .max)
        coordinator.joined(Worker(node: Self.other, name: "bo", cores: 1), &turn)
        let (id, order) = (JobID(7), VirtualNode.order(seed: 5, goal: Goal(trials: 1000)))
        let ticket = try #require(JobTicket([UInt8](repeating: 3, count: JobTicket.length)))
        let taken = TakenJob(order: order, ticket: ticket, submitter: Self.own, submitterName: "ana")
        let result = JobMessage.result(id, Self.result())
        coordinator.remember(result, of: id, taken, Self.spec, epoch: epoch)
        coordinator.asked(about: [id], by: Self.other, &turn) { _ in false }
        let told =
            turn.mail.map(\.message)
            + turn.promises.compactMap { if case .mail(let message, _) = $0 { message } else { nil } }
        let claim = JobMessage.job(id, Self.spec, epoch: epoch, known: Knowledge.whole)
        #expect(told == (epoch > 0 ? [claim] : []) + [result, .over(id)])
    }

    // MARK: A session

    /// A guest's link is lost for a moment. Meanwhile the jobs end that it saw, and all points of a sweep.
    @Test(arguments: [(4, 0), (9, 0), (16, 0), (1, 8), (16, 300)])
    func aGuestThatWasAwayLearnsHowEachJobEnded(open: Int, later: Int) {
        let room = Classroom(guests: 2, seed: 1)
        room.settle()
        let ordered = (0..<open).map { _ in room.order() }
        room.settle()
        room.cut(0, isNoticed: false)
        for (number, id) in ordered.enumerated() { room.end(id, fails: number % 3 == 1) }
        for _ in 0..<later { room.end(room.order(), fails: false) }
        room.cut(0, isNoticed: true)
        room.connect(0)
        room.settle()
        room.check()
        #expect(room.continued(0) == [], "a job that is over does not continue")
    }

    /// The jobs of a guest that is away for minutes count as lost. It learns all the same how they ended.
    @Test func aGuestThatWasAwayForLongLearnsHowEachJobEnded() {
        let room = Classroom(guests: 1, seed: 1)
        room.settle()
        let ordered = (0..<12).map { _ in room.order() }
        room.settle()
        room.cut(0)
        for _ in 0..<30 { room.settle() }
        #expect(room.lost(0) == Set(ordered))
        for id in ordered { room.end(id, fails: false) }
        room.connect(0)
        room.settle()
        room.check(mayLose: true)
    }

    /// A coordinator keeps a bounded number of ends. Who asks for an older one is told that it is forgotten.
    @Test func aGuestIsToldOfForgottenEnds() {
        let room = Classroom(guests: 1, seed: 1)
        room.settle()
        let seen = room.order()
        room.settle()
        room.cut(0)
        room.end(seen, fails: false)
        for _ in 0..<JobLimits.endings { room.end(room.order(), fails: false) }
        room.connect(0)
        room.settle()
        #expect(room.lost(0) == [seen] && room.forgotten(0) == [seen])
    }

    /// The host's disk is full when jobs end. What it cannot promise yet is not forgotten, however long that lasts.
    @Test(arguments: [1, 15]) func whatWaitsForTheDiskIsNotForgotten(minutes: Int) {
        let room = Classroom(guests: 1, seed: 1, keepsJournal: true)
        room.settle()
        let seen = room.order()
        room.settle()
        room.cut(0)
        room.fillDisk()
        room.end(seen, fails: false)
        room.connect(0)
        for _ in 0..<30 * minutes { room.settle() }
        room.freeDisk()
        room.settle()
        room.check()
        #expect(room.forgotten(0) == [])
    }

    /// Orders, ends, cuts with messages under way, and reconnections in any order.
    @Test(arguments: 0..<40 as Range<UInt64>) func aGuestLearnsTheEndOfEveryJobThatItSaw(seed: UInt64) {
        let room = Classroom(guests: 3, seed: seed)
        room.settle()
        for _ in 0..<300 { room.step() }
        room.endAll()
        for guest in 0..<3 { room.connect(guest) }
        room.settle()
        room.check()
    }
}

extension Effect {
    fileprivate var isEnd: Bool {
        switch self {
        case .tell(.finished), .tell(.failed): true
        default: false
        }
    }
}
