import PotluckCore
import PotluckKit

/// The progress of a job towards its goal, as a number and in words.
struct Advance {
    /// From 0 to 1; nil if the job has no goal, or if the readings do not yet show how precise they are.
    let part: Double?
    let words: [String]

    init(_ snapshot: JobSnapshot, columns: Int, showsRate: Bool = true) {
        let (goal, unit) = (snapshot.spec.goal, snapshot.spec.unit)
        let width = max(12, columns - 12)
        var parts: [Double] = []
        var words: [String] = []
        let trials = Figures.grouped(snapshot.trials, width: width)
        if snapshot.spec.isSearch {
            let space = snapshot.spec.goal.slice == nil ? SearchSpace.points : snapshot.spec.wanted
            parts.append(Double(snapshot.trials) / Double(space ?? SearchSpace.points))
            words.append("\(Figures.percent(ofSpace: snapshot.trials)) of the tree")
        } else if let wanted = snapshot.spec.wanted {
            parts.append(Double(snapshot.trials) / Double(wanted))
            let whole = "\(trials) of \(Figures.grouped(wanted, width: width)) \(unit.plural)"
            words += whole.count + 4 <= columns ? [whole] : [trials, "of \(Figures.grouped(wanted, width: width))"]
        } else {
            words += ["\(trials) \(unit.word(snapshot.trials))"]
        }
        if let precision = goal.precision {
            if let reached = precision.worst(of: snapshot.readings) {
                // An interval's width is proportional to 1/√trials, so the part of the trials is the square.
                parts.append((precision.limit / reached) * (precision.limit / reached))
                words += ["now ± \(precision.text(reached))", "goal ± \(precision.text(precision.limit))"]
            } else {
                words.append("goal ± \(precision.text(precision.limit))")
            }
        }
        if let duration = goal.duration {
            parts.append(snapshot.elapsed.seconds / duration.seconds)
            words.append("\(Figures.time(snapshot.elapsed)) of \(Figures.time(duration))")
        } else {
            words.append(Figures.time(snapshot.elapsed))
        }
        // The job ends at the first limit that it reaches, so the largest part counts.
        part = parts.filter { !$0.isNaN }.max().map { max(0, min(1, $0)) }
        if showsRate, let rate = snapshot.rate { words.append(Figures.rate(rate)) }
        self.words = words
    }
}

extension Precision {
    package var limit: Double {
        switch self {
        case .absolute(let limit), .relative(let limit): limit
        }
    }

    /// Half the width of the widest interval, absolute or relative as the precision is; nil if some reading has no
    /// usable interval yet.
    package func worst(of readings: [Reading]) -> Double? {
        let judged = readings.filter { $0.halfWidth != nil }
        var worst: Double?
        for reading in judged {
            guard reading.varies, let half = reading.halfWidth, half > 0, let value = reading.value else { return nil }
            let width: Double
            switch self {
            case .absolute: width = half
            case .relative: width = half / value.magnitude
            }
            guard width.isFinite else { return nil }
            worst = max(worst ?? 0, width)
        }
        return worst
    }

    func text(_ width: Double) -> String {
        switch self {
        case .absolute: Figures.significant(width, 2)
        case .relative: Figures.significant(width * 100, 2) + " %"
        }
    }
}
