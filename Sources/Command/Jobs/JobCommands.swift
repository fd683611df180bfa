import Glibc
import Potluck
import PotluckArguments
import PotluckConsole
import PotluckModel
import PotluckSystem

/// `potluck pause`, `potluck cancel`, and `potluck resume` for the jobs of a session.
enum JobCommands {
    static let job = Positional(
        "JOB", "the beginning of the job's number, or its simulation (default: the only job)", required: false)
    static let whoMay =
        "The host may pause, resume and cancel every job; others may do so with jobs that they started on this machine."

    static let verbs = [
        verb(
            .pause, "pause a job of a session", "Nothing that was computed is lost. 'potluck resume' continues the job."
        ),
        ResumeCommand.verb,
        verb(.cancel, "cancel a job of a session", "The job ends with the result of the trials so far."),
    ]

    private static func verb(_ command: JobCommand, _ summary: String, _ detail: String) -> Verb {
        Verb(
            declaration: Command(
                "\(command)", summary,
                positionals: [
                    SessionArguments.session,
                    job,
                ],
                options: Visit.access + [StateDirectory.option.declaration] + Visit.reach,
                details: [detail + " " + whoMay], examples: ["\(command) Monty"]),
            run: { arguments in try await run(command, arguments) })
    }

    static func run(_ command: JobCommand, _ arguments: Arguments) async throws -> ExitCode {
        let typed = try DiscoveryArguments.session(arguments[0] ?? "")
        let text = arguments[1]
        guard text?.isFitForScreen ?? true, text?.contains("\n") != true else {
            throw UsageError("invalid JOB: use the beginning of a job's number, or a simulation")
        }
        let directory = try StateDirectory.find(arguments)
        defer { directory.end() }
        let id = try await NearbyName.choose(typed, directory, arguments)
        switch try directory.attempt(.command(command, text), of: id) {
        case .done(let answer), .streams(let answer): try Output.write(answer + "\n")
        case .refused(let why): throw Failure(message: why)
        case nil:
            guard let answer = try await visit(command, text, id, arguments, directory) else {
                Output.complain("interrupted; nothing was changed")
                return Interrupts.asked ?? .interrupted
            }
            try Output.write(answer + "\n")
        }
        return .success
    }

    /// How long to look for a session and wait for its jobs, while the user waits for the prompt.
    private static let patience = Duration.seconds(10)

    /// Sends the command from a machine where no node of the session runs. Returns nil if interrupted before an answer.
    private static func visit(
        _ command: JobCommand, _ text: String?, _ id: SessionID, _ arguments: Arguments,
        _ directory: StateDirectory
    ) async throws -> String? {
        let session = try await Visit.start(id, arguments, directory)
        Interrupts.stop { Task { await session.leave() } }
        try? Output.write(
            "No node of \(id.name) runs on this machine. Looking for one, for at most \(patience.components.seconds) s …\n",
            to: STDERR_FILENO)
        let timer = Task {
            try? await Task.sleep(for: patience)
            if !Task.isCancelled { await session.leave() }
        }
        defer { timer.cancel() }
        var board = JobBoard()
        var hasLink = false
        var wasRefused = false
        var answer: Result<String, Failure>?
        for await event in session.events {
            switch event {
            case .peer(let peer) where peer.state == .connected: hasLink = true
            case .trouble(.otherCode), .trouble(.otherCodeAt): wasRefused = true
            case .job(let event):
                _ = board.apply(event, at: .start, time: "")
                guard answer == nil, case .job(let job) = board.find(text) else { break }
                do throws(JobFailed) {
                    try await session.command(command, job, ticket: TicketStore.ticket(of: job, in: directory))
                    answer = .success("job \(job) \(command.done)")
                } catch {
                    answer = .failure(Failure(message: error.description))
                }
                await session.leave()
            default: break
            }
        }
        if let answer { return try answer.get() }
        if Interrupts.asked != nil { return nil }
        guard hasLink else {
            if wasRefused { throw Failure(message: SessionController.wrongCode(id)) }
            throw Failure(
                message:
                    "no session called \(Spelling.quoted(id.name)) found within \(patience.components.seconds) s; see "
                    + "'potluck browse' and 'potluck doctor'")
        }
        switch board.find(text) {
        case .none(let why): throw Failure(message: why)
        case .job:
            throw Failure(message: "no answer from \(id.name) within \(patience.components.seconds) s; try again")
        }
    }
}
