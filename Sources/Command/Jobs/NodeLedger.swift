import Potluck
import PotluckJournal
import PotluckModel
import PotluckWire

/// Where a node of a session writes down the jobs that it takes, so that the next one that is started like it goes on with
/// them.
struct NodeLedger {
    /// Nil where nothing is written down.
    let store: JobStore?

    /// `isAnew` forgets what was unfinished.
    init(_ session: SessionID, _ directory: StateDirectory, isAnew: Bool = false) throws(Failure) {
        guard !directory.isEphemeral else {
            store = nil
            return
        }
        let path = directory.file(session, "ledger.db")
        do throws(StoreTrouble) {
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
                throw Failure(message: "cannot keep jobs: \(error); or keep nothing with --ephemeral")
            }
            // Another node of the session on this machine.
            Output.complain("jobs started here end with this node: \(error)")
            store = nil
        }
    }

    /// The unfinished job that is what somebody orders now: the same command after a crash means that one.
    func job(like order: JobOrder, anySeed: Bool) -> JobID? {
        store?.unfinishedJobs.first { kept in
            guard let before = try? TakenJob(kept.record.spec).order else { return false }
            let (old, new) = (before.experiment, order.experiment)
            return old.simulation == new.simulation && old.parameters == new.parameters && before.goal == order.goal
                && before.collects == order.collects && (anySeed || old.seed == new.seed)
        }?.record.id
    }

    /// Writes down what is left, and says what there is to say at the end.
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
