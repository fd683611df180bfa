import Potluck
import PotluckCore
import PotluckMachine

/// The file in which a node of a session records the jobs that it coordinates, so that the same command resumes them
/// after a restart.
struct NodeLedger {
    /// Nil if nothing is recorded: with `--ephemeral`, or while another process uses the file.
    let store: JobStore?

    /// Opens the file. `isAnew` drops the unfinished jobs in it.
    init(_ session: SessionID, _ directory: StateDirectory, isAnew: Bool = false) throws(Failure) {
        guard !directory.isEphemeral else {
            store = nil
            return
        }
        let path = directory.file(session, "ledger.db")
        do throws(StoreError) {
            if isAnew {
                let old = try JobStore.open(at: path)
                for notice in old.notices { Output.complain(notice) }
                old.forgetAll()
                if let trouble = old.close() { throw trouble }
            }
            let store = try JobStore.open(at: path)
            for notice in store.notices { Output.complain(notice) }
            self.store = store
        } catch {
            guard error.kind == .inUse else {
                throw Failure(message: "cannot keep jobs: \(error); to keep nothing, use --ephemeral")
            }
            // Another node of the session on this machine uses the file.
            Output.complain("jobs started here end with this node: \(error)")
            store = nil
        }
    }

    /// Returns the unfinished job that equals this order, so that the same command after a crash resumes it; nil if
    /// none does.
    func job(like order: JobOrder, anySeed: Bool) -> JobID? {
        store?.unfinishedJobs.first { kept in
            guard let before = try? TakenJob(kept.record.spec).order else { return false }
            let (old, new) = (before.experiment, order.experiment)
            return old.simulation == new.simulation && old.parameters == new.parameters && before.goal == order.goal
                && before.collects == order.collects && (anySeed || old.seed == new.seed)
        }?.record.id
    }

    /// Closes the file and says how many jobs are unfinished.
    func close() {
        guard let store else { return }
        if let trouble = store.close() { Output.complain("the last changes are not saved: \(trouble)") }
        switch store.openJobs {
        case 0: break
        case 1: Output.complain("1 job is unfinished; the same command resumes it")
        case let count: Output.complain("\(count) jobs are unfinished; the same command resumes them")
        }
    }
}
