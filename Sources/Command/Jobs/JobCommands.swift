import Glibc
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// `potluck pause`, `potluck cancel`, and `potluck resume` for the jobs of a session.
enum JobCommands {
    static let job = Positional(
        "JOB", "the beginning of the job's number, or its simulation (default: the only job)", required: false)
    static let whoMay = "The host may do this with every job; others with jobs that they started on this machine."

    static let verbs = [
        verb(
            .pause, "pause a job of a session", "Nothing that was computed is lost. 'potluck resume' continues the job."
        ),
        ResumeCommand.verb,
        verb(.cancel, "cancel a job of a session", "The job ends with the result of the trials so far."),
        Verb(
            declaration: Command(
                "priority", "change how urgent a job of a session is",
                positionals: [
                    SessionArguments.session,
                    Positional(
                        "LEVEL", "interactive, normal, utility or background", values: ComputeArguments.levels), job,
                ],
                options: options,
                details: [
                    "Beside another job, one that is a level more urgent gets four fifths of the nodes' time or more. No job "
                        + "stands still. " + whoMay
                ], examples: ["priority Monty background", "priority Monty interactive pi"]),
            run: { arguments in
                let text = arguments[1] ?? ""
                let level: Priority
                do throws(ValueError) {
                    level = try ComputeArguments.level(text)
                } catch {
                    throw UsageError(error.message(value: text, of: "LEVEL"))
                }
                return try await run(.prioritize(level), arguments[2], arguments)
            }),
    ]

    private static let options = GuestSession.access + [StateDirectory.option.declaration] + GuestSession.reach

    private static func verb(_ command: JobCommand, _ summary: String, _ detail: String) -> Verb {
        Verb(
            declaration: Command(
                "\(command)", summary,
                positionals: [
                    SessionArguments.session,
                    job,
                ],
                options: options, details: [detail + " " + whoMay], examples: ["\(command) Monty"]),
            run: { arguments in try await run(command, arguments[1], arguments) })
    }

    /// Commands the job that `text` means.
    static func run(_ command: JobCommand, _ text: String?, _ arguments: Arguments) async throws -> ExitCode {
        let typed = try DiscoveryArguments.session(arguments[0] ?? "")
        guard text?.isFitForScreen ?? true, text?.contains("\n") != true else {
            throw UsageError("invalid JOB: use the beginning of a job's number, or a simulation")
        }
        let guest = try await GuestSession(typed, arguments)
        defer { guest.end() }
        var answer = try guest.directory.attempt(.command(command, text), of: guest.id)
        if answer == nil { answer = try await give(command, text, on: guest) }
        guard let answer else {
            Output.complain("interrupted; nothing was changed")
            return Interrupts.asked ?? .interrupted
        }
        try Output.write(answer + "\n")
        return .success
    }

    /// How long to look for a session and wait for its jobs, while the user waits for the prompt.
    private static let patience = Duration.seconds(10)
    /// How long to look for more peers after the first: discovery needs a second for all of a room.
    private static let meeting = Duration.seconds(1)

    /// Sends the command from a machine where no node of the session runs. Returns nil if interrupted before an answer.
    private static func give(_ command: JobCommand, _ text: String?, on guest: GuestSession) async throws -> String? {
        let (id, session) = (guest.id, try await guest.start())
        Interrupts.stop { Task { await session.leave() } }
        try? Output.write(
            "No node of \(id.name) runs on this machine. Looking for one, for at most \(patience.components.seconds) s …\n",
            to: STDERR_FILENO)
        let timer = Task {
            try? await Task.sleep(for: patience)
            if !Task.isCancelled { await session.leave() }
        }
        defer { timer.cancel() }
        var (isMet, wasRefused) = (false, false)
        var answer: Result<String, Failure>?
        for await event in session.events {
            switch event {
            case .peer(let peer) where peer.mode != .client && peer.state == .connected && !isMet:
                isMet = true
                // Each peer may have jobs of its own.
                if peer.mode == .peer { try? await Task.sleep(for: meeting) }
                answer = await perform(command, text, session, guest.directory)
                await session.leave()
            case .trouble(.otherCode), .trouble(.otherCodeAt): wasRefused = true
            default: break
            }
        }
        if let answer { return try answer.get() }
        if Interrupts.asked != nil { return nil }
        if wasRefused, !isMet { throw Failure(message: SessionController.wrongCode(id)) }
        throw Failure(
            message: isMet
                ? "no answer from \(id.name) within \(patience.components.seconds) s; try again"
                : "no session called \(Spelling.quoted(id.name)) found within \(patience.components.seconds) s; see "
                    + "'potluck browse' and 'potluck doctor'")
    }

    /// Commands the job that the user means, of all that are open. A command for the only one must not reach the first of
    /// several.
    private static func perform(
        _ command: JobCommand, _ text: String?, _ session: Session, _ directory: StateDirectory
    ) async -> Result<String, Failure> {
        do throws(JobError) {
            let open = try await session.openJobs().sorted { $0.key < $1.key }
            switch JobBoard.choose(text, among: open.map { (id: $0.key, name: $0.value) }) {
            case .none(let why): return .failure(Failure(message: why))
            case .job(let job):
                try await session.command(command, job, ticket: TicketStore.ticket(of: job, in: directory))
                return .success("job \(job) \(command.done)")
            }
        } catch {
            return .failure(Failure(message: error.description))
        }
    }
}
