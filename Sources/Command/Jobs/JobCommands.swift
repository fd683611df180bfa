import Glibc
import Potluck
import PotluckArguments
import PotluckModel
import PotluckSystem

/// `potluck pause` and `cancel`, and `resume` as far as it is about a session.
enum JobCommands {
    static let job = Positional(
        "JOB", "the beginning of its number, or its simulation; not needed where there is one only",
        required: false)
    static let whoMay = "A host may do this with every job, others with those they ordered from this machine."

    static let verbs = [
        verb(.pause, "let a job rest", "What is under way ends at the next block and counts."),
        ResumeCommand.verb,
        verb(.cancel, "end a job", "What was computed so far is its result, exact for the trials it names."),
    ]

    private static func verb(_ command: JobCommand, _ summary: String, _ detail: String) -> Verb {
        Verb(
            declaration: Command(
                "\(command)", summary,
                positionals: [
                    Positional("SESSION", "which session"),
                    job,
                ],
                options: [StateDirectory.option.declaration] + Visit.options,
                details: [detail + " " + whoMay]),
            run: { arguments in try await run(command, arguments) })
    }

    static func run(_ command: JobCommand, _ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        let text = arguments[1]
        guard text?.isFitForScreen ?? true, text?.contains("\n") != true else { throw UsageError("JOB is not a job") }
        let directory = try StateDirectory.find(arguments)
        defer { directory.end() }
        switch try directory.attempt(.command(command, text), of: id) {
        case .done(let answer), .streams(let answer): try Output.write(answer + "\n")
        case .refused(let why): throw Failure(message: why)
        case nil:
            guard let answer = try await visit(command, text, id, arguments, directory) else {
                Output.complain("interrupted; nothing was done")
                return Interrupts.asked ?? .interrupted
            }
            try Output.write(answer + "\n")
        }
        return .success
    }

    /// How long a session is looked for and its jobs waited for: people wait before the prompt.
    private static let patience = Duration.seconds(10)

    /// From a machine where no node of the session runs. Nil where somebody stopped it before there was an answer.
    private static func visit(
        _ command: JobCommand, _ text: String?, _ id: SessionID, _ arguments: Arguments,
        _ directory: StateDirectory
    ) async throws -> String? {
        let session = try await Visit.start(id, arguments, directory)
        Interrupts.stop { Task { await session.leave() } }
        try? Output.write(
            "No node of \(id.name) runs on this machine: looking for one, \(patience.components.seconds) s at most …\n",
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
                _ = board.take(event)
                guard answer == nil, case .job(let job) = board.find(text) else { break }
                do throws(JobFailed) {
                    try await session.command(command, job, ticket: TicketDrawer.ticket(of: job, in: directory))
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
            if wasRefused { throw Failure(message: Participation.wrongCode(id)) }
            throw Failure(
                message:
                    "\(id.name) was not found within \(patience.components.seconds) s; potluck browse shows what is "
                    + "around, and potluck doctor says why somebody is missing")
        }
        switch board.find(text) {
        case .none(let why): throw Failure(message: why)
        case .job: throw Failure(message: "\(id.name) gave no answer within \(patience.components.seconds) s")
        }
    }
}
