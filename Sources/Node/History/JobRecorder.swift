import Dispatch
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen
import PotluckSystem

/// Records the results of a session's jobs in the history of every machine that took part. All use the same key, so a
/// store that gets the run twice keeps it once.
package final class JobRecorder: Sendable {
    /// The path of the history; nil if nothing is recorded.
    private let path: String?
    private let session: SessionID
    /// The jobs that are not over. `startedAt` is in milliseconds since 1970; nil until the job begins.
    private let known = Guarded<[JobID: (submitter: String, startedAt: Int64?)]>([:])
    /// A store may have to wait for another process, and neither the session nor its screen may wait for it.
    private let queue = DispatchQueue(label: "potluck-history")
    private let find: @Sendable (SimulationIdentity) -> AnySimulation?

    /// `folder` has the history; nil if nothing is recorded. `find` returns a simulation that this machine has.
    package init(
        in folder: String?, _ session: SessionID, find: @escaping @Sendable (SimulationIdentity) -> AnySimulation?
    ) {
        path = folder.map { $0 + "/" + History.file }
        (self.session, self.find) = (session, find)
    }

    package func saw(_ snapshot: JobSnapshot) {
        var startedAt: Int64?
        switch snapshot.state {
        case .failed: return forget(snapshot.id)
        // The result is still to come.
        case .waiting, .done: break
        case .running, .paused, .stopping: startedAt = WallClock.now - snapshot.elapsed.milliseconds
        }
        known.with { $0[snapshot.id] = (snapshot.submitter, $0[snapshot.id]?.startedAt ?? startedAt) }
    }

    package func forget(_ job: JobID) { known.with { $0[job] = nil } }

    /// Records a result in the background, with a note. `inputs` are the files that it read, if they are known. `say`
    /// gets messages for the user, on any thread.
    package func record(
        _ outcome: ClusterPicture.Outcome, inputs: [RecordedInput] = [], note: String? = nil,
        say: @escaping @Sendable (String) -> Void
    ) {
        guard let path else { return }
        let result = outcome.result
        let (submitter, startedAt) = known.with { $0.removeValue(forKey: outcome.id) } ?? ("", nil)
        var record = RunRecord(
            key: RunRecord.key(of: outcome.id, digest: outcome.digest), result,
            of: find(result.experiment.simulation), inputs: inputs, digest: outcome.digest,
            startedAt: startedAt ?? WallClock.now - result.elapsed.milliseconds,
            origin: RunOrigin(session: session.name, submitter: submitter))
        if let note { record.notes = [RunNote(at: WallClock.now, text: note)] }
        queue.async { [record] in for line in RunRecorder.record(record, at: { path }) { say(line) } }
    }

    /// Adds the exact answers of a snapshot to the record of its job, which was written while the host hid them. `digest`
    /// is that of the result.
    package func complete(_ snapshot: JobSnapshot, digest: String, say: @escaping @Sendable (String) -> Void) {
        guard let path else { return }
        let (key, readings) = (RunRecord.key(of: snapshot.id, digest: digest), snapshot.readings)
        queue.async { for line in RunRecorder.complete(key, with: readings, at: { path }) { say(line) } }
    }

    /// Waits until every result is written.
    package func finish() { queue.sync {} }
}

extension Duration {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
