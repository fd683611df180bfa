/// Reports the figures of a comparison.
struct Table {
    /// Reports how fast the first of `times`, which is ours, is beside the fastest of the others.
    func add(_ what: String, _ times: [Times], trials: Double, wanted: Double? = nil) {
        guard let ours = times.first, let best = times.dropFirst().min(by: { $0.rounds.median < $1.rounds.median })
        else {
            return add(what, missing: "no compiler for C")
        }
        let ratios = zip(best.rounds, ours.rounds).map { $0 / $1 }
        let speeds = "\(rate(trials / ours.rounds.median)) and \(rate(trials / best.rounds.median))"
        let range = "\(hundredths(ratios.min() ?? 0)) to \(hundredths(ratios.max() ?? 0))"
        Figure(
            what: what, value: ratios.median, unit: "times \(best.name)", bound: wanted.map { .atLeast($0) },
            remark: "\(speeds), \(range)"
        ).report()
    }

    func add(_ what: String, cores: (one: Double, two: Double), trials: Double, wanted: Double) {
        Figure(
            what: what, value: cores.one / cores.two, unit: "times one core", bound: .atLeast(wanted),
            remark: "\(rate(trials / cores.two)) and \(rate(trials / cores.one))"
        ).report()
    }

    /// Reports what something costs in addition to a draw, in nanoseconds.
    func add(_ what: String, cost: Double, beside draw: Double, wanted: Double) {
        Figure(
            what: what, value: max(0, cost), unit: "ns", bound: .atMost(wanted),
            remark: "more than a draw of \(tenths(draw)) ns"
        ).report()
    }

    func add(_ what: String, missing why: String) { Figure.report(what, missing: why) }

    private func rate(_ perSecond: Double) -> String { "\(Int((perSecond / 1e6).rounded())) M/s" }
}
