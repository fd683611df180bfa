import PotluckCore
import PotluckKit
import PotluckScreen

/// Finds the command that repeats a recorded sweep. The history has the points, and not the command that was typed.
package struct SweepRepetition {
    private let sweep: RecordedSweep
    private let builtIn: AnySimulation?

    /// `builtIn` is the simulation, if this machine has it built in.
    package init(_ sweep: RecordedSweep, _ builtIn: AnySimulation?) {
        self.sweep = sweep
        self.builtIn = builtIn
    }

    /// The seed of the sweep is known only if its points share one. Otherwise the first point stands for it.
    package var command: SweepCommand? {
        if let words = whole { return .sweep(words) }
        let first = sweep.runs[0]
        return first.canBeRepeated ? first.command(isBuiltIn: builtIn != nil).map { .point($0) } : nil
    }

    private var whole: [String]? {
        let first = sweep.runs[0]
        guard sweep.runs.count > 1, builtIn != nil || first.file != nil, isComplete, let values, let goal else {
            return nil
        }
        let parameters = first.parameters.map { parameter in
            let value = sweep.varied.contains(parameter.name) ? values[parameter.name] ?? "" : parameter.text
            return "-p " + ShellWord.shown("\(parameter.name)=\(value)")
        }
        // The last parameter that is given changes fastest.
        let names = first.parameters.map(\.name)
        let order = names.indices.sorted { (rank(names[$0]), $0) < (rank(names[$1]), $1) }
        return ["potluck", "run", ShellWord.shown(first.file ?? first.simulation.name)] + order.map { parameters[$0] }
            + goal
    }

    private func rank(_ name: String) -> Int { sweep.varied.firstIndex(of: name) ?? -1 }

    /// Whether the history has all points: only all of them give the sweep's number. That number also covers files,
    /// which the history cannot supply, so a sweep with files counts as incomplete.
    private var isComplete: Bool {
        guard sweep.runs.allSatisfy({ $0.files == nil && $0.simulation == sweep.runs[0].simulation }) else {
            return false
        }
        let points = sweep.runs.map {
            SweepPoint(varied: [], given: [], parameters: $0.slots, seed: $0.seed, goal: $0.goal)
        }
        return SweepPoint.sweep(of: sweep.runs[0].simulation, points, []) == sweep.id
    }

    /// The values of each parameter that differs, with commas; nil if the points are not all combinations in order.
    private var values: [String: String]? {
        let rows = sweep.rows.map(\.varied)
        var lists: [[String]] = []
        for (place, name) in sweep.varied.enumerated() {
            var seen: Set<String> = []
            let list = rows.map { $0[place] }.filter { seen.insert($0).inserted }
            guard isSingle(name), !list.contains(where: { $0.contains(",") || $0.contains("..") }) else { return nil }
            lists.append(list)
        }
        // Count the combinations before making them: two parameters that differ at every point have as many as the
        // square of the points.
        let count = lists.reduce(1 as UInt64) { $0.multipliedClamped(UInt64($1.count)) }
        guard count == UInt64(rows.count) else { return nil }
        let combinations = lists.reduce([[]] as [[String]]) { sets, list in
            sets.flatMap { set in list.map { set + [$0] } }
        }
        guard combinations == rows else { return nil }
        return Dictionary(uniqueKeysWithValues: zip(sweep.varied, lists.map { $0.joined(separator: ",") }))
    }

    /// Whether commas separate values of the parameter. Those of a list of names belong to one value.
    private func isSingle(_ name: String) -> Bool {
        guard let builtIn else { return sweep.axes.contains(name) }
        guard let parameter = builtIn.parameters.first(where: { $0.label == name }) else { return false }
        if case .several = parameter.domain { return false }
        return true
    }

    /// The options for the goal and the seed; nil if they are not known.
    private var goal: [String]? {
        let (first, seed) = (sweep.runs[0], sweep.runs[0].seed)
        guard sweep.runs.allSatisfy({ $0.seed == seed && $0.goal.duration == nil }) else { return nil }
        if first.isSearch { return seed == 0 ? [] : nil }
        guard sweep.runs.allSatisfy({ $0.goal == first.goal }) else {
            // Each gathering has as many trials as its parameters say.
            return seed == 0 && sweep.runs.allSatisfy { $0.goal.precision == nil } ? [] : nil
        }
        let trials = first.goal.trials.map { ["--trials \(Figures.typed($0))"] } ?? []
        let sown = ["--seed \(seed)", "--common-seed"]
        switch first.goal.precision {
        case nil: return trials + sown
        case .every(.absolute(let width)): return trials + ["--until \(width)"] + sown
        // A percentage may not be the same number when it is typed again.
        case .every(.relative), .named: return nil
        }
    }
}
