import PotluckCore

/// The latest snapshots and results of a session's jobs: what the screens of a node show of them.
public struct JobBoard: Sendable {
    /// How many finished jobs are kept; nobody looks at more.
    private static let mostOver = 20
    /// How many ended jobs are remembered by number: more than end while a message about one is on its way.
    private static let mostEnded = 1024

    public private(set) var jobs: [JobSnapshot] = []
    public private(set) var outcomes: [ClusterPicture.Outcome] = []
    /// The latest jobs whose end was told, in the order of their ends. No later event opens one of them again.
    private var ended: [JobID] = []
    /// By job, the name of its coordinator, which no longer knows how it ended.
    public private(set) var forgotten: [JobID: String] = [:]
    /// The jobs whose coordinator is lost.
    public private(set) var awaited: [JobID: LostContact] = [:]
    /// By job, the node that `awaited` names.
    private var coordinators: [JobID: NodeID] = [:]
    /// The lost jobs that no node has continued in time. Their last tally stays on the screen until there is another
    /// job.
    private var givenUp: Set<JobID> = []
    /// By job, the time of day of its latest tally.
    private var tallied: [JobID: String] = [:]
    /// By job, how far its latest estimates agree.
    private(set) var estimates: [JobID: Estimate] = [:]
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

    /// Whether an event says nothing new: it repeats the end of a job, or comes late and shows one that has ended as if it
    /// had not.
    public func isOld(_ event: JobEvent) -> Bool {
        switch event {
        case .snapshot(let snapshot): ended.contains(snapshot.id) && !snapshot.state.isOver
        case .finished(let id, _, _), .news(.orphaned(let id, _, _)), .news(.continues(let id, _, _)),
            .news(.forgotten(let id, _, _)):
            ended.contains(id)
        case .failed(let id, _), .lost(let id): outcome(id) != nil
        case .news: false
        }
    }

    /// Applies an event that came at `now`; `time` is the time of day. `takesOver` says whether another node may
    /// continue the jobs of that coordinator. Returns the lines to print where there is no screen.
    public mutating func apply(
        _ event: JobEvent, at now: Instant, time: String, takesOver: (NodeID) -> Bool = { _ in false }
    ) -> [String] {
        guard !isOld(event) else { return [] }
        switch event {
        case .snapshot(let snapshot): return apply(snapshot, at: now, time: time)
        case .finished(let id, let result, _):
            let outcome = ClusterPicture.Outcome(
                id: id, result: result, digest: digest(result),
                isBuiltIn: isBuiltIn(result.experiment.simulation))
            outcomes = (outcomes + [outcome]).suffix(Self.mostOver)
            // A node that was away gets the result without a last snapshot.
            if let index = jobs.firstIndex(where: { $0.id == id }), !jobs[index].state.isOver {
                jobs[index] = jobs[index].ended(with: result)
            }
            end(id)
            return []
        case .failed(let id, let why):
            let lines = ended.contains(id) ? [] : [failed(id, why)]
            if let index = jobs.firstIndex(where: { $0.id == id }) { jobs[index].state = .failed(why) }
            end(id)
            return lines
        case .lost(let id):
            guard !ended.contains(id), givenUp.insert(id).inserted else { return [] }
            let line = LostContact.givenUp(name(id))
            if awaited[id] == nil { jobs.removeAll { $0.id == id } }
            return [line]
        case .news(let news):
            let line = words(news)
            switch news {
            case .orphaned(let id, let node, let name):
                awaited[id] = LostContact(
                    coordinator: name, since: now, lastTally: tallied[id], mayBeTakenOver: takesOver(node))
                coordinators[id] = node
                // The words depend on `awaited`.
                return [words(news)]
            case .continues(let id, _, _): reached(id)
            case .forgotten(let id, _, let name):
                end(id)
                forget(id)
                forgotten = forgotten.filter { ended.contains($0.key) }
                forgotten[id] = name
            default: break
            }
            return [line]
        }
    }

    private mutating func apply(_ snapshot: JobSnapshot, at now: Instant, time: String) -> [String] {
        let id = snapshot.id
        let before = self.snapshot(id)?.state
        let isOver = ended.contains(id)
        if isOver {
            // The first end of a job counts. A job that is no longer shown has nothing to show.
            let isDone = before?.isDone ?? (outcome(id) != nil)
            guard isDone == snapshot.state.isDone, forgotten[id] == nil,
                before != nil || ended.suffix(Self.mostOver).contains(id)
            else { return [] }
        }
        reached(id)
        tallied[id] = time
        estimates[id, default: Estimate()].note(snapshot, at: now)
        if before == nil { forgetGivenUp() }
        if let index = jobs.firstIndex(where: { $0.id == id }) {
            jobs[index] = snapshot
        } else {
            jobs.append(snapshot)
        }
        // The host may show or hide the exact answers after the end.
        if let index = outcomes.lastIndex(where: { $0.id == id }),
            outcomes[index].result.hidesExact != snapshot.hidesExact
        {
            outcomes[index] = outcomes[index].hiding(snapshot.hidesExact)
        }
        guard !isOver else { return [] }
        var lines = progress[id, default: ProgressLine(unicode: unicode)].lines(snapshot)
        // After the last snapshot of a job that is done, its result is still to come.
        if case .failed(let why) = snapshot.state {
            lines.append(failed(id, why))
            end(id)
        }
        return lines
    }

    /// Notes that a node coordinates the job again, or that its end is known.
    private mutating func reached(_ id: JobID) {
        (awaited[id], coordinators[id]) = (nil, nil)
        givenUp.remove(id)
    }

    /// Notes whether the node that tells of all jobs answers. `name` is what users call it, and it told of a job last at
    /// `last`. Returns a line if that is new.
    public mutating func heard(from name: String, isSilent: Bool, at last: Instant) -> String? {
        guard isSilent else {
            for id in awaited.keys where coordinators[id] == nil { awaited[id] = nil }
            return nil
        }
        let quiet = jobs.map(\.id).filter { awaited[$0] == nil && !ended.contains($0) }
        for id in quiet {
            awaited[id] = LostContact(coordinator: name, since: last, lastTally: tallied[id], mayBeTakenOver: false)
        }
        return quiet.isEmpty ? nil : "\(name) does not answer; it may be suspended"
    }

    /// Notes that the end of a job was told.
    private mutating func end(_ id: JobID) {
        reached(id)
        guard !ended.contains(id) else { return }
        ended = (ended + [id]).suffix(Self.mostEnded)
        let shown = ended.suffix(Self.mostOver)
        for job in jobs where ended.contains(job.id) && !shown.contains(job.id) { forget(job.id) }
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

    private func failed(_ id: JobID, _ why: JobFailure) -> String { "\(name(id)) failed: \(why.brief)" }

    private mutating func forget(_ id: JobID) {
        jobs.removeAll { $0.id == id }
        (awaited[id], coordinators[id], tallied[id], progress[id], estimates[id]) = (nil, nil, nil, nil, nil)
    }

    /// Forgets the jobs that nobody continued, because there is another one to show.
    private mutating func forgetGivenUp() {
        for id in givenUp { forget(id) }
        givenUp = []
    }

    /// Whether no job is waiting or running.
    public var isIdle: Bool { jobs.allSatisfy { $0.state.isOver || awaited[$0.id] != nil } }

    public func snapshot(_ id: JobID) -> JobSnapshot? { jobs.first { $0.id == id } }

    /// Whether the job has ended, and at least this many other jobs have ended after it.
    public func hasEnded(_ id: JobID, before others: Int) -> Bool {
        ended.contains(id) && !ended.suffix(others).contains(id)
    }

    /// The job whose end was told last; nil if none was.
    var lastEnded: JobID? { ended.last }

    /// The part of a screen's picture that comes from the board.
    public var picture: ClusterPicture {
        var picture = ClusterPicture(jobs: jobs, outcomes: outcomes, awaited: awaited)
        picture.lastEnded = lastEnded
        picture.estimates = estimates
        return picture
    }

    /// Returns the events that bring a new viewer up to date: on all unfinished jobs, or on one job, which may be over.
    public func story(of job: JobID?) -> [JobEvent] {
        let told = jobs.filter { job == $0.id || job == nil && !$0.state.isOver }
        var story: [JobEvent] = []
        for snapshot in told {
            story.append(.snapshot(snapshot))
            if let contact = awaited[snapshot.id], let node = coordinators[snapshot.id] {
                story.append(.news(.orphaned(snapshot.id, node, name: contact.coordinator)))
            }
        }
        if let job, let outcome = outcome(job) { story.append(.finished(job, outcome.result, isOurs: false)) }
        // After all snapshots, because the first one of another job takes the place of a job that was given up.
        return story + told.filter { givenUp.contains($0.id) }.map { .lost($0.id) }
    }

    /// Returns the words about a job that counts as lost.
    public func loss(of id: JobID) -> String {
        forgotten[id].map { LostContact.forgotten("job \(id)", by: $0) } ?? LostContact.givenUp("job \(id)")
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
        case .continues(let id, _, let name): "\(name) continues \(self.name(id))"
        case .forgotten(let id, _, let name): LostContact.forgotten(self.name(id), by: name)
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
        var open: [(id: JobID, name: String)] = []
        for job in jobs where !job.state.isOver { open.append((job.id, job.spec.experiment.simulation.name)) }
        let wanted = text?.lowercased()
        if let wanted, !open.contains(where: { $0.id.text.hasPrefix(wanted) || $0.name == wanted }) {
            let over = ended + jobs.filter(\.state.isOver).map(\.id)
            if let over = over.last(where: { $0.text.hasPrefix(wanted) }) { return .none("job \(over) has ended") }
            if let job = ordered.first(where: { $0.text == wanted }) { return .job(job) }
        }
        return Self.choose(text, among: open)
    }

    /// Chooses one of the open jobs as `find` does.
    public static func choose(_ text: String?, among open: [(id: JobID, name: String)]) -> Found {
        guard let text else {
            switch open.count {
            case 0: return .none(noJob)
            case 1: return .job(open[0].id)
            default: return .none("there are \(open.count) jobs; choose one: \(list(open))")
            }
        }
        let wanted = text.lowercased()
        let numbered = open.filter { $0.id.text.hasPrefix(wanted) }
        let matches = numbered.isEmpty ? open.filter { $0.name == wanted } : numbered
        switch matches.count {
        case 0: return .none(open.isEmpty ? noJob : "no job \(Spelling.quoted(text)); jobs: \(list(open))")
        case 1: return .job(matches[0].id)
        default: return .none("\(Spelling.quoted(text)) matches \(matches.count) jobs; choose one: \(list(matches))")
        }
    }

    static let noJob = "no job is running"

    private static func list(_ jobs: [(id: JobID, name: String)]) -> String {
        jobs.map { "\($0.id) (\($0.name))" }.joined(separator: ", ")
    }
}

extension JobSnapshot {
    /// The last snapshot of a job that has ended with this result.
    fileprivate func ended(with result: JobResult) -> JobSnapshot {
        // A result that would be too long comes without its course.
        JobSnapshot(
            spec, course: result.course.isEmpty ? course : result.course, guesses: guesses,
            JobPicture(
                id: picture.id, submitter: picture.submitter, state: .done(result.completion), trials: result.trials,
                counts: spec.title.counts(of: result.tally), readings: result.readings, elapsed: result.elapsed,
                nodes: result.nodes, hidesExact: result.hidesExact, best: picture.best))
    }
}
