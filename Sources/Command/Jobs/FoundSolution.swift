import PotluckCore
import PotluckKit

/// A solution of a search that a node of this machine found, for viewers on the same machine.
struct FoundSolution: Sendable, Hashable {
    let job: JobID
    let best: Best
    /// The solution as its author shows it.
    let octets: [UInt8]

    var message: LocalMessage { .solution(job, best, octets) }
}
