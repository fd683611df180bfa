import Dispatch
import Potluck
import PotluckCatalogue
import PotluckConsole
import PotluckJournal
import PotluckModel
import PotluckSystem

/// Puts what became of a session's jobs into the history: on the node that coordinated them, and where they were ordered.
/// Both give a job's run the same key, so that one store has it once.
final class JobRecorder: Sendable {
    private let directory: StateDirectory
    private let session: SessionID
    /// Who ordered the jobs that are not over, and when they began, once they have.
    private let known = Guarded<[JobID: (submitter: String, startedAt: Int64?)]>([:])
    /// A store can make people wait; neither the session nor its screen may.
    private let queue = DispatchQueue(label: "potluck-history")

    init(_ directory: StateDirectory, _ session: SessionID) {
        self.directory = directory
        self.session = session
    }

    func saw(_ snapshot: JobSnapshot) {
        var startedAt: Int64?
        switch snapshot.state {
        case .failed: return forget(snapshot.id)
        // Its result comes last.
        case .waiting, .done: break
        case .running, .paused, .stopping: startedAt = WallClock.now - snapshot.elapsed.milliseconds
        }
        known.with { $0[snapshot.id] = (snapshot.submitter, $0[snapshot.id]?.startedAt ?? startedAt) }
    }

    func forget(_ job: JobID) { known.with { $0[job] = nil } }

    /// Says on any thread what there is to say of it.
    func record(_ outcome: ClusterPicture.Outcome, say: @escaping @Sendable (String) -> Void) {
        guard !directory.isEphemeral else { return }
        let result = outcome.result
        let (submitter, startedAt) = known.with { $0.removeValue(forKey: outcome.id) } ?? ("", nil)
        let record = RunRecord(
            key: RunRecord.key(of: outcome.id, digest: outcome.digest), result,
            of: catalogue.first { $0.identity == result.experiment.simulation }, digest: outcome.digest,
            startedAt: startedAt ?? WallClock.now - result.elapsed.milliseconds,
            origin: RunOrigin(session: session.name, submitter: submitter))
        let path = directory.path + "/" + StoreArguments.file
        queue.async { for line in RunRecorder.record(record, at: { path }) { say(line) } }
    }

    /// Waits until all is written.
    func finish() { queue.sync {} }
}

extension Duration {
    fileprivate var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
