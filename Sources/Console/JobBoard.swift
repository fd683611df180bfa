import PotluckModel

/// The latest snapshots and results of a session's jobs: what the screens of a node show of them.
public struct JobBoard: Sendable {
    /// How many finished jobs are kept; nobody looks at more.
    private static let mostOver = 20

    public private(set) var jobs: [JobSnapshot] = []
    public private(set) var outcomes: [ClusterPicture.Outcome] = []
    /// The jobs whose coordinator is lost.
    public private(set) var awaited: [JobID: LostContact] = [:]
    /// The lost jobs that no node has continued in time. Their last tally stays on the screen until there is another
    /// job.
    private var givenUp: Set<JobID> = []
    /// By job, the time of day of its latest tally.
    private var tallied: [JobID: String] = [:]
    /// By job, how far its latest estimates agree.
    public private(set) var estimates: [JobID: Estimate] = [:]
    private var progress: [JobID: ProgressLine] = [:]
    private let unicode: Bool
    private let digest: @Sendable (JobResult) -> String
    private let isBuiltIn: @Sendable (SimulationIdentity) -> Bool

    /// `unicode` says whether lines may contain more than ASCII. `digest` returns the digest of a result, and `isBuiltIn`
    /// whether this program contains a simulation.
    public init(
        unicode: Bool, digest: @escaping @Sendable (JobResult) -> String,
        isBuiltIn: @escaping @Sendable (SimulationIdentity) -> Bool
    ) {
        (self.unicode, self.digest, self.isBuiltIn) = (unicode, digest, isBuiltIn)
    }

    /// Applies an event that came at `now`, which is `time` on the clock on the wall. `takesOver` says whether another
    /// node may continue the jobs of that coordinator. Returns the lines to print where there is no screen.
    public mutating func apply(
        _ event: JobEvent, at now: Instant, time: String, takesOver: (NodeID) -> Bool = { _ in false }
    ) -> [String] {
        switch event {
        case .snapshot(let snapshot):
            awaited[snapshot.id] = nil
            givenUp.remove(snapshot.id)
            tallied[snapshot.id] = time
            estimates[snapshot.id, default: Estimate()].note(snapshot, at: now)
            let before = self.snapshot(snapshot.id)?.state
            if before == nil { forgetGivenUp() }
            if let index = jobs.firstIndex(where: { $0.id == snapshot.id }) {
                jobs[index] = snapshot
            } else {
                jobs.append(snapshot)
            }
            // The host may show or hide the exact answers after the end.
            if let index = outcomes.lastIndex(where: { $0.id == snapshot.id }),
                outcomes[index].result.hidesExact != snapshot.hidesExact
            {
                outcomes[index] = outcomes[index].hiding(snapshot.hidesExact)
            }
            return progress[snapshot.id, default: ProgressLine(unicode: unicode)].lines(snapshot)
                + failure(of: snapshot, before)
        case .finished(let id, let result, _):
            awaited[id] = nil
            let outcome = ClusterPicture.Outcome(
                id: id, result: result, digest: digest(result),
                isBuiltIn: isBuiltIn(result.experiment.simulation))
            outcomes = (outcomes + [outcome]).suffix(Self.mostOver)
            forgetOld()
            return []
        case .failed(let id, let why):
            awaited[id] = nil
            guard let index = jobs.firstIndex(where: { $0.id == id }) else { return [failed(id, why)] }
            let before = jobs[index].state
            jobs[index].state = .failed(why)
            let lines = failure(of: jobs[index], before)
            forgetOld()
            return lines
        case .lost(let id):
            if awaited[id] == nil { jobs.removeAll { $0.id == id } } else { givenUp.insert(id) }
            return [LostContact.givenUp(name(id))]
        case .news(let news):
            switch news {
            case .orphaned(let id, let node, let name):
                awaited[id] = LostContact(
                    coordinator: name, since: now, lastTally: tallied[id], mayBeTakenOver: takesOver(node))
            case .goesOn(let id, _, _): awaited[id] = nil
            default: break
            }
            return [words(news)]
        }
    }

    /// Returns a line that says who started a plugin and its hash, for the first snapshot of it; else nil. Call it
    /// before `apply`.
    public func plugin(_ event: JobEvent) -> String? {
        guard case .snapshot(let snapshot) = event, self.snapshot(snapshot.id) == nil,
            let module = snapshot.spec.module, !isBuiltIn(snapshot.spec.experiment.simulation)
        else { return nil }
        return
            "\(snapshot.submitter) started the plugin \(snapshot.spec.experiment.simulation.name), SHA-256 \(module.hash)"
    }

    /// A failure may arrive as a snapshot, as an event, or as both in any order. It is reported once.
    private func failure(of snapshot: JobSnapshot, _ before: JobState?) -> [String] {
        guard case .failed(let why) = snapshot.state, before != snapshot.state else { return [] }
        return [failed(snapshot.id, why)]
    }

    private func failed(_ id: JobID, _ why: String) -> String { "\(name(id)) failed: \(BlockFailure.brief(why))" }

    private mutating func forgetOld() {
        let over = jobs.filter(\.state.isOver)
        for old in over.dropLast(Self.mostOver) {
            jobs.removeAll { $0.id == old.id }
            (progress[old.id], tallied[old.id], estimates[old.id]) = (nil, nil, nil)
        }
    }

    /// Forgets the jobs that nobody continued, because there is another one to show.
    private mutating func forgetGivenUp() {
        jobs.removeAll { givenUp.contains($0.id) }
        for id in givenUp { (awaited[id], tallied[id], progress[id], estimates[id]) = (nil, nil, nil, nil) }
        givenUp = []
    }

    /// Whether no job is waiting or running.
    public var isIdle: Bool { jobs.allSatisfy { $0.state.isOver || awaited[$0.id] != nil } }

    public func snapshot(_ id: JobID) -> JobSnapshot? { jobs.first { $0.id == id } }

    /// Returns the events that bring a new viewer up to date: on all unfinished jobs, or on one job, which may be over.
    public func story(of job: JobID?) -> [JobEvent] {
        guard let job else { return jobs.filter { !$0.state.isOver }.map { .snapshot($0) } }
        var story: [JobEvent] = []
        if let snapshot = snapshot(job) { story.append(.snapshot(snapshot)) }
        if let outcome = outcome(job) { story.append(.finished(job, outcome.result, isOurs: false)) }
        return story
    }

    public func outcome(_ id: JobID) -> ClusterPicture.Outcome? { outcomes.last { $0.id == id } }

    private func name(_ id: JobID) -> String {
        snapshot(id).map { "\($0.spec.experiment.simulation.name) (job \(id))" } ?? "job \(id)"
    }

    public func words(_ news: JobNews) -> String {
        switch news {
        case .liar(let id, _, let name):
            "\(name) sent a wrong result for \(self.name(id)) and is shut out; none of its results count"
        case .setAside(let id, _, let name, let why):
            "\(name) failed several times at \(self.name(id)) and gets no work for a while: \(why)"
        case .unable(let id, _, let name, let why): "\(name) cannot compute \(self.name(id)): \(why)"
        case .orphaned(let id, _, let name):
            "lost contact with \(name), the coordinator of \(self.name(id)); waiting for it to return"
                + (awaited[id]?.mayBeTakenOver == true ? " or another node to take over" : "")
        case .goesOn(let id, _, let name): "\(name) continues \(self.name(id))"
        case .stranded(let id, let why): "\(self.name(id)) is in the journal but cannot be resumed: \(why)"
        case .journalStuck(let why): "all jobs are paused because the journal cannot be written: \(why)"
        case .journalWell: "the journal can be written again; all jobs continue"
        }
    }

    // MARK: Finding a job

    public enum Found: Equatable {
        case job(JobID)
        /// One line that says why no job was found.
        case none(String)
    }

    /// Finds an unfinished job by the beginning of its number or by its simulation's name; if `text` is nil, the only
    /// one. `ordered` are jobs whose orders are confirmed, but which may have no picture yet. They are found by their whole
    /// number.
    public func find(_ text: String?, ordered: some Collection<JobID> = EmptyCollection<JobID>()) -> Found {
        let open = jobs.filter { !$0.state.isOver }
        guard let text else {
            switch open.count {
            case 0: return .none(Self.noJob)
            case 1: return .job(open[0].id)
            default: return .none("there are \(open.count) jobs; choose one: \(Self.list(open))")
            }
        }
        let wanted = text.lowercased()
        let numbered = open.filter { $0.id.text.hasPrefix(wanted) }
        let matches = numbered.isEmpty ? open.filter { $0.spec.experiment.simulation.name == wanted } : numbered
        switch matches.count {
        case 1: return .job(matches[0].id)
        case 0:
            let quoted = Spelling.quoted(text)
            if let over = jobs.first(where: { $0.id.text.hasPrefix(wanted) }) {
                return .none("job \(over.id) has ended")
            }
            if let job = ordered.first(where: { $0.text == wanted }) { return .job(job) }
            return .none(
                open.isEmpty ? Self.noJob : "no job \(quoted); jobs: \(Self.list(open))")
        default:
            return .none("\(Spelling.quoted(text)) matches \(matches.count) jobs; choose one: \(Self.list(matches))")
        }
    }

    public static let noJob = "no job is running"

    private static func list(_ jobs: [JobSnapshot]) -> String {
        jobs.map { "\($0.id) (\($0.spec.experiment.simulation.name))" }.joined(separator: ", ")
    }
}
