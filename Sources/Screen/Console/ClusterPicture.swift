import PotluckCore
import PotluckKit

/// Everything that the screen of a node shows: the session, if there is one, the jobs, and the programs with ranks.
public struct ClusterPicture: Sendable, Equatable {
    /// The result of a job, with its digest.
    public struct Outcome: Sendable, Equatable {
        public let id: JobID
        public let result: JobResult
        public let digest: String
        /// Whether this program contains the simulation, so that its name is enough to repeat the run.
        let isBuiltIn: Bool

        public init(id: JobID, result: JobResult, digest: String, isBuiltIn: Bool) {
            self.id = id
            self.result = result
            self.digest = digest
            self.isBuiltIn = isBuiltIn
        }

        /// The outcome as this node may show it: without the exact answers while the host hides them.
        public var shown: Outcome { Outcome(id: id, result: result.shown, digest: digest, isBuiltIn: isBuiltIn) }

        /// The same outcome after the host has hidden or shown the exact answers.
        package func hiding(_ hidesExact: Bool) -> Outcome {
            var result = result
            result.hidesExact = hidesExact
            return Outcome(id: id, result: result, digest: digest, isBuiltIn: isBuiltIn)
        }
    }

    /// What the keys q and Ctrl-C do.
    public enum Leaving: Sendable, Equatable {
        /// Ends the run and shows its result.
        case stops
        /// Leaves the session, which continues.
        case leaves
        /// Ends the session for all nodes.
        case ends
        /// Stops watching; the job continues.
        case detaches
    }

    /// Nil for a run on this machine alone.
    public var session: SessionPicture?
    /// In the order in which the coordinator took them.
    public var jobs: [JobSnapshot]
    /// Results, the oldest first.
    public var outcomes: [Outcome]
    /// The jobs whose coordinator is lost.
    public var awaited: [JobID: LostContact]
    /// The job whose end was told last, which may have been taken before others; nil if none has ended.
    var lastEnded: JobID?
    /// By job, how far its latest estimates agree.
    public var estimates: [JobID: Estimate] = [:]
    /// By job, the best solution of a search that is known by now.
    public var solutions: [JobID: Solution] = [:]
    /// The programs with ranks that somebody launched in the session.
    public var programs = ProgramsInSight()
    /// This node; nil if the nodes are not compared with it.
    public var own: NodeID?
    /// The jobs that the user may pause, resume and cancel.
    public var commandable: Set<JobID>
    /// Whether this screen hides exact answers until a key shows them, whatever the host does.
    public var hidesExact: Bool
    public var leaving: Leaving
    /// Whether keys are read.
    public var takesKeys: Bool

    public init(
        session: SessionPicture? = nil, jobs: [JobSnapshot] = [], outcomes: [Outcome] = [],
        awaited: [JobID: LostContact] = [:], own: NodeID? = nil, commandable: Set<JobID> = [], hidesExact: Bool = false,
        leaving: Leaving = .leaves, takesKeys: Bool = true
    ) {
        self.session = session
        self.jobs = jobs
        self.outcomes = outcomes
        self.awaited = awaited
        self.own = own
        self.commandable = commandable
        self.hidesExact = hidesExact
        self.leaving = leaving
        self.takesKeys = takesKeys
    }

    /// The job that is shown in full.
    package enum Focus: Equatable {
        case nothing
        case job(JobSnapshot)
        case outcome(Outcome)

        package var job: JobID? {
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

    /// Returns the chosen job, or else the one that is under way, or else the one that ended last.
    package func focus(_ chosen: JobID?) -> Focus {
        if let chosen {
            if let outcome = outcomes.last(where: { $0.id == chosen }) { return .outcome(outcome) }
            if let job = jobs.first(where: { $0.id == chosen }) { return .job(job) }
        }
        let open = jobs.filter { !$0.state.isOver }
        // A job without its coordinator may never continue, so another one is more interesting.
        let alive = open.filter { awaited[$0.id] == nil }
        let busy = alive.first { if case .waiting = $0.state { false } else { true } }
        if let job = busy ?? alive.first ?? open.first { return .job(job) }
        // A job may have failed after the last result.
        if let last = jobs.first(where: { $0.id == lastEnded }), case .failed = last.state { return .job(last) }
        return outcomes.last.map { .outcome($0) } ?? jobs.last.map { .job($0) } ?? .nothing
    }

    /// Whether the host hides the exact answers of that job on every screen.
    func isHidden(_ job: JobID?) -> Bool {
        guard let job else { return false }
        return jobs.first { $0.id == job }?.hidesExact
            ?? outcomes.last { $0.id == job }?.result.hidesExact ?? false
    }

    /// The jobs among these that the user may command and for which `condition` holds.
    func commanded(_ jobs: [JobID], where condition: (JobID) -> Bool) -> [JobID] {
        jobs.filter { commandable.contains($0) && condition($0) }
    }

    /// The state of the node that coordinated a lost job; nil if it is not in sight. After a restart it is another node of
    /// that name.
    func state(of lost: LostContact) -> PeerState? { session?.members.first { $0.name == lost.coordinator }?.state }

    /// The word for the state of that job's nodes; nil if the job is not lost.
    func loss(of job: JobID) -> String? {
        awaited[job].map { state(of: $0) == .connected ? "unknown" : "no contact" }
    }

    /// The jobs that the user can choose, in order.
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
