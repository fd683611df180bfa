import PotluckCore

/// The points of a sweep go round by round: the one that has got least is next, and gets a chunk. So their trials differ
/// by at most a chunk whenever the sweep is stopped. With a precision as the goal, the one that has got the least part of
/// what it is going to need is next, so the intervals narrow together.
extension Coordinator {
    /// The jobs that share a turn, in the order in which they are asked for a chunk. Points of a sweep share one, so that
    /// other jobs have no fewer turns than beside a single job. Empty if an earlier point of the sweep has the turn.
    func round(of index: Int) -> [Int] {
        guard let sweep = runs[index].taken.order.sweep else { return [index] }
        let priority = runs[index].taken.order.priority
        let points = runs.indices.filter {
            runs[$0].taken.order.sweep == sweep && runs[$0].taken.order.priority == priority
        }
        guard points.first == index else { return [] }
        // A point whose readings say nothing yet may need as many trials as any other.
        let most = points.compactMap { runs[$0].evaluation.precisionTrials }.max() ?? 1
        let parts = points.map { runs[$0].handedOut / Double(runs[$0].evaluation.precisionTrials ?? most) }
        return zip(parts, points).sorted { $0 < $1 }.map(\.1)
    }

    /// Whether two jobs are points of one sweep, of which none waits for another.
    func arePoints(_ one: Int, _ other: Int) -> Bool {
        runs[one].taken.order.sweep != nil && runs[one].taken.order.sweep == runs[other].taken.order.sweep
    }
}

extension JobRun {
    /// The trials that were handed out, whether they are done or not.
    fileprivate var handedOut: Double {
        Double(ledger.end - ledger.first - ledger.left) * Double(spec.experiment.blockSize)
    }
}
