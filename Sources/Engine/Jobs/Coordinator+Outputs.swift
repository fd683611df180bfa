import PotluckCore

/// The outputs of jobs, from chunk to file.
extension Coordinator {
    /// The output of a job that has ended. It is kept for a while for the node that ordered the job.
    struct Written: Sendable {
        let job: JobID
        let blob: BlobReference
        let submitter: NodeID
        var until: Instant
    }

    /// Whether the output of that attempt is still waited for.
    func isArriving(_ attempt: AttemptID) -> Bool {
        runs.contains { $0.id == attempt.job && $0.pendingOutputs[attempt.number] != nil }
    }

    /// Returns whether outputs were given up since the last call.
    mutating func takeGivenUp() -> Bool {
        var hasGivenUp = false
        for index in runs.indices where runs[index].pendingOutputs.takeGivenUp() { hasGivenUp = true }
        return hasGivenUp
    }

    /// Gives up an attempt whose output was lost. Shuts out its worker if the bytes were wrong.
    mutating func lost(_ attempt: AttemptID, _ loss: Blobs.Loss, _ turn: inout Turn) {
        var liars: [NodeID] = []
        change(attempt.job) { liars = $0.lost(attempt.number, loss, &turn) }
        shutOut(liars, attempt.job, &turn)
    }

    /// Counts an attempt whose output the shell has checked. Shuts out its worker if the output was wrong.
    mutating func collected(_ attempt: AttemptID, _ collected: Checked, _ turn: inout Turn) {
        var liars: [NodeID] = []
        var node: NodeID?
        change(attempt.job) {
            node = $0.pendingOutputs[attempt.number]?.node
            liars = $0.collected(attempt.number, collected, &turn)
        }
        shutOut(liars, attempt.job, &turn)
        if let node { nodesToServe.append(node) }
    }

    /// Ends a job whose outputs the shell has joined, or fails it if they could not be joined.
    mutating func sealed(_ id: JobID, _ sealed: Sealed, _ turn: inout Turn) {
        let workers = workers
        var result: JobResult?
        var submitter: NodeID?
        change(id) {
            submitter = $0.taken.submitter
            result = $0.sealed(sealed, workers, &turn)
        }
        if let blob = result?.output, let submitter {
            written.append(Written(job: id, blob: blob, submitter: submitter, until: turn.now + JobLimits.outputKept))
        } else if submitter == nil, case .whole(let blob) = sealed {
            // Another node coordinates the job by now.
            turn.act(.unseal(id, blob.hash))
        }
        end(id, result, &turn)
    }

    /// Returns whether an output is here for a node, and keeps it for longer. Hosts may have any output, because a host
    /// that restarted has another ID than when it ordered the job.
    mutating func gives(_ hash: BlobHash, to node: NodeID, role: Role, now: Instant) -> Bool {
        // Several jobs may have the same output.
        let theirs = written.indices.filter {
            written[$0].blob.hash == hash && (written[$0].submitter == node || role == .hosts)
        }
        for index in theirs { written[index].until = now + JobLimits.outputKept }
        return !theirs.isEmpty
    }

    /// Releases the outputs that were kept long enough.
    mutating func forgetWritten(_ turn: inout Turn) {
        let old = written.filter { $0.until <= turn.now }
        written.removeAll { $0.until <= turn.now }
        for old in old { turn.act(.unseal(old.job, old.blob.hash)) }
    }
}
