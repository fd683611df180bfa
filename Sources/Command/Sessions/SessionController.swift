import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen
import PotluckSystem

/// A node that takes part in a session, from start to end. Draws on the terminal or prints lines.
final class SessionController: Sendable {
    /// The state that changes while the node runs.
    struct State: Sendable {
        var scene: SessionScene
        /// What the screen shows of the session's page; nil if there is none.
        var page: SessionPicture.Page?
        /// Whether newcomers may join; nil for a guest.
        var door: SessionPicture.Door?
        var board = JobBoard()
        /// The tickets of jobs that were submitted on this machine.
        var own: [JobID: JobTicket] = [:]
        var ownJob = OwnJob.waiting
        var written = Written.none
        /// Whether the user wants to type other words.
        var wantsOtherWords = false
        /// Warnings to print after the screen is gone.
        var farewell: [String] = []
        /// The jobs whose results were recorded while the host hid the exact answers, with their digests. The oldest first.
        var hidden: [(job: JobID, digest: String)] = []
    }

    /// The progress of the job that this node came for.
    enum OwnJob: Sendable, Equatable {
        case waiting
        case asking
        case taken(JobID)
        /// The coordinator refused the order, or the job failed. The text says why; the job is nil if the order was not
        /// taken.
        case failed(JobID?, String)

        var job: JobID? {
            switch self {
            case .taken(let id): id
            case .failed(let id, _): id
            case .waiting, .asking: nil
            }
        }
    }

    let session: Session
    let id: SessionID
    let task: SessionTask
    let state: Guarded<State>
    let feeds = JobFeeds()
    let directory: StateDirectory
    /// How others join the session; nil if this node does not tell.
    let access: Access?
    /// What this server keeps for its next start; nil for another node.
    let served: ServedSession?
    let recorder: JobRecorder
    let programs = ProgramBoard()
    let solutions: Solutions
    let clock = BootClock()
    let isJSON: Bool
    /// The session in browsers; nil if it is not shown there.
    let page: SessionPage?
    private let screen: ClusterScreen?
    /// Whether the command that started this node asks for other words if the user wants that.
    let asksAgain: Bool
    /// Whether it does so at the first refusal, because the user has just typed the words.
    let asksAtOnce: Bool
    /// Reads `w` and Enter where there is no screen; nil until a code was refused.
    let lines = Guarded<Keys?>(nil)
    /// Held while a line is written, because viewers come and go on another thread.
    private let writing = Guarded(())

    init(
        _ session: Session, id: SessionID, mode: Mode, directory: StateDirectory, access: Access? = nil,
        invitation: SessionPicture.Invitation? = nil, isJSON: Bool, task: SessionTask, asksAgain: Bool = false,
        asksAtOnce: Bool = false, page: SessionPage? = nil, served: ServedSession? = nil, isClosed: Bool = false
    ) {
        self.session = session
        self.id = id
        self.directory = directory
        self.access = access
        self.served = served
        recorder = JobRecorder(directory, id)
        solutions = Solutions(task.job?.ordered) { [feeds] in feeds.send($0) }
        self.isJSON = isJSON
        self.page = page
        self.task = task
        self.asksAgain = asksAgain && !isJSON
        self.asksAtOnce = asksAtOnce && self.asksAgain
        var first = State(scene: SessionScene(session: session, id: id.name, mode: mode, invitation: invitation))
        first.scene.lends(task.lent.count)
        first.scene.namesAt = { [session] in session.name(at: $0) }
        first.page = page.map { .init(showing: $0.address(port: session.port)) }
        first.door = mode == .client ? nil : isClosed ? .closed : .open
        if case .unfinished(let job)? = task.job?.origin { first.ownJob = .taken(job) }
        state = Guarded(first)
        screen = ClusterScreen(of: task, isJSON: isJSON, clock: clock)
    }

    var hasScreen: Bool { screen != nil }

    /// Runs until the session ends, and returns the exit code.
    func run() async throws -> ExitCode {
        Interrupts.stop { [self] in leave() }
        let door =
            task.isSubmitOnly ? nil : try ControlDoor(directory, id) { [weak self] in await self?.answer($0, $1) }
        defer { door?.close() }
        let takesKeys = screen?.watchKeys { [weak self] in self?.act($0) } ?? false
        state.with { $0.scene.retyping = retyping(takesKeys: takesKeys) }
        let power = PowerWatch(cores: task.lent.count, runsOnBattery: task.lent.runsOnBattery) {
            [session, state] cores in
            state.with { $0.scene.lends(cores) }
            Task { await session.setCores(cores) }
        }
        let drawing = screen.map { _ in keepDrawing(takesKeys: takesKeys) }
        task.metrics?.keepWriting { [state] in state.with(\.board) }
        defer {
            drawing?.cancel()
            power.end()
            programs.end()
            feeds.end()
            screen?.end()
            lines.with { $0?.end() }
            recorder.finish()
            finishWriting()
            for line in state.with(\.farewell) { Output.complain(line) }
        }
        if let page { watch(page) }
        try begin()
        order()
        var end = SessionEnd.left
        var waiting = state.with(\.scene.waiting)
        for await event in session.events {
            if case .ended(let how) = event { end = how }
            try report(event, &waiting)
            draw(takesKeys: takesKeys)
            order()
        }
        return try conclude(end)
    }

    /// Redraws every second as well as at each event, because the times change.
    private func keepDrawing(takesKeys: Bool) -> Task<Void, Never> {
        Task.detached { [weak self] in
            while let self, !Task.isCancelled {
                let times = await session.roundTrips
                state.with { $0.scene.roundTrips = times }
                refreshAddress()
                draw(takesKeys: takesKeys)
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    // MARK: Output

    private func begin() throws {
        if task.isSubmitOnly {
            if screen == nil { try say(state.with(\.scene.waiting)) }
        } else if isJSON {
            try write(state.with { SessionJSON.begun(session, id: id.name, $0.scene, page: $0.page?.address) })
        } else if screen == nil {
            try say(state.with { $0.scene.picture(troubles: [], isIdle: false).title })
            if state.with(\.scene.isOpen) { try say(SessionView.openWarning) }
            if let address = state.with(\.page?.address) { try say("Page for browsers: \(address)") }
            try say(state.with(\.scene.waiting))
        }
    }

    private func report(_ event: Session.Event, _ waiting: inout String) throws {
        let lines: [String]
        if case .job(let event) = event {
            guard !state.with({ $0.board.isOld(event) }) else { return }
            lines = took(event)
            followSolution(event)
            task.metrics?.note(state.with(\.board))
        } else if case .program(let launch, let show) = event {
            lines = try took(launch, show)
        } else {
            let (news, wait) = state.with { ($0.scene.apply(event, at: clock.now), $0.scene.waiting) }
            lines = (news.map { [$0.text] } ?? []) + (wait == waiting ? [] : [wait])
            waiting = wait
        }
        tellPage(event)
        try printProgress(event)
        if isJSON, !task.isSubmitOnly {
            let solution = solution(for: event)
            try write(state.with { SessionJSON.value(event.shown, scene: $0.scene, solution: solution) })
        } else if screen == nil {
            for line in lines { try say(line) }
        }
        switch event {
        case .job(let event): try act(on: event)
        case .approved(let nodes): keep(approved: nodes)
        case .trouble(.otherCode), .trouble(.otherCodeAt):
            if task.isSubmitOnly {
                endUnlessLetIn()
            } else if asksAtOnce {
                askForOtherWords()
            } else {
                watchLines()
            }
        default: break
        }
    }

    /// Prints a tally of this node's own job if the user asked for all of them.
    private func printProgress(_ event: Session.Event) throws {
        guard task.printsProgress, case .job(let event) = event, case .snapshot(let snapshot) = event,
            state.with({ $0.ownJob == .taken(snapshot.id) })
        else { return }
        try JobJSON.write(event.shown, solution: solutions.latest(of: snapshot.id), to: task.stdout)
    }

    /// Passes the event to the board and the viewers. Returns the lines to print.
    private func took(_ event: JobEvent) -> [String] {
        state.with { state in
            // While the lock is held, so that a new viewer gets this event either from the board or from the feed, but
            // not both.
            feeds.send(event)
            hideIfAsked(event, state)
            let plugin = state.board.plugin(event)
            if let plugin { state.scene.add(.init(plugin, .warning)) }
            let peers = state.scene.peers
            let lines =
                [plugin].compactMap { $0 }
                + state.board.apply(event, at: clock.now, time: WallClock.clockText(WallClock.now)) {
                    peers[$0]?.peer.mode == .peer
                }
            // The screen shows progress anyway. Everything else goes to the news.
            if !event.isProgress { for line in lines { state.scene.add(.init(line, .warning)) } }
            if case .failed(let id, _) = event { noteFailure(of: id, &state) }
            // A command that only submits a job prints its failure or loss last, as the error.
            let isLast = isFailureOfOwnJob(event, state) || event.isLoss(of: state.ownJob.job)
            return task.isSubmitOnly && isLast ? [] : lines
        }
    }

    /// Whether the event reports that this node's own job failed. The job may fail before its order is confirmed, when
    /// its ID is still unknown; then it is recognised by its experiment.
    private func isFailureOfOwnJob(_ event: JobEvent, _ state: State) -> Bool {
        guard let job = event.job, event.isFailure(of: job) else { return false }
        if state.ownJob == .asking, let order = task.job?.order {
            return state.board.snapshot(job)?.spec.experiment == order.experiment
        }
        return state.ownJob.job == job
    }

    /// Notes the failure if this is the job that this node came for.
    private func noteFailure(of id: JobID, _ state: inout State) {
        guard state.ownJob == .taken(id), case .failed(let why)? = state.board.snapshot(id)?.state else { return }
        state.ownJob = .failed(id, task.job?.explain(why) ?? why.description)
    }

    /// Reacts to an event: records results, and leaves after the job that this command came for.
    private func act(on event: JobEvent) throws {
        switch event {
        case .snapshot(let snapshot):
            if state.with({ $0.board.outcome(snapshot.id) }) == nil { recorder.saw(snapshot) }
            if snapshot.state.isDone, !snapshot.hidesExact { complete(snapshot) }
        case .finished(let id, let result, let isOurs):
            keep(id, isOurs: isOurs)
            handOver(id, result)
            if state.with({ $0.ownJob == .taken(id) }) { finish(id) }
        case .failed(let id, _), .lost(let id): recorder.forget(id)
        case .news: break
        }
        guard task.isSubmitOnly else {
            if !isJSON, screen == nil, case .finished(let id, _, _) = event { try show(id) }
            return
        }
        switch (state.with(\.ownJob), event) {
        case (.failed, _): leave()
        case (.taken(let own), .lost(let id)): if id == own { leave() }
        default: break
        }
    }

    /// Writes a line of JSON.
    func write(_ json: JSON) throws { try writing.with { _ in try Output.write(json.text + "\n") } }

    func complain(_ line: String) {
        guard screen != nil else { return Output.complain(line) }
        state.with { state in
            guard !state.farewell.contains(line) else { return }
            state.farewell.append(line)
            state.scene.add(.init(line, .warning))
        }
    }

    /// Prints to stderr if stdout is for the result of a job or for lines of JSON.
    func say(_ text: String) throws {
        try Output.say(text, to: task.isSubmitOnly || isJSON ? STDERR_FILENO : STDOUT_FILENO)
    }

    private func draw(takesKeys: Bool) {
        guard let screen else { return }
        let reach = session.reach
        let leaving = leaving
        let picture = state.with { state in
            if let trouble = reach?.lesserTrouble { state.scene.tellOnce(trouble) }
            var picture = state.board.picture
            picture.session = state.scene.picture(
                troubles: reach?.obstacles ?? [], isIdle: state.board.isIdle && !programs.isRunning)
            picture.session?.page = state.page
            picture.session?.roster = state.scene.roster(viewers: state.page?.viewers ?? [])
            picture.session?.door = state.door
            picture.session?.takesMessages = !task.isSubmitOnly
            picture.own = session.node
            picture.commandable = state.scene.isHost ? Set(state.board.jobs.map(\.id)) : Set(state.own.keys)
            picture.hidesExact = task.hidesExact && state.scene.mode == .client
            (picture.leaving, picture.takesKeys) = (leaving, takesKeys)
            picture.solutions = solutions.pictures
            picture.programs = programs.inSight
            return picture
        }
        screen.show(picture)
    }

    // MARK: Submitting the job, and the end

    /// Submits the job that this node came for, once. A guest needs a link to its server first.
    private func order() {
        guard let submitted = task.job, let order = submitted.order else { return }
        let may = state.with { state in
            guard state.ownJob == .waiting, state.scene.mode != .client || state.scene.hasLink else { return false }
            state.ownJob = .asking
            return true
        }
        guard may else { return }
        tellIfSlow()
        Task {
            do throws(JobError) {
                let job = try await session.submit(
                    order, ticket: submitted.ticket, module: submitted.chosen.octets, tables: submitted.tables)
                // The job may be over before its order is confirmed.
                let (isDone, isFailed) = state.with { state in
                    state.own[job] = submitted.ticket
                    state.ownJob = .taken(job)
                    noteFailure(of: job, &state)
                    return (state.board.outcome(job) != nil, state.ownJob != .taken(job))
                }
                try? TicketStore.keep(submitted.ticket, of: job, in: directory)
                keep(job)
                if isDone { finish(job) }
                if isFailed, task.isSubmitOnly { leave() }
            } catch {
                // Interrupted before an answer came.
                if Interrupts.asked != nil { return }
                state.with {
                    $0.ownJob = .failed(nil, error.description)
                    $0.scene.add(.init(error.description, .warning))
                }
                // With a screen, a node that computes stays: the news show the error.
                if task.isSubmitOnly || screen == nil { leave() }
            }
        }
    }

    private func conclude(_ end: SessionEnd) throws -> ExitCode {
        screen?.end()
        if end != .left, !task.isSubmitOnly { try showLast() }
        switch end {
        case .left: return try concludeOwnJob()
        case .removed: throw Failure(message: "the host of \(id.name) removed this node")
        case .declined: throw Failure(message: "the host of \(id.name) declined this node")
        }
    }

    private func concludeOwnJob() throws -> ExitCode {
        let own = state.with(\.ownJob)
        if case .failed(let job, let why) = own, task.job?.order != nil || job == nil { throw Failure(message: why) }
        guard case .submit(let submitted, let format, _) = task else {
            try showLast()
            return Interrupts.asked ?? .success
        }
        guard case .taken(let job) = own else { return Interrupts.asked ?? .success }
        guard let outcome = state.with({ $0.board.outcome(job) }) else {
            if let asked = Interrupts.asked {
                Output.complain(Detaching.words(job, id, submitted.output))
                return asked
            }
            throw Failure(message: state.with { $0.board.loss(of: job) })
        }
        do {
            try writeOutput(of: outcome.result)
        } catch let failure as Failure {
            guard let asked = Interrupts.asked else { throw failure }
            Output.complain(failure.message)
            return asked
        }
        return try ResultOutput.conclude(
            outcome, of: submitted, format, solution: solutions.octets(of: outcome.result, job))
    }
}
