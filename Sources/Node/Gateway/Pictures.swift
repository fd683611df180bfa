import PotluckCore
import PotluckNet
import PotluckScreen

/// Everything that pages show, encoded once for all of them. A version grows with each change, so that each page gets
/// only changes, and a slow one skips outdated pictures.
struct Pictures {
    /// A job that is shown.
    struct Job {
        /// No other job has had these versions, nor had this one before it was forgotten and shown again.
        let first: UInt64
        var version: UInt64
        /// The latest picture; empty before the first.
        var octets: [UInt8] = []
        /// The points of its chart, each as JSON.
        var points: [[UInt8]] = []
        /// What people guessed, each as JSON.
        var guesses: [[UInt8]] = []
    }

    /// The latest that is known of a job, from which its picture is made.
    private struct Source {
        var snapshot: JobSnapshot?
        /// Nil unless its coordinator is lost.
        var lost: LostContact?
        var outcome: ClusterPicture.Outcome?
        var solution: [UInt8]?
        /// The points that were encoded.
        var course: [CoursePoint] = []
        /// None is forgotten, whatever another coordinator knows.
        var guesses = Guesses()
        var isChanged = true
        /// Whether the coordinator has said that the answers of the job are hidden.
        var wasHidden = false

        /// Whether its end is known. The result of a job that is done comes after its last snapshot.
        var hasEnded: Bool {
            if case .failed = snapshot?.state { true } else { outcome != nil }
        }
    }

    /// Whether the host hides the answers of every job. A job's first pictures do not say so yet.
    private let hidesExact: Bool
    private var sources: [JobID: Source] = [:]
    /// First the jobs that have ended, in the order of their ends, then the others, in the order in which they came.
    private(set) var order: [JobID] = []
    private(set) var jobs: [JobID: Job] = [:]
    private var lastVersion: UInt64 = 0
    /// The pictures of finished runs, oldest first.
    private(set) var results: [(job: JobID, octets: [UInt8])] = []

    /// The programs with ranks, as one message; empty before the first.
    private(set) var programs: (version: UInt64, octets: [UInt8]) = (0, [])
    /// The programs that were not encoded yet; nil if there is nothing new.
    private var newPrograms: [ProgramPicture]?

    /// A message of a user, or an event if there is no user.
    struct News {
        let text: String
        let by: String?
        let at: Instant
    }

    private(set) var news: [News] = []
    /// The number of all news so far; `news` has the last ones.
    private(set) var newsCount: UInt64 = 0

    init(hidesExact: Bool) { self.hidesExact = hidesExact }

    // MARK: What changed

    /// Updates the job of an event from the node's board, and forgets the open jobs that the board no longer shows.
    mutating func took(_ event: JobEvent, _ board: JobBoard, solution: [UInt8]?, at now: Instant) {
        var id: JobID?
        switch event {
        case .snapshot(let snapshot): id = snapshot.id
        case .finished, .failed, .lost: id = event.endedJob
        case .news(let news):
            said(board.words(news), by: nil, at: now)
            switch news {
            case .orphaned(let job, _, _), .continues(let job, _, _): id = job
            case .liar, .setAside, .unable, .forgotten, .stranded, .journalStuck, .journalWell: break
            }
        }
        if let id { show(id, board, solution) }
        for id in order where sources[id]?.hasEnded == false && board.snapshot(id) == nil { forget(id) }
    }

    private mutating func show(_ id: JobID, _ board: JobBoard, _ solution: [UInt8]?) {
        let (snapshot, outcome) = (board.snapshot(id), board.outcome(id))
        // Pages show the job only among the finished runs by now. Its host may reveal the exact answers after the end.
        if sources[id] == nil, board.hasEnded(id, before: GatewayLimits.over) {
            guard let outcome, !outcome.result.spec.isSearch, results.contains(where: { $0.job == id }) else { return }
            return keep(
                id,
                Self.octets(of: PageJob(outcome.shown, submitter: snapshot?.submitter ?? "", solution: nil)))
        }
        if let snapshot {
            took(snapshot, solution: solution, lost: snapshot.state.isOver ? nil : board.awaited[id])
        }
        if let outcome { finished(outcome, solution: solution) }
    }

    mutating func took(_ snapshot: JobSnapshot, solution: [UInt8]?, lost: LostContact? = nil) {
        change(snapshot.id) { [hidesExact] source in
            source.snapshot = snapshot
            source.guesses.add(snapshot.guesses)
            source.lost = lost
            source.solution = solution ?? source.solution
            if snapshot.hidesExact { source.wasHidden = true }
            // The host may show or hide the exact answers after the end.
            if snapshot.isOutdated(by: source.wasHidden, hidesExact) { source.snapshot?.hidesExact = true }
            if let hides = source.snapshot?.hidesExact { source.outcome = source.outcome?.hiding(hides) }
        }
    }

    mutating func finished(_ outcome: ClusterPicture.Outcome, solution: [UInt8]?) {
        change(outcome.id) { [hidesExact] source in
            if outcome.result.hidesExact { source.wasHidden = true }
            let isHidden = outcome.result.hidesExact || source.snapshot?.hidesExact == true
            source.outcome = outcome.hiding(isHidden || hidesExact && !source.wasHidden)
            source.solution = solution ?? source.solution
        }
    }

    /// Whether people may still guess what comes of a job.
    func takesGuesses(of job: JobID) -> Bool {
        guard let snapshot = sources[job]?.snapshot, snapshot.trials == 0 else { return false }
        return switch snapshot.state {
        case .waiting, .paused: true
        case .running, .stopping, .done, .failed: false
        }
    }

    mutating func show(_ programs: [ProgramPicture]) { newPrograms = programs }

    mutating func said(_ text: String, by name: String?, at now: Instant) {
        newsCount += 1
        news = (news + [News(text: text, by: name, at: now)]).suffix(GatewayLimits.news)
    }

    /// The news after the first `seen` lines, for a page that lacks them; at most the last ones.
    func newsSince(_ seen: UInt64, at now: Instant) -> [UInt8]? {
        guard seen < newsCount else { return nil }
        let next = news[max(0, news.count - Int(clamping: newsCount - seen))]
        return GatewayMessage.news(next.text, by: next.by, ago: now - next.at).octets
    }

    /// The number that a page has seen once it got the next line of news.
    func newsSeen(after seen: UInt64) -> UInt64 { max(seen, newsCount - UInt64(news.count)) + 1 }

    private mutating func change(_ job: JobID, _ body: (inout Source) -> Void) {
        if sources[job] == nil {
            sources[job] = Source()
            order.append(job)
        }
        let hadEnded = sources[job]?.hasEnded
        body(&sources[job]!)
        sources[job]?.isChanged = true
        if hadEnded == false, sources[job]?.hasEnded == true {
            order.removeAll { $0 == job }
            order.insert(job, at: order.firstIndex { sources[$0]?.hasEnded == false } ?? order.endIndex)
        }
        let over = order.prefix { sources[$0]?.hasEnded == true }
        for old in over.dropLast(GatewayLimits.over) where old != job { forget(old) }
    }

    private mutating func forget(_ job: JobID) {
        // The last change must not be missing among the results.
        if sources[job]?.isChanged == true, sources[job]?.outcome != nil { encode(job) }
        sources[job] = nil
        jobs[job] = nil
        order.removeAll { $0 == job }
    }

    // MARK: Encoding

    /// Encodes the changes. Returns the jobs whose charts lost points, with the number of those that stay.
    mutating func publish() -> [(job: JobID, points: Int)] {
        encodePrograms()
        return order.filter { sources[$0]?.isChanged == true }.compactMap { job in
            encode(job).map { (job, $0) }
        }
    }

    private mutating func encodePrograms() {
        guard let new = newPrograms else { return }
        newPrograms = nil
        let octets = GatewayMessage.programs(new.map(PageProgram.fitting)).octets
        // Nobody is told that there are none before there is one.
        guard octets != programs.octets, programs.version > 0 || !new.isEmpty else { return }
        programs = (programs.version + 1, octets)
    }

    @discardableResult private mutating func encode(_ id: JobID) -> Int? {
        guard let source = sources[id] else { return nil }
        sources[id]?.isChanged = false
        let picture: PageJob
        if let outcome = source.outcome {
            picture = PageJob(
                outcome.shown, submitter: source.snapshot?.submitter ?? "", solution: source.solution)
        } else if let snapshot = source.snapshot {
            picture = PageJob(snapshot.shown, solution: source.solution, lost: source.lost)
        } else {
            return nil
        }
        let octets = Self.octets(of: picture)
        if octets != jobs[id]?.octets { lastVersion += 1 }
        var job = jobs[id] ?? Job(first: lastVersion, version: lastVersion)
        if octets != job.octets { (job.octets, job.version) = (octets, lastVersion) }
        let cut = addPoints(of: source, to: &job, id)
        job.guesses += source.guesses.list.dropFirst(job.guesses.count).map(\.octets)
        jobs[id] = job
        if source.outcome != nil { keep(id, octets) }
        return cut
    }

    /// Replaces the points from the first one on that differs. Returns the number of those before it if some were there.
    private mutating func addPoints(of source: Source, to job: inout Job, _ id: JobID) -> Int? {
        let course = source.outcome?.result.course ?? source.snapshot?.course ?? []
        // A result without a course does not mean that there was none.
        guard !course.isEmpty else { return nil }
        let same = zip(course, source.course).prefix { $0 == $1 }.count
        let isCut = same < job.points.count
        job.points = job.points.prefix(same) + course[same...].map { Array(PagePoint($0).json.text.utf8) }
        sources[id]?.course = course
        return isCut ? same : nil
    }

    private mutating func keep(_ id: JobID, _ octets: [UInt8]) {
        if let index = results.firstIndex(where: { $0.job == id }) {
            results[index].octets = octets
        } else {
            results = (results + [(id, octets)]).suffix(GatewayLimits.results)
        }
    }

    /// A picture with histograms, curves and hundreds of nodes may be too long. Its least important parts are left out.
    static func octets(of picture: PageJob) -> [UInt8] {
        let whole = GatewayMessage.job(picture).octets
        if whole.count <= GatewayLimits.picture { return whole }
        var readings = picture.readings
        for index in readings.indices {
            (readings[index].bins, readings[index].cells, readings[index].curve) = (nil, nil, [])
        }
        func octets(_ nodes: Int, _ count: Int) -> [UInt8] {
            GatewayMessage.job(
                PageJob(
                    job: picture.job, title: picture.title, state: picture.state, detail: picture.detail,
                    progress: picture.progress, readings: Array(readings.prefix(count)),
                    nodes: Array(picture.nodes.prefix(nodes)), proof: picture.proof, browsers: picture.browsers,
                    hidesExact: picture.hidesExact)
            ).octets
        }
        for part in [1, 2, 4, 8] {
            let shorter = octets(GatewayLimits.nodes / part, GatewayLimits.readings / part)
            if shorter.count <= GatewayLimits.picture { return shorter }
        }
        return octets(0, 0)
    }
}

extension JobSnapshot {
    /// Whether the answers must be hidden although the picture does not say so: the host hides them all, and the
    /// coordinator has not heard of it yet.
    fileprivate func isOutdated(by wasHidden: Bool, _ hidesAll: Bool) -> Bool {
        hidesAll && !wasHidden && !picture.hidesExact
    }
}
