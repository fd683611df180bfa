import Potluck
import PotluckCore
import PotluckScreen

/// Runs or watches jobs of a session from this machine: through a node of the session that runs here, or else as a
/// guest that computes nothing.
enum SessionRun {
    /// Submits a job and shows it until it ends.
    static func run(
        _ wanted: Purpose, in typed: SessionID, _ arguments: Arguments, isJSON: Bool
    ) async throws -> ExitCode {
        var purpose = wanted
        purpose.isErrand = true
        let visit = try await Visit(typed, arguments)
        defer { visit.end() }
        let viewer = SessionViewer(visit, purpose, isJSON: isJSON)
        let cargo = JobCargo(module: purpose.module, tables: purpose.tables)
        guard let order = purpose.order, let client = try NeighbourClient(visit, cargo, viewer.hear) else {
            return try await join(visit, isJSON: isJSON, purpose)
        }
        let job: JobID
        do throws(JobFailed) {
            job = try await client.submit(order, purpose.ticket)
        } catch {
            throw Failure(message: error.description)
        }
        return try await viewer.run(client, job)
    }

    /// Shows all jobs until the user stops watching.
    static func watch(_ visit: Visit, isJSON: Bool, _ purpose: Purpose) async throws -> ExitCode {
        let viewer = SessionViewer(visit, purpose, isJSON: isJSON)
        let none = JobCargo(module: nil, tables: [])
        guard let client = try NeighbourClient(visit, none, viewer.hear) else {
            return try await join(visit, isJSON: isJSON, purpose)
        }
        try client.watch()
        return try await viewer.run(client, nil)
    }

    private static func join(_ visit: Visit, isJSON: Bool, _ purpose: Purpose) async throws -> ExitCode {
        let session = try await visit.start()
        let participation = SessionController(
            session, id: visit.id, mode: .client, directory: visit.directory, isJSON: isJSON, purpose: purpose)
        return try await participation.run()
    }
}
