import Glibc
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// Runs or watches jobs of a session from this machine: through a node of the session that runs here, or else as a
/// guest that computes nothing.
enum SessionRun {
    /// Submits a job and shows it until it ends.
    static func run(
        _ wanted: Purpose, in typed: SessionID, _ arguments: Arguments, isJSON: Bool
    ) async throws -> ExitCode {
        var purpose = wanted
        purpose.isErrand = true
        let directory = try StateDirectory.find(arguments)
        defer { directory.end() }
        let id = try await NearbyName.choose(typed, directory, arguments)
        if let order = purpose.order {
            let tables = try directory.handOver(purpose.tables)
            defer { if let tables { unlink(tables) } }
            let request = ControlRequest.order(order, purpose.ticket, purpose.module, tables: tables)
            if let onlooker = try WatchClient.open(request, id, directory, purpose) {
                return try await onlooker.run(isJSON: isJSON, purpose)
            }
        }
        return try await visit(id, arguments, isJSON: isJSON, purpose: purpose, directory)
    }

    /// Shows all jobs until the user stops watching.
    static func watch(
        _ id: SessionID, _ arguments: Arguments, isJSON: Bool, _ purpose: Purpose, _ directory: StateDirectory
    ) async throws -> ExitCode {
        if let onlooker = try WatchClient.open(.watch, id, directory, purpose) {
            return try await onlooker.run(isJSON: isJSON, purpose)
        }
        return try await visit(id, arguments, isJSON: isJSON, purpose: purpose, directory)
    }

    private static func visit(
        _ id: SessionID, _ arguments: Arguments, isJSON: Bool, purpose: Purpose, _ directory: StateDirectory
    ) async throws -> ExitCode {
        let session = try await Visit.start(id, arguments, directory)
        let participation = SessionController(
            session, id: id, mode: .client, directory: directory, isJSON: isJSON, purpose: purpose)
        return try await participation.run()
    }
}
