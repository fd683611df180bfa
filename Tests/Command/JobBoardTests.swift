import Potluck
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckCommand
@testable import PotluckScreen

/// What a node knows of a session's jobs.
@Suite struct JobBoardTests {
    /// An order is confirmed before the first picture of its job comes. Who cancels the job then must reach it.
    @Test func anOrderedJobIsFoundWithoutAPicture() {
        let (job, board) = (JobID(0x2fd5_f5ff_e85c_f424), JobBoard(unicode: false))
        #expect(found(board.find(job.text, ordered: [JobID(7), job])) == job)
        #expect(found(board.find(job.text)) == nil)
        for text in [nil, "2fd5", "tsp"] { #expect(found(board.find(text, ordered: [job])) == nil) }
    }

    private func found(_ found: JobBoard.Found) -> JobID? {
        if case .job(let job) = found { job } else { nil }
    }

    // MARK: Ends

    private static let spec = JobSpec(
        JobRecipe(
            experiment: Experiment(
                simulation: SimulationIdentity(name: "sample", source: "00", streams: 1), parameters: [], seed: 42,
                blockSize: 1024), goal: Goal(trials: 1024)))
    private static let lab = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))

    private static func shown(_ id: JobID, _ state: JobState) -> JobEvent {
        .snapshot(
            JobSnapshot(spec, JobPicture(id: id, submitter: "ana", state: state)))
    }

    private static func finished(_ id: JobID) -> JobEvent {
        .finished(
            id,
            JobResult(
                spec: spec, trials: 1024, tally: [], readings: [], completion: .trials, elapsed: .zero, nodes: []),
            isOurs: false)
    }

    private static func orphaned(_ id: JobID) -> JobEvent { .news(.orphaned(id, lab, name: "lab")) }

    /// A guest that was away gets the result of a job without a last picture of it.
    @Test func aResultEndsItsJob() {
        let job = JobID(7)
        for events in [
            [Self.shown(job, .running), Self.finished(job)],
            [Self.shown(job, .running), Self.orphaned(job), Self.shown(job, .running), Self.finished(job)],
            [Self.shown(job, .running), Self.finished(job), Self.shown(job, .running)],
            [Self.shown(job, .running), Self.finished(job), Self.orphaned(job), .lost(job)],
            [Self.finished(job), Self.shown(job, .running)],
        ] {
            var board = JobBoard(unicode: false)
            let lines = events.flatMap { board.apply($0, at: .start, time: "") }
            #expect(board.jobs.allSatisfy { $0.state == .done(.trials) } && board.isIdle && board.awaited.isEmpty)
            #expect(board.story(of: nil).isEmpty && !lines.contains { $0.contains("unknown") })
            #expect(board.find(nil) == .none(JobBoard.noJob))
            #expect(board.find(job.text) == .none("job \(job) has ended"))
        }
    }

    /// The end of a job that arrives last is not always the last end: a job may fail that was taken later.
    @Test func theLastEndIsShown() {
        let (first, second) = (JobID(7), JobID(8))
        for isLast in [true, false] {
            var board = JobBoard(unicode: false)
            let failure = JobEvent.failed(second, "why")
            let ends = isLast ? [Self.finished(first), failure] : [failure, Self.finished(first)]
            for event in [Self.shown(first, .running), Self.shown(second, .running)] + ends {
                _ = board.apply(event, at: .start, time: "")
            }
            #expect(board.picture.shownJob == (isLast ? second : first))
        }
    }

    /// The events of some jobs in a random order, some of them twice, whatever order a node would send them in.
    private static func events(_ random: inout RandomStream) -> [JobEvent] {
        var events: [JobEvent] = []
        let count = random.chance(0.1) ? 40 : random.integer(in: 1...4)
        for id in (1...count).map({ JobID(UInt64($0) << 44) }) {
            for _ in 0..<random.integer(in: 0...2) { events.append(shown(id, .running)) }
            if random.chance(0.3) { events.append(orphaned(id)) }
            if random.chance(0.2) { events.append(.news(.continues(id, lab, name: "lab"))) }
            if random.chance(0.2) { events.append(.lost(id)) }
            switch random.integer(in: 0...3) {
            case 0: break
            case 1:
                for _ in 0..<random.integer(in: 1...2) { events.append(.failed(id, "why")) }
                if random.chance(0.5) { events.append(shown(id, .failed("why"))) }
            default:
                for _ in 0..<random.integer(in: 1...2) { events.append(finished(id)) }
                if random.chance(0.5) { events.append(shown(id, .done(.trials))) }
            }
        }
        for index in events.indices.dropFirst() { events.swapAt(index, random.integer(in: 0...index)) }
        return events
    }

    /// Whatever comes in whatever order: a job whose end was told is never open again, its end is told once, and the
    /// screen shows the last end if nothing is open.
    @Test func anEndedJobStaysEnded() {
        for seed in 0..<300 as Range<UInt64> {
            var random = RandomStream(seed: seed, block: 3, lane: 0)
            var board = JobBoard(unicode: false)
            var ends: [JobID] = []
            var lines: [String] = []
            for event in Self.events(&random) {
                lines += board.apply(event, at: .start, time: "")
                switch event {
                case .finished(let id, _, _), .failed(let id, _): if !ends.contains(id) { ends.append(id) }
                case .snapshot(let snapshot):
                    if case .failed = snapshot.state, !ends.contains(snapshot.id) { ends.append(snapshot.id) }
                case .lost, .news: break
                }
                let open = board.jobs.filter { !$0.state.isOver }.map(\.id)
                let told = board.story(of: nil).compactMap(\.job)
                #expect(!ends.contains { open.contains($0) || told.contains($0) || board.awaited[$0] != nil })
                #expect(Set(board.outcomes.map(\.id)).count == board.outcomes.count)
                #expect(!ends.contains { board.find($0.text) == .job($0) })
                if board.jobs.allSatisfy(\.state.isOver), let last = ends.last,
                    board.jobs.contains(where: { $0.id == last }) || board.outcome(last) != nil
                {
                    #expect(board.picture.shownJob == last, "seed \(seed)")
                }
            }
            for id in ends { #expect(lines.count { $0.contains("\(id)") && $0.contains("failed: ") } <= 1) }
            #expect(board.jobs.count <= 2 * ends.count + 40)
        }
    }

    /// A viewer that begins at any time shows the same jobs as open as the node does, and the same ones without contact.
    @Test func aViewerThatComesLaterShowsTheSame() {
        for seed in 0..<200 as Range<UInt64> {
            var random = RandomStream(seed: seed, block: 4, lane: 0)
            let events = Self.events(&random)
            let beginning = random.integer(in: 0...events.count)
            var (board, viewer) = (JobBoard(unicode: false), JobBoard(unicode: false))
            var lines: [String] = []
            for (index, event) in events.enumerated() {
                if index == beginning {
                    for event in board.story(of: nil) { lines += viewer.apply(event, at: .start, time: "") }
                    #expect(lines.count { $0.contains("lost contact with lab") } == board.open.values.count { $0 })
                    #expect(board.open == viewer.open, "seed \(seed)")
                }
                _ = board.apply(event, at: .start, time: "")
                if index >= beginning { _ = viewer.apply(event, at: .start, time: "") }
                if index >= beginning { #expect(board.isIdle || !viewer.isIdle, "seed \(seed)") }
            }
        }
    }
}

extension JobBoard {
    fileprivate var picture: ClusterPicture {
        var picture = ClusterPicture(jobs: jobs, outcomes: outcomes, awaited: awaited)
        picture.lastEnded = lastEnded
        return picture
    }

    /// The jobs that are not over, and of each whether its coordinator is lost.
    fileprivate var open: [JobID: Bool] {
        var open: [JobID: Bool] = [:]
        for job in jobs where !job.state.isOver { open[job.id] = awaited[job.id] != nil }
        return open
    }
}

extension ClusterPicture {
    fileprivate var shownJob: JobID? {
        switch focus(nil) {
        case .nothing: nil
        case .job(let job): job.id
        case .outcome(let outcome): outcome.id
        }
    }
}
