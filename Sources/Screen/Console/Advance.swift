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
            if let (reading, limit, excess) = precision.widest(of: snapshot.readings), excess > 0 {
                // An interval's width is proportional to 1/√trials, so the part of the trials is the square.
                parts.append(1 / (excess * excess))
                let name = if case .named = precision { "\(reading.name) " } else { "" }
                words.append("now \(name)± \(limit.text(limit.number * excess))")
            }
            words.append("goal \(precision.words)")
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

extension WidthLimit {
    /// The limit, whatever it is relative to.
    package var number: Double {
        switch self {
        case .absolute(let limit), .relative(let limit): limit
        }
    }

    func text(_ width: Double) -> String {
        switch self {
        case .absolute: Figures.significant(width, 2)
        case .relative: Figures.significant(width * 100, 2) + " %"
        }
    }
}

extension Precision {
    /// `± 1.0 %`, or `wait ± 1.0 % and p99 ± 0.50`.
    package var words: String {
        switch self {
        case .every(let limit): "± \(limit.text(limit.number))"
        case .named(let limits):
            limits.map { "\($0.reading) ± \($0.limit.text($0.limit.number))" }.joined(separator: " and ")
        }
    }
}
