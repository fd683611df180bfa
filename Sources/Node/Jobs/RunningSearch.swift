import PotluckCore
import PotluckKit
import PotluckMachine

/// A search that this node is ready to compute.
public struct RunningSearch: Sendable {
    private let search: PreparedSearch
    private let shared: SharedBest

    init?(_ ready: JobShell.Ready?) {
        guard let ready, let search = ready.simulation.search else { return nil }
        (self.search, shared) = (search, ready.best)
    }

    /// The best solution that this node knows so far; empty if it knows none.
    public var best: Best { shared.best }

    /// Returns a solution as the search's author shows it; nil if finding it again takes too long. This may take a
    /// second.
    public func show(_ best: Best) -> [UInt8]? { search.show(best)?.octets }
}

extension Session {
    /// The search of a job; nil for other work, and if this node does not compute the job.
    public nonisolated func search(of job: JobID) -> RunningSearch? { shell.search(of: job) }
}
