import Potluck
import PotluckCore
import PotluckScreen

/// Runs or watches jobs of a session from this machine: through a node of the session that runs here, or else as a
/// guest that computes nothing.
enum SessionRun {
    /// Submits a job and shows it until it ends.
    static func run(
        _ submitted: SubmittedJob, in typed: SessionID, _ arguments: Arguments, _ format: FinishedRun.Format
    ) async throws -> ExitCode {
        let task = SessionTask.submit(submitted, format, printsProgress: arguments[JobArguments.progress])
        let isJSON = format != .text
        let guest = try await GuestSession(typed, arguments)
        defer { guest.end() }
        let viewer = SessionViewer(guest, task, isJSON: isJSON)
        let cargo = JobCargo(module: submitted.chosen.octets, tables: submitted.tables)
        guard let order = submitted.order, let client = try NeighbourClient(guest, cargo, viewer.hear) else {
            return try await join(guest, isJSON: isJSON, task)
        }
        let job: JobID
        do throws(JobError) {
            job = try await client.submit(order, submitted.ticket)
        } catch {
            throw Failure(message: error.description)
        }
        return try await viewer.run(client, job)
    }

    /// Shows all jobs until the user stops watching.
    static func watch(_ guest: GuestSession, isJSON: Bool, _ task: SessionTask) async throws -> ExitCode {
        let viewer = SessionViewer(guest, task, isJSON: isJSON)
        let none = JobCargo(module: nil, tables: [])
        guard let client = try NeighbourClient(guest, none, viewer.hear) else {
            return try await join(guest, isJSON: isJSON, task)
        }
        try client.watch()
        return try await viewer.run(client, nil)
    }

    private static func join(_ guest: GuestSession, isJSON: Bool, _ task: SessionTask) async throws -> ExitCode {
        let session = try await guest.start()
        let participation = SessionController(
            session, id: guest.id, mode: .client, directory: guest.directory, isJSON: isJSON, task: task)
        return try await participation.run()
    }
}
