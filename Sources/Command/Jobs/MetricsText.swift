import Potluck
import PotluckCore
import PotluckScreen

/// The jobs of a session in Prometheus' text format. `docs/METRICS.md` lists the metrics.
struct MetricsText {
    /// The beginning of every file of metrics. Only a file that begins so is replaced without a question.
    static let start = "# HELP \(prefix)jobs "
    private static let prefix = "potluck_"

    private enum Kind: String {
        case counter, gauge
    }

    private typealias Labels = [(name: String, value: String)]
    private typealias Sample = (labels: Labels, value: String)

    private(set) var text = ""
    private let session: String

    /// `lost` holds the jobs whose coordinator is out of reach.
    init(session: String, jobs: [JobSnapshot], lost: Set<JobID>) {
        self.session = session
        add("jobs", .gauge, "Jobs that this file describes: those that are not over, and the last that are.") {
            [([("session", session)], "\(jobs.count)")]
        }
        addJobs(jobs, lost)
        addNodes(jobs)
    }

    private mutating func addJobs(_ jobs: [JobSnapshot], _ lost: Set<JobID>) {
        let labels = labels
        add("job_info", .gauge, "The simulation of a job and the name of the node that started it; always 1.") {
            jobs.map { job in
                let simulation = job.spec.experiment.simulation.name
                return (labels(job) + [("simulation", simulation), ("submitter", job.submitter)], "1")
            }
        }
        add("job_state", .gauge, "1 for the state that a job is in, 0 for the others.") {
            jobs.flatMap { job in
                JobState.words.map { word in
                    (labels(job) + [("state", word)], word == job.state.word ? "1" : "0")
                }
            }
        }
        add("job_contact_lost", .gauge, "1 while the coordinator of a job is out of reach, else 0.") {
            jobs.map { (labels($0), lost.contains($0.id) ? "1" : "0") }
        }
        add("job_trials_total", .counter, "Trials of a job that count.") {
            jobs.filter { !$0.spec.isSearch }.map { (labels($0), "\($0.trials)") }
        }
        add("job_searched_ratio", .gauge, "Part of a search's tree that is searched, from 0 to 1.") {
            jobs.filter(\.spec.isSearch).map { (labels($0), Self.number(Figures.part(ofSpace: $0.trials))) }
        }
        add("job_trials_per_second", .gauge, "Speed of a job over the last seconds; absent while it is unknown.") {
            jobs.compactMap { job in job.rate.map { (labels(job), Self.number($0)) } }
        }
        add("job_elapsed_seconds", .gauge, "Time that a job has taken so far.") {
            jobs.map { (labels($0), Self.number($0.elapsed.seconds)) }
        }
        add("job_remaining_seconds", .gauge, "Time that a job will still take; absent while it is unknown.") {
            jobs.compactMap { job in
                guard case .about(let time) = job.remaining, !job.state.isOver else { return nil }
                return (labels(job), Self.number(time.seconds))
            }
        }
    }

    private mutating func addNodes(_ jobs: [JobSnapshot]) {
        let labels = labels
        let all = jobs.flatMap { job in
            Self.shares(in: job).map {
                (labels: labels(job) + [("node", $0.name)], share: $0, ofSearch: job.spec.isSearch)
            }
        }
        let searches = all.filter(\.ofSearch)
        add("node_trials_total", .counter, "Trials of a job that a node computed and that count.") {
            all.filter { !$0.ofSearch }.map { ($0.labels, "\($0.share.trials)") }
        }
        add("node_searched_ratio", .gauge, "Part of a search's tree that a node searched, from 0 to 1.") {
            searches.map { ($0.labels, Self.number(Figures.part(ofSpace: $0.share.trials))) }
        }
        add("node_trials_per_second", .gauge, "Speed of a node at a job; absent while it is unknown.") {
            all.compactMap { node in node.share.rate.map { (node.labels, Self.number($0)) } }
        }
        add("node_expanded_total", .counter, "Nodes of a search's tree that a node looked at.") {
            searches.map { ($0.labels, "\($0.share.effort.expanded)") }
        }
        add("node_expanded_in_vain_total", .counter, "Those of them that did not count.") {
            searches.map { ($0.labels, "\($0.share.effort.inVain)") }
        }
        add("node_cores", .gauge, "Cores of a node that take part in a job.") {
            all.map { ($0.labels, "\($0.share.cores)") }
        }
        add("node_computing", .gauge, "1 while a node computes a job, else 0.") {
            all.map { ($0.labels, $0.share.isComputing ? "1" : "0") }
        }
    }

    /// The work of all rows with one name in a job. Two series of the same labels would make the whole file invalid,
    /// and a node that came back under its name continues its series.
    private struct Share {
        let name: String
        var trials: UInt64 = 0
        var rate: Double?
        var effort = SearchEffort.none
        var cores = 0
        var isComputing = false
    }

    private static func shares(in job: JobSnapshot) -> [Share] {
        var shares: [Share] = []
        for row in job.nodes {
            let index = shares.firstIndex { $0.name == row.name } ?? shares.endIndex
            if index == shares.endIndex { shares.append(Share(name: row.name)) }
            shares[index].trials += row.trials
            shares[index].effort = shares[index].effort + row.effort
            if let rate = row.rate { shares[index].rate = (shares[index].rate ?? 0) + rate }
            if row.work != .gone { shares[index].cores += row.cores }
            if row.work == .computing, !job.state.isOver { shares[index].isComputing = true }
        }
        return shares
    }

    private func labels(_ job: JobSnapshot) -> Labels { [("session", session), ("job", job.id.text)] }

    private mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: () -> [Sample]) {
        let name = Self.prefix + name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for (labels, value) in samples() {
            let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value))\"" }.joined(separator: ",")
            text += "\(name){\(list)} \(value)\n"
        }
    }

    /// A label's value as the format wants it: with backslashes before quotes, backslashes and ends of lines.
    static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        return value.isFinite ? value.description : value < 0 ? "-Inf" : "+Inf"
    }
}
