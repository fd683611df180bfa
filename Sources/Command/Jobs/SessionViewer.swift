import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen
import PotluckSystem

/// Shows jobs through a node of the session that runs on this machine. Used by `run --session` and `watch`.
final class SessionViewer: Sendable {
    private let guest: GuestSession
    private let task: SessionTask
    private let isJSON: Bool
    private let board = Guarded(JobBoard())
    private let programs = ProgramBoard()
    private let recorder: JobRecorder
    /// Whether the user left with a key.
    private let hasLeft = Guarded(false)
    private let clock = BootClock()
    private let solutions: Solutions
    private let events: AsyncStream<Heard>
    private let queue: AsyncStream<Heard>.Continuation

    /// Something that the viewer hears.
    private enum Heard: Sendable {
        case event(ClientEvent)
        /// A second has passed while programs are in sight. The news came without a picture.
        case beat([ProgramNews])
    }

    init(_ guest: GuestSession, _ task: SessionTask, isJSON: Bool) {
        (self.guest, self.task, self.isJSON) = (guest, task, isJSON)
        solutions = Solutions(task.job?.ordered)
        recorder = JobRecorder(guest.directory, guest.id)
        (events, queue) = AsyncStream.makeStream(of: Heard.self)
    }

    /// Takes an event of the client. Any thread may call it.
    func hear(_ event: ClientEvent) { queue.yield(.event(event)) }

    /// Shows the jobs until the submitted one is over, the node ends, or the user leaves.
    ///
    /// - Parameter job: the submitted job; nil if all jobs are watched.
    func run(_ client: NeighbourClient, _ job: JobID?) async throws -> ExitCode {
        if let job, let ticket = task.job?.ticket { try? TicketStore.keep(ticket, of: job, in: guest.directory) }
        Interrupts.stop { client.leave() }
        let screen = ClusterScreen(of: task, isJSON: isJSON, clock: clock)
        let takesKeys = screen?.watchKeys { [weak self] in self?.act($0, client) } ?? false
        defer { screen?.end() }
        let show: @Sendable () -> Void = { [self] in screen?.show(picture(takesKeys: takesKeys)) }
        show()
        task.metrics?.keepWriting { [board] in board.with { $0 } }
        // Without a job there may be nothing to print for a long time.
        if screen == nil, job == nil, !isJSON { try say(title) }
        let end = try await follow(job, isDrawn: screen != nil, show)
        screen?.end()
        return try await conclude(client, job, end)
    }

    /// Follows events until the submitted job is over or no more come. Returns how it ended; nil if that is unknown.
    private func follow(_ job: JobID?, isDrawn: Bool, _ show: @escaping @Sendable () -> Void) async throws -> End? {
        // Whether the job is done and its output is awaited.
        var isWaiting = false
        // When the node told of anything.
        var last = clock.now
        for await heard in events {
            let event: JobEvent
            switch heard {
            case .event(.job(let told)): event = told
            case .event(.solution(let found)):
                solutions.take(found)
                continue
            case .event(.program(let program)):
                let news = programs.take(program) { [queue] in queue.yield(.beat($0)) }
                if isDrawn { show() } else { try report(news, program) }
                continue
            case .beat(let news):
                if isDrawn { show() } else { try report(news, nil) }
                continue
            case .event(.silent(let isSilent)):
                let name = "the node of \(guest.id.name) on this machine"
                let line = board.with { $0.heard(from: name, isSilent: isSilent, at: last) }
                if isDrawn { show() } else if let line { Output.complain(line) }
                continue
            case .event(.cut): return nil
            // A node on this machine tells of nothing else.
            case .event: continue
            }
            last = clock.now
            guard !board.with({ $0.isOld(event) }) else { continue }
            let time = WallClock.clockText(WallClock.now)
            let lines = board.with { board in
                [board.plugin(event)].compactMap { $0 } + board.apply(event, at: clock.now, time: time)
            }
            task.metrics?.note(board.with { $0 })
            if task.printsProgress, let job, event.job == job, case .snapshot = event {
                try JobJSON.write(event.shown, solution: solution(for: event), to: task.stdout)
            }
            if isDrawn {
                if job == nil, case .finished(let id, let result, _) = event {
                    solutions.find(result, id, found: show)
                }
                show()
            } else if job == nil || !event.isFailure(of: job) && !event.isLoss(of: job) {
                // The failure or loss of the submitted job is printed last, as the error.
                try report(event, lines)
            }
            guard let job, event.job == job else { continue }
            if case .snapshot(let snapshot) = event {
                recorder.saw(snapshot)
                if case .done = snapshot.state, task.job?.output != nil, !isWaiting {
                    isWaiting = true
                    if !isDrawn { Output.complain("fetching the output") }
                }
            }
            if let end = End(event) { return end }
        }
        return nil
    }

    /// How the submitted job ended.
    private enum End {
        case finished
        case lost
        case failed(JobFailure)

        /// Returns nil if the event is not the end of its job.
        init?(_ event: JobEvent) {
            switch event {
            case .finished: self = .finished
            case .lost: self = .lost
            case .snapshot(let snapshot):
                guard case .failed(let why) = snapshot.state else { return nil }
                self = .failed(why)
            case .failed, .news: return nil
            }
        }
    }

    private func picture(takesKeys: Bool) -> ClusterPicture {
        board.with { board in
            var picture = board.picture
            picture.session = SessionPicture(
                title: title, waiting: board.jobs.isEmpty && !programs.isRunning ? ["No job is running."] : [])
            picture.commandable = Set(board.jobs.map(\.id))
            picture.hidesExact = task.hidesExact
            (picture.leaving, picture.takesKeys) = (.detaches, takesKeys)
            picture.solutions = solutions.pictures
            picture.programs = programs.inSight
            return picture
        }
    }

    private var title: String { "Watching \(guest.id.name)" }
    private var ended: String { "the node of \(guest.id.name) on this machine has ended" }

    private func conclude(_ client: NeighbourClient, _ job: JobID?, _ end: End?) async throws -> ExitCode {
        if case .failed(let why)? = end { throw Failure(message: task.job?.explain(why) ?? why.description) }
        guard let job, case .submit(let submitted, let format, _) = task else {
            if hasLeft.with({ $0 }) { return .success }
            if let asked = Interrupts.asked { return asked }
            throw Failure(message: ended)
        }
        guard let outcome = board.with({ $0.outcome(job) }) else {
            if let asked = Interrupts.asked {
                Output.complain(Detaching.words(job, guest.id, submitted.output))
                return asked
            }
            if case .lost? = end { throw Failure(message: board.with { $0.loss(of: job) }) }
            throw Failure(
                message:
                    "\(ended); job \(job) may still be running: potluck watch \(ShellWord.quoted(guest.id.name))")
        }
        // Record it here as well: the node may keep no history, or keep it in another folder. What the host hides stays
        // hidden; if the node is the host, it records the rest.
        recorder.record(outcome.shown, inputs: submitted.inputs(of: outcome.result)) { Output.complain($0) }
        defer { recorder.finish() }
        if let output = submitted.output {
            let written: JobOutput
            do throws(JobError) {
                written = try await client.output(of: job, outcome.result)
            } catch {
                throw Failure(message: output.unwritten(error.description))
            }
            try output.write(outcome.result, written)
        }
        return try ResultOutput.conclude(
            outcome, of: submitted, format, solution: solutions.octets(of: outcome.result, job))
    }

    private func report(_ event: JobEvent, _ lines: [String]) throws {
        if isJSON, !task.isSubmitOnly {
            return try JobJSON.write(event.shown, solution: solution(for: event))
        }
        for line in lines { try say(line) }
        if !task.isSubmitOnly, case .finished(let id, _, _) = event, let outcome = board.with({ $0.outcome(id) }) {
            try ResultOutput.show(
                outcome.result.shown, digest: outcome.digest, solution: solutions.octets(of: outcome.result, id))
        }
    }

    /// Prints news of programs with ranks. `program` is the picture with which they came; nil if they came without one.
    private func report(_ news: [ProgramNews], _ program: FeedProgram?) throws {
        if isJSON, let program { try Output.write(ProgramJSON.value(program.launch, program.show).text + "\n") }
        for item in news {
            if !isJSON {
                try say(item.words)
            } else if case .lost(let launch, let show) = item {
                try Output.write(ProgramJSON.lost(launch, show).text + "\n")
            }
        }
    }

    private func solution(for event: JobEvent) -> [UInt8]? {
        switch event {
        case .snapshot(let snapshot): solutions.latest(of: snapshot.id)
        case .finished(let id, let result, _): solutions.octets(of: result, id)
        default: nil
        }
    }

    /// Prints to stderr if this command submitted a job, because stdout is for the result.
    private func say(_ line: String) throws {
        try Output.say(line, to: task.isSubmitOnly ? STDERR_FILENO : STDOUT_FILENO)
    }

    private func act(_ action: ViewAction, _ client: NeighbourClient) {
        switch action {
        // Without the result of the submitted job, quitting is an interruption.
        case .quit where task.isSubmitOnly: Interrupts.ask(with: SIGINT)
        case .quit:
            hasLeft.with { $0 = true }
            client.leave()
        case .repaint, .answer, .otherWords, .say, .door: break
        case .command(let command, let jobs):
            for job in jobs { _ = try? guest.directory.attempt(.command(command, job.text), of: guest.id) }
        }
    }
}
