/// An event of a job that a session reports.
public enum JobEvent: Sendable, Hashable {
    /// The job's state. A slow reader gets only the newest of a job's snapshots.
    case snapshot(JobSnapshot)
    /// The job's result, and whether this node coordinated the job.
    case finished(JobID, JobResult, isOurs: Bool)
    case failed(JobID, JobFailure)
    /// The coordinator left or no longer reports the job, and no node here knows the job's state.
    case lost(JobID)
    case news(JobNews)

    /// The job whose end it reports; nil if it reports none.
    public var endedJob: JobID? {
        switch self {
        case .finished(let id, _, _), .failed(let id, _), .lost(let id): id
        case .snapshot, .news: nil
        }
    }
}

/// News about a job, for the user.
public enum JobNews: Hashable, Sendable {
    /// A node brought wrong results. All its results are computed again, and the node and its address are shut out.
    case liar(JobID, NodeID, name: String)
    /// A node failed several times in a row and gets no chunks for a while.
    case setAside(JobID, NodeID, name: String, why: String)
    /// A node cannot compute the job.
    case unable(JobID, NodeID, name: String, why: String)
    /// Contact with the job's coordinator is lost. The coordinator may return, or another node may continue the job.
    case orphaned(JobID, NodeID, name: String)
    /// The named node continues the job.
    case continues(JobID, NodeID, name: String)
    /// The job has ended, and its coordinator, which is connected, no longer knows how. It counts as lost.
    case forgotten(JobID, NodeID, name: String)
    /// The journal has the job, but this node cannot continue it, and why.
    case stranded(JobID, why: String)
    /// The journal cannot be written, and why. All jobs of this node are paused.
    case journalStuck(String)
    /// The journal can be written again.
    case journalWell
}
