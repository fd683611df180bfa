import PotluckCore
import PotluckKit
import PotluckNet
import PotluckScreen

// Turns a node's knowledge of a job into the picture on a page.
extension PageJob {
    /// `digest` is that of the result, and `solution` the best one of a search as its author shows it. `lost` is nil unless
    /// the job's coordinator is lost: then the snapshot is the last one, and nobody knows what the nodes do.
    init(_ snapshot: JobSnapshot, solution: [UInt8]?, lost: LostContact? = nil) {
        self.init(
            job: snapshot.id, title: Title(snapshot.spec, submitter: snapshot.submitter),
            state: lost == nil ? State(snapshot.state) : .lost,
            detail: lost.map(PageWords.detail) ?? PageWords.detail(snapshot.state),
            progress: Progress(
                trials: snapshot.trials, goal: PageWords.goal(of: snapshot),
                fraction: PageWords.fraction(snapshot), elapsed: snapshot.elapsed.seconds,
                left: lost == nil ? snapshot.remaining.seconds : nil,
                rate: snapshot.spec.isSearch || lost != nil ? nil : snapshot.rate),
            readings: PageReading.list(snapshot.readings, trials: snapshot.trials),
            nodes: lost == nil ? PageNode.list(snapshot.nodes) : [], best: solution.map(Best.init),
            browsers: snapshot.nodes.browsers?.sentence(snapshot.spec.unit), hidesExact: snapshot.hidesExact)
    }

    init(_ outcome: ClusterPicture.Outcome, submitter: String, solution: [UInt8]?) {
        let result = outcome.result
        let seconds = result.elapsed.seconds
        self.init(
            job: outcome.id, title: Title(result.spec, submitter: submitter), state: .done,
            detail: PageWords.detail(.done(result.completion)),
            progress: Progress(
                trials: result.trials, goal: PageWords.goal(of: result.spec), fraction: 1, elapsed: seconds, left: 0,
                rate: seconds > 0 && !result.spec.isSearch ? Double(result.trials) / seconds : nil),
            readings: PageReading.list(result.readings, trials: result.trials),
            nodes: PageNode.list(result.nodes), best: solution.map(Best.init), proof: Proof(outcome),
            browsers: result.nodes.browsers?.sentence(result.spec.unit), hidesExact: result.hidesExact)
    }
}

extension PageJob.Proof {
    fileprivate init(_ outcome: ClusterPicture.Outcome) {
        let (spec, tally) = (outcome.result.spec, outcome.result.tally)
        self.init(
            digest: outcome.digest, seed: spec.isSearch ? nil : spec.experiment.seed,
            counts: zip(spec.title.counts, spec.title.counts(of: tally)).prefix(GatewayLimits.readings).map {
                ($0.name, $1)
            }, command: PageWords.command(of: outcome))
    }
}

extension PageJob.Title {
    fileprivate init(_ spec: JobSpec, submitter: String) {
        self.init(
            simulation: spec.experiment.simulation.name, summary: spec.title.summary, submitter: submitter,
            parameters: spec.parameters.map {
                PageJob.Parameter(name: $0.label, value: $0.value, isDefault: $0.isStandard)
            }, unit: spec.unit)
    }
}

extension PageJob.State {
    fileprivate init(_ state: JobState) {
        self =
            switch state {
            case .waiting: .waiting
            case .running: .running
            case .paused: .paused
            case .stopping: .stopping
            case .done: .done
            case .failed: .failed
            }
    }
}

extension Remaining {
    fileprivate var seconds: Double? { if case .about(let time) = self { time.seconds } else { nil } }
}

extension PageJob.Best {
    /// The most points of a picture; a page draws no more.
    private static let mostPoints = 1024

    fileprivate init(_ octets: [UInt8]) {
        let solution = Solution(octets)
        self.init(
            text: (solution.shownTexts + [solution.rest].compactMap(\.self)).joined(separator: "\n"),
            points: solution.points.count <= Self.mostPoints ? solution.points.map { ($0.x, $0.y) } : [])
    }
}

extension PageReading {
    fileprivate static func list(_ readings: [Reading], trials: UInt64) -> [PageReading] {
        readings.prefix(GatewayLimits.readings).map { PageReading($0, trials: trials) }
    }

    private init(_ reading: Reading, trials: UInt64) {
        self.init(
            name: reading.name, kind: "\(reading.kind)", value: reading.value, interval: reading.shownInterval,
            exact: reading.exact, text: PageWords.value(reading), note: PageWords.note(reading, trials: trials),
            bins: Bins(reading), cells: Cells(reading), curve: Self.curve(reading))
    }
}

extension PageReading {
    /// The times of a series that have a mean. If there are many, only some of them.
    fileprivate static func curve(_ reading: Reading) -> [PageReading.Time] {
        let times = reading.curve
        let step = max(1, (times.count + GatewayLimits.bins - 1) / GatewayLimits.bins)
        return stride(from: 0, to: times.count, by: step).compactMap { index in
            times[index].value.map { Time(number: times[index].time, value: $0, interval: times[index].interval) }
        }
    }
}

extension PageReading.Cells {
    /// The cells. If there are many, neighbours are joined; the last ones may then reach beyond the range.
    fileprivate init?(_ reading: Reading) {
        guard let cells = reading.cells?.joined(columns: GatewayLimits.cells, rows: GatewayLimits.cells) else {
            return nil
        }
        let rows = stride(from: 0, to: cells.counts.count, by: cells.columns).map {
            Array(cells.counts[$0..<$0 + cells.columns])
        }
        self.init(x: cells.x, y: cells.y, outside: cells.outside, rows: rows)
    }
}

extension PageReading.Bins {
    /// The bins within the range. If there are many, neighbours are joined; the last one may then reach beyond the range.
    fileprivate init?(_ reading: Reading) {
        guard reading.kind == .histogram, let range = reading.range, reading.bins.count > 2 else { return nil }
        let bins = Array(reading.bins.dropFirst().dropLast())
        let size = (bins.count + GatewayLimits.bins - 1) / GatewayLimits.bins
        let joined = stride(from: 0, to: bins.count, by: size).map { start in
            bins[start..<min(start + size, bins.count)].reduce(0, &+)
        }
        let width = (range.upperBound - range.lowerBound) / Double(bins.count)
        let high = size == 1 ? range.upperBound : range.lowerBound + width * Double(joined.count * size)
        self.init(low: range.lowerBound, high: high, counts: joined)
    }
}

extension PageNode {
    /// The nodes with the largest parts, in their order.
    fileprivate static func list(_ rows: [NodeRow]) -> [PageNode] {
        let whole = rows.reduce(0.0) { $0 + Double($1.trials) }
        var shown = rows
        if rows.count > GatewayLimits.nodes {
            let least = rows.map(\.trials).sorted(by: >)[GatewayLimits.nodes - 1]
            shown = Array(rows.filter { $0.trials >= least }.prefix(GatewayLimits.nodes))
        }
        return shown.map { row in
            PageNode(
                name: row.name, cores: row.cores, share: whole > 0 ? Double(row.trials) / whole : 0, rate: row.rate,
                state: PageWords.work(row.work), kind: row.recomputed == nil ? .laptop : .browser,
                recomputed: row.recomputed.flatMap { row.trials > 0 ? Double($0) / Double(row.trials) : nil })
        }
    }
}

extension PagePoint {
    init(_ point: CoursePoint) {
        self.init(
            trials: point.trials, elapsed: point.elapsed?.seconds,
            values: point.readings.prefix(GatewayLimits.readings).map { reading in
                reading.value.map { Value(value: $0, interval: reading.shownInterval) }
            })
    }
}
