import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen
import PotluckSystem

/// Watches jobs through a node of the session that runs on this machine. Used by `run --session` and `watch`.
final class WatchClient: Sendable {
    private let socket: LocalSocket
    private let session: SessionID
    private let directory: StateDirectory
    /// The submitted job; nil if all jobs are watched.
    let job: JobID?
    /// What the node sent after its answer: the beginning of the feed.
    private let first: [UInt8]
    private let board = Guarded(JobBoard())
    private let programs = ProgramBoard()
    private let recorder: JobRecorder
    /// Whether the user left with a key.
    private let hasLeft = Guarded(false)
    /// Collects the job's output; nil if the user did not ask for it.
    private let written: JobOutput?
    /// Why the output cannot be written; nil if nothing is wrong.
    private let trouble = Guarded<String?>(nil)
    private let clock = BootClock()
    private let solutions: Solutions

    private init(
        _ socket: LocalSocket, _ session: SessionID, _ directory: StateDirectory, job: JobID?, first: [UInt8],
        written: JobOutput?, ordered: Solutions.Ordered?
    ) {
        solutions = Solutions(ordered)
        self.written = written
        self.socket = socket
        self.session = session
        self.directory = directory
        self.job = job
        self.first = first
        recorder = JobRecorder(directory, session)
    }

    /// How long to wait for the node's answer in addition to the socket's timeout. For an order the node asks the
    /// coordinator. It gives up some seconds before this.
    private static func patience(with request: ControlRequest) -> Duration {
        guard case .order(_, _, _, let tables) = request else { return .zero }
        var found = stat()
        let octets = tables.map { stat($0, &found) == 0 ? Int(found.st_size) : 0 } ?? 0
        return Session.patience(forTables: octets) + .seconds(10)
    }

    /// Sends the request. Returns nil if no node of the session runs on this machine, and throws if every such node
    /// refuses.
    static func open(
        _ request: ControlRequest, _ session: SessionID, _ directory: StateDirectory, _ purpose: Purpose = Purpose()
    ) throws -> WatchClient? {
        let clock = BootClock()
        var refusal: String?
        for path in directory.controls(session) {
            guard let socket = directory.reach(path, &refusal) else { continue }
            guard socket.finish(request.text) else {
                refusal = StateDirectory.silent(session)
                socket.end()
                continue
            }
            var octets: [UInt8] = []
            let end = clock.now + patience(with: request)
            // The answer has two lines. A refusal ends with the stream.
            var isAwaited = false
            while octets.count(where: { $0 == UInt8(ascii: "\n") }) < 2 {
                let more = socket.receive {
                    if !isAwaited, case .order = request { Output.complain(preparing(in: session)) }
                    isAwaited = true
                    return clock.now < end
                }
                octets += more
                if more.isEmpty || octets.count > ControlRequest.maximumLength { break }
            }
            let lines = octets.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
            let words = lines.prefix(2).map { String(decoding: $0, as: UTF8.self) }
            switch (words.first, words.count) {
            case ("streams", 2) where lines.count == 3:
                let job = UInt64(words[1], radix: 16).map { JobID($0) }
                let written = try purpose.output.map { _ throws(JobFailed) in try JobOutput(in: directory.spool) }
                return WatchClient(
                    socket, session, directory, job: job, first: Array(lines[2]), written: written,
                    ordered: purpose.ordered)
            case ("refused", 2): refusal = words[1]
            default: refusal = StateDirectory.silent(session)
            }
            socket.end()
        }
        if let refusal { throw Failure(message: refusal) }
        return nil
    }

    /// The line of a submitter while the answer to its order takes long.
    static func preparing(in session: SessionID) -> String {
        "\(session.name) is preparing the simulation; Ctrl-C withdraws the job"
    }

    /// Passes on the events of the submitted job until it is over. If the node ends before, the job is lost.
    func follow(_ take: @escaping @Sendable (JobEvent) -> Void) {
        Task { [self] in
            defer { socket.wake() }
            for await heard in events() {
                guard case .job(let event) = heard, event.job == job else { continue }
                take(event)
                switch event {
                case .finished, .failed, .lost: return
                case .snapshot, .news: if event.isFailure(of: job) { return }
                }
            }
            if let job { take(.lost(job)) }
        }
    }

    /// Shows the jobs until the submitted one is over, the node ends, or the user leaves.
    func run(isJSON: Bool, _ purpose: Purpose) async throws -> ExitCode {
        if let job, purpose.order != nil { try? TicketStore.keep(purpose.ticket, of: job, in: directory) }
        Interrupts.stop { [socket] in socket.wake() }
        let screen = ClusterScreen(of: purpose, isJSON: isJSON, clock: clock)
        let takesKeys = screen?.watchKeys { [weak self] in self?.act($0) } ?? false
        defer { screen?.end() }
        let show: @Sendable () -> Void = { [self] in screen?.show(picture(purpose, takesKeys: takesKeys)) }
        show()
        purpose.metrics?.keepWriting { [board] in board.with { $0 } }
        // Without a job there may be nothing to print for a long time.
        if screen == nil, job == nil, !isJSON { try say(title) }
        var failure: JobFailure?
        var lost = false
        var isOver = false
        // Whether the job is done and its output is awaited.
        var isWaiting = false
        for await heard in events() {
            guard case .job(let event) = heard else {
                if screen == nil { try report(heard, isJSON: isJSON) } else { show() }
                continue
            }
            guard !board.with({ $0.isOld(event) }) else { continue }
            let time = WallClock.clockText(WallClock.now)
            let lines = board.with { board in
                [board.plugin(event)].compactMap { $0 } + board.apply(event, at: clock.now, time: time)
            }
            purpose.metrics?.note(board.with { $0 })
            if purpose.printsProgress, let job, event.job == job, case .snapshot = event {
                try JobJSON.write(event.shown, solution: solution(for: event), to: purpose.stdout)
            }
            if screen != nil {
                if job == nil, case .finished(let id, let result, _) = event {
                    solutions.find(result, id, found: show)
                }
                show()
            } else if job == nil || !event.isFailure(of: job) && !event.isLoss(of: job) {
                // The failure or loss of the submitted job is printed last, as the error.
                try report(event, lines, isJSON: isJSON)
            }
            guard let job, event.job == job else { continue }
            switch event {
            case .finished: isOver = true
            case .lost: (isOver, lost) = (true, true)
            case .snapshot(let snapshot):
                recorder.saw(snapshot)
                if case .done = snapshot.state, purpose.output != nil, !isWaiting {
                    isWaiting = true
                    if screen == nil { Output.complain("fetching the output") }
                }
                if case .failed(let why) = snapshot.state { (isOver, failure) = (true, why) }
            case .failed, .news: break
            }
            if isOver { break }
        }
        screen?.end()
        if let failure { throw Failure(message: purpose.explain(failure)) }
        return try conclude(purpose, isJSON: isJSON, lost: lost)
    }

    private func picture(_ purpose: Purpose, takesKeys: Bool) -> ClusterPicture {
        board.with { board in
            var picture = board.picture
            picture.session = SessionPicture(
                title: title, waiting: board.jobs.isEmpty && !programs.isRunning ? ["No job is running."] : [])
            picture.commandable = Set(board.jobs.map(\.id))
            picture.hidesExact = purpose.hidesExact && purpose.order == nil
            (picture.leaving, picture.takesKeys) = (.detaches, takesKeys)
            picture.solutions = solutions.pictures
            picture.programs = programs.inSight
            return picture
        }
    }

    private var title: String { "Watching \(session.name)" }
    private var ended: String { "the node of \(session.name) on this machine has ended" }

    private func conclude(_ purpose: Purpose, isJSON: Bool, lost: Bool) throws -> ExitCode {
        guard let job else {
            if hasLeft.with({ $0 }) { return .success }
            if let asked = Interrupts.asked { return asked }
            throw Failure(message: ended)
        }
        guard let outcome = board.with({ $0.outcome(job) }) else {
            if let asked = Interrupts.asked {
                Output.complain(Detaching.words(job, session, purpose.output))
                return asked
            }
            throw Failure(
                message: lost
                    ? board.with { $0.loss(of: job) }
                    : "\(ended); job \(job) may still be running: potluck watch \(ShellWord.quoted(session.name))")
        }
        // Record it here as well: the node may keep no history, or keep it in another folder. What the host hides stays
        // hidden; if the node is the host, it records the rest.
        recorder.record(outcome.shown, inputs: purpose.inputs(of: outcome.result)) { Output.complain($0) }
        defer { recorder.finish() }
        if let output = purpose.output, let written {
            if let why = trouble.with({ $0 }) { throw Failure(message: output.unwritten(why)) }
            try output.write(outcome.result, written)
        }
        return try ResultOutput.conclude(
            outcome, of: purpose, isJSON: isJSON, solution: solutions.octets(of: outcome.result, job))
    }

    private func report(_ event: JobEvent, _ lines: [String], isJSON: Bool) throws {
        if isJSON, job == nil {
            return try JobJSON.write(event.shown, solution: solution(for: event))
        }
        for line in lines { try say(line) }
        if job == nil, case .finished(let id, _, _) = event, let outcome = board.with({ $0.outcome(id) }) {
            try ResultOutput.show(
                outcome.result.shown, digest: outcome.digest, solution: solutions.octets(of: outcome.result, id))
        }
    }

    /// Prints news of a program with ranks.
    private func report(_ heard: Heard, isJSON: Bool) throws {
        let news: [ProgramNews]
        switch heard {
        case .job: return
        case .program(let program, let told):
            news = told
            if isJSON { try Output.write(ProgramJSON.value(program.launch, program.show).text + "\n") }
        case .beat(let told): news = told
        }
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
        try Output.say(line, to: job == nil ? STDOUT_FILENO : STDERR_FILENO)
    }

    /// Something that the viewer hears.
    private enum Heard: Sendable {
        case job(JobEvent)
        /// A picture of a program with ranks, and the news in it.
        case program(FeedProgram, [ProgramNews])
        /// A second has passed while programs are in sight. The news came without a picture.
        case beat([ProgramNews])
    }

    /// What the node sends, until it ends or `socket.wake` is called.
    private func events() -> AsyncStream<Heard> {
        AsyncStream { continuation in
            let (socket, first, written, trouble) = (socket, first, written, trouble)
            let (solutions, programs) = (solutions, programs)
            SystemThread(for: "what a node on this machine says") {
                var reader = JobFeedReader()
                reader.takeTrouble = { why in trouble.with { $0 = why } }
                reader.takeSolution = { solutions.take($0) }
                reader.takeProgram = { program in
                    let news = programs.take(program) { continuation.yield(.beat($0)) }
                    continuation.yield(.program(program, news))
                }
                reader.takePiece = { piece in
                    do throws(JobFailed) {
                        try written?.append(piece)
                    } catch {
                        trouble.with { $0 = error.description }
                    }
                }
                var octets = first
                while let events = reader.read(octets) {
                    for event in events { continuation.yield(.job(event)) }
                    octets = socket.receive()
                    if octets.isEmpty { break }
                }
                continuation.finish()
            }.detach()
        }
    }

    private func act(_ action: ViewAction) {
        switch action {
        // Without the result of the submitted job, quitting is an interruption.
        case .quit where job != nil: Interrupts.ask(with: SIGINT)
        case .quit:
            hasLeft.with { $0 = true }
            socket.wake()
        case .repaint, .answer, .otherWords: break
        case .command(let command, let job):
            _ = try? directory.attempt(.command(command, job.text), of: session)
        }
    }
}
