import PotluckCore

/// What a node knows of a job whose coordinator it has lost contact with.
public struct LostContact: Sendable, Equatable {
    /// The name of the coordinator.
    let coordinator: String
    public let since: Instant
    /// The time of day of the last tally, such as `14:03:22`; nil if none has come.
    let lastTally: String?
    /// Whether another node may continue the job, and not only its coordinator.
    let mayBeTakenOver: Bool

    /// The words about a job once no node is waited for any more. `job` is the user's name for the job.
    public static func givenUp(_ job: String) -> String {
        "lost contact with the coordinator of \(job); the job's status is unknown"
    }

    /// The words about a job whose coordinator, a node of that name, no longer knows how it ended.
    public static func forgotten(_ job: String, by coordinator: String) -> String {
        "\(job) has ended, and \(coordinator) no longer keeps its result"
    }

    /// The words while the coordinator sends nothing about the job, the most important first. `state` is that of the
    /// coordinator's node; nil if it is not in sight.
    func words(_ now: Instant, _ state: PeerState? = nil) -> [String] {
        let tally = (lastTally.map { "last tally at \($0), " } ?? "") + "no node is known to compute"
        switch state {
        case .connected: return ["\(coordinator) is connected and has not told of this job", tally]
        case .connecting(.theirHost):
            return [
                "no contact with \(coordinator) for \(Figures.rough(now - since))", tally,
                "waiting for \(coordinator) to approve this node",
            ]
        case .available, .connecting, .suspect, .gone, nil:
            return [
                "no contact with \(coordinator) for \(Figures.rough(now - since))", tally,
                "waiting for \(coordinator) to return" + (mayBeTakenOver ? " or another node to take over" : ""),
            ]
        }
    }
}
