import PotluckKit
import PotluckModel

/// All there is to see before one node: its session, where it is in one, and the jobs.
public struct ClusterPicture: Sendable, Equatable {
    /// What a job came to, with what it can be compared by.
    public struct Outcome: Sendable, Equatable {
        public let id: JobID
        public let result: JobResult
        public let digest: String
        /// Whether this program has what was computed, so that its name is enough to compute it again.
        public let isBuiltIn: Bool

        public init(id: JobID, result: JobResult, digest: String, isBuiltIn: Bool) {
            self.id = id
            self.result = result
            self.digest = digest
            self.isBuiltIn = isBuiltIn
        }
    }

    /// What q and Ctrl-C do here.
    public enum Leaving: Sendable, Equatable {
        /// The run ends and shows what came of it.
        case stops
        /// A guest goes; the session goes on.
        case leaves
        /// The session ends, for everybody.
        case ends
        /// Nobody looks any more; the job goes on.
        case detaches
    }

    /// Nil where a job is run on this machine alone.
    public var session: SessionPicture?
    /// In the order in which they were taken.
    public var jobs: [JobSnapshot]
    /// The oldest first.
    public var outcomes: [Outcome]
    /// Who is waited for, of each job whose coordinator is lost.
    public var awaited: [JobID: String]
    /// The jobs that whoever sits here may pause, resume and cancel.
    public var commandable: Set<JobID>
    /// Whether exact answers are shown only when a key asks for them: a class guesses first.
    public var hidesExact: Bool
    public var leaving: Leaving
    /// Whether keys that are pressed are looked at.
    public var takesKeys: Bool

    public init(
        session: SessionPicture? = nil, jobs: [JobSnapshot] = [], outcomes: [Outcome] = [],
        awaited: [JobID: String] = [:], commandable: Set<JobID> = [], hidesExact: Bool = false,
        leaving: Leaving = .leaves, takesKeys: Bool = true
    ) {
        self.session = session
        self.jobs = jobs
        self.outcomes = outcomes
        self.awaited = awaited
        self.commandable = commandable
        self.hidesExact = hidesExact
        self.leaving = leaving
        self.takesKeys = takesKeys
    }

    /// What is shown in full.
    enum Focus: Equatable {
        case nothing
        case job(JobSnapshot)
        case outcome(Outcome)

        var job: JobID? {
            switch self {
            case .nothing: nil
            case .job(let snapshot): snapshot.id
            case .outcome(let outcome): outcome.id
            }
        }

        var readings: [Reading] {
            switch self {
            case .nothing: []
            case .job(let snapshot): snapshot.readings
            case .outcome(let outcome): outcome.result.readings
            }
        }

        var nodes: [NodeRow] {
            switch self {
            case .nothing: []
            case .job(let snapshot): snapshot.nodes
            case .outcome(let outcome): outcome.result.nodes
            }
        }
    }

    /// The job that was chosen, or else the one under way, or else the last one that came to something.
    func focus(_ chosen: JobID?) -> Focus {
        if let chosen {
            if let outcome = outcomes.last(where: { $0.id == chosen }) { return .outcome(outcome) }
            if let job = jobs.first(where: { $0.id == chosen }) { return .job(job) }
        }
        let open = jobs.filter { !$0.state.isOver }
        let busy = open.first { if case .waiting = $0.state { false } else { true } }
        if let job = busy ?? open.first { return .job(job) }
        if let outcome = outcomes.last {
            // A job that failed since came to nothing, and that is the news.
            if let last = jobs.last, outcome.id != last.id, case .failed = last.state { return .job(last) }
            return .outcome(outcome)
        }
        return jobs.last.map { .job($0) } ?? .nothing
    }

    /// All that can be looked at, in order.
    var choices: [JobID] {
        let listed = Set(jobs.map(\.id))
        return outcomes.map(\.id).filter { !listed.contains($0) } + jobs.map(\.id)
    }
}

extension ClusterPicture.Leaving {
    var word: String {
        switch self {
        case .stops: "stop"
        case .leaves: "leave"
        case .ends: "end"
        case .detaches: "stop watching"
        }
    }

    var words: String {
        switch self {
        case .stops: "stops the run"
        case .leaves: "leaves the session"
        case .ends: "ends the session"
        case .detaches: "stops watching; the job continues"
        }
    }
}

extension Reading {
    var withoutExact: Reading {
        Reading(
            name: name, kind: kind, value: value, interval: interval, varies: varies, isSpoilt: isSpoilt, bins: bins,
            range: range)
    }
}
