import PotluckCore
import PotluckKit

/// Reports a job as lines of a log: progress at intervals, and changes of the job and its nodes at once.
public struct ProgressLine: Sendable {
    /// Often enough to show that the job continues, seldom enough for a log of a whole night.
    public static let interval = Duration.seconds(5)

    /// Whether the log may contain more than ASCII.
    private let unicode: Bool
    private var last = Duration.zero
    private var state: JobState?
    private var nodes: [NodeID: NodeWork] = [:]
    private var job: JobID?
    private var estimate = Estimate()

    public init(unicode: Bool = false) { self.unicode = unicode }

    /// Returns the lines that are due.
    public mutating func lines(_ snapshot: JobSnapshot) -> [String] {
        if job != snapshot.id {
            self = ProgressLine(unicode: unicode)
            job = snapshot.id
            // Why a node cannot compute it is worth a line, also to somebody who comes later.
            let able = snapshot.nodes.filter { if case .unable = $0.work { false } else { true } }
            nodes = Dictionary(able.map { ($0.node, $0.work) }) { first, _ in first }
        }
        estimate.note(snapshot, at: .start + snapshot.elapsed)
        let news = [stateNews(snapshot)].compactMap { $0 } + nodeNews(snapshot)
        let lines = news.map { "\(snapshot.spec.name): \($0)" } + [progress(snapshot)].compactMap { $0 }
        return lines.map { Cells.clean($0, unicode: unicode) }
    }

    // MARK: Changes

    private mutating func stateNews(_ snapshot: JobSnapshot) -> String? {
        let before = state
        state = snapshot.state
        switch (before, snapshot.state) {
        // Preparing at the beginning is not worth a line.
        case (nil, .waiting(.simulation)), (.waiting(.simulation), .running): return nil
        case (nil, .running), (.running, .running), (.paused, .paused), (.stopping, .stopping): return nil
        // The time until the start changes all the while.
        case (.waiting(.start), .waiting(.start)): return nil
        case (.waiting, .running): return "started"
        case (_, .running): return "resumed"
        // The result or the error reports these.
        case (_, .done), (_, .failed): return nil
        case (let before, let state): return before == state ? nil : state.words(snapshot.remaining)
        }
    }

    private mutating func nodeNews(_ snapshot: JobSnapshot) -> [String] {
        snapshot.nodes.compactMap { row in
            // This row is not a node, so it cannot join or leave.
            if row.isEarlier { return nil }
            let before = nodes.updateValue(row.work, forKey: row.node)
            guard before != row.work else { return nil }
            switch row.work {
            case .computing, .idle, .preparing:
                if before == nil || before == .gone {
                    return "\(row.name) joined"
                        + (row.cores > 0 ? " with \(row.cores == 1 ? "1 core" : "\(row.cores) cores")" : "")
                }
                return before?.isAtWork == true ? nil : "\(row.name) continues"
            case .resting: return "\(row.name) is resting"
            case .silent: return "\(row.name) is silent"
            case .setAside: return "\(row.name) failed several times and gets no work for a while"
            case .unable(let why): return "\(row.name) cannot compute it: \(why)"
            case .gone: return "\(row.name) disconnected"
            case .shutOut: return "\(row.name) sent wrong results and is shut out; none of its results count"
            }
        }
    }

    // MARK: Progress

    private mutating func progress(_ snapshot: JobSnapshot) -> String? {
        guard snapshot.elapsed - last >= Self.interval, !snapshot.state.isOver else { return nil }
        // Print the seed once, so that a run that is killed can be repeated.
        let seed = last == .zero && !snapshot.spec.isSearch ? ["seed \(snapshot.spec.experiment.seed)"] : []
        last = snapshot.elapsed
        let advance = Advance(snapshot, columns: 200)
        var words = advance.words
        if let part = advance.part { words.append("\(min(99, Int(part * 100))) %") }
        if snapshot.state == .running {
            words.append(estimate.words(snapshot.remaining, at: .start + snapshot.elapsed))
        }
        if let lag = snapshot.lag { words.append(lag) }
        if snapshot.nodes.count > 1 {
            let atWork = snapshot.nodes.count { $0.work.isAtWork }
            words.append(atWork == 1 ? "1 node" : "\(atWork) nodes")
        }
        let readings = snapshot.readings.compactMap { reading -> String? in
            guard reading.kind.isNumber, let value = reading.value else { return nil }
            let figures = ReadingFigures(reading)
            guard let half = reading.shownHalfWidth else { return "\(reading.name) \(figures.text(value))" }
            return "\(reading.name) \(figures.text(value)) ± \(figures.text(half))"
        }
        let why =
            snapshot.spec.goal.precision == nil
            ? [] : IntervalWords.remarks(snapshot.readings, trials: snapshot.trials).map { String($0.dropLast()) }
        return (["\(snapshot.spec.name): " + words.joined(separator: ", ")] + readings + why + seed).joined(
            separator: "; ")
    }
}

extension NodeWork {
    /// Whether the node is ready to compute.
    var isAtWork: Bool {
        switch self {
        case .computing, .idle, .preparing: true
        case .resting, .silent, .setAside, .unable, .gone, .shutOut: false
        }
    }
}
