import PotluckNet

@testable import PotluckCore

/// What a page keeps of the jobs: the rules of `Pages/session.js`. The conversations of `PageLawTests`, which are also
/// played to that file in Chromium (`make pages`), hold the two together.
struct PageModel {
    struct Job {
        let id: String
        let state: String
        let trials: UInt64?
        let digest: String?
        var end = 0

        var isUnderWay: Bool { ["waiting", "running", "paused", "stopping", "lost"].contains(state) }
        var hasEnded: Bool { digest != nil || state == "failed" }
    }

    struct Run: Equatable {
        let job: String
        let digest: String
    }

    private(set) var jobs: [Job] = []
    private(set) var runs: [Run] = []
    private(set) var last: Job?
    /// What it has shown of a job that had ended for it.
    private(set) var returned: [String] = []
    private var coming: [Run] = []
    private var stale: Set<String> = []
    private var ends = 0

    /// Takes a message. Returns whether the page asks for the finished runs then, as `Pages/main.js` does.
    mutating func take(_ message: JSON) -> Bool {
        switch message["is"]?.asString {
        case "welcome":
            stale = Set(jobs.map(\.id))
            coming = []
            return true
        case "job":
            guard let job = Job(message) else { return false }
            stale.remove(job.id)
            take(job)
            return !job.isUnderWay
        case "over":
            forget(message["job"]?.asString ?? "")
            return true
        case "results":
            for run in (message["runs"]?.asArray ?? []).compactMap(Run.init) {
                coming.removeAll { $0.job == run.job }
                coming.append(run)
            }
            guard message["last"] == .bool(true) else { return false }
            runs = runs.map { run in coming.first { $0.job == run.job } ?? run }
            runs += coming.filter { run in !runs.contains { $0.job == run.job } }
            coming = []
            return false
        default: return false
        }
    }

    mutating func forgetStale() {
        for job in stale { forget(job) }
        stale = []
    }

    private mutating func take(_ new: Job) {
        var job = new
        let index = jobs.firstIndex { $0.id == job.id }
        let before = index.map { jobs[$0] }
        if let before, before.hasEnded, job.isUnderWay { returned.append(job.id) }
        if job.hasEnded, before?.hasEnded != true { ends += 1 }
        job.end = job.hasEnded && before?.hasEnded != true ? ends : before?.end ?? 0
        if let index { jobs[index] = job } else { jobs.append(job) }
    }

    private mutating func forget(_ id: String) {
        if let job = jobs.first(where: { $0.id == id }), job.hasEnded, job.end > last?.end ?? 0 { last = job }
        jobs.removeAll { $0.id == id }
    }

    /// The job to show first.
    var foremost: Job? {
        let latest = Array(jobs.reversed())
        let open = latest.filter(\.isUnderWay)
        let running = open.first { $0.state == "running" } ?? open.first { $0.state != "lost" } ?? open.first
        let over = latest.reduce(nil as Job?) { last, job in
            guard let last else { return job }
            return (last.hasEnded ? last.end : .max) >= (job.hasEnded ? job.end : .max) ? last : job
        }
        return running ?? over ?? last
    }
}

extension PageModel.Job {
    fileprivate init?(_ message: JSON) {
        guard let id = message["job"]?.asString, let state = message["state"]?.asString else { return nil }
        self.init(id: id, state: state, trials: message["trials"]?.asBig, digest: message["digest"]?.asString)
    }
}

extension PageModel.Run {
    fileprivate init?(_ message: JSON) {
        guard let job = message["job"]?.asString, let digest = message["digest"]?.asString else { return nil }
        self.init(job: job, digest: digest)
    }
}
