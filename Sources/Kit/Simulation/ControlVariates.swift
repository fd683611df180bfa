/// A mean that is corrected by controls: numbers of the same trials whose true means are known.
///
/// Where the controls came out above their means, number 0 did, too, by as much as the line through the numbers says. So
/// that much is taken off. This is a regression of number 0 on the controls, read at their true means.
struct ControlledMean {
    /// The corrected mean.
    private(set) var value: Double
    /// The variance of number 0 that the controls do not explain, with divisor n − 1.
    private(set) var residual: Double
    /// How far the controls' means are off, in units of their own covariance.
    private(set) var distance = 0.0
    /// The controls that count: those that vary, and that others do not determine.
    private(set) var controls: UInt64 = 0

    /// A control of which less than this part varies on its own has no slope of its own: what is left is rounding.
    private static let independent = 1e-12

    /// Nil where there is no covariance. Symmetric elimination, a control after the other, with number 0 as the last row.
    init?(_ sums: ComomentSums, _ count: UInt64, trueMean: (Int) -> Double) {
        let size = sums.size
        // The covariances of the controls and of number 0, which comes last, with those below the diagonal.
        var rows = [[Double]](repeating: [Double](repeating: 0, count: size), count: size)
        // How far the means of the controls are off.
        var off = [Double](repeating: 0, count: size)
        for i in 0..<size {
            guard let mean = sums.mean((i + 1) % size, of: count) else { return nil }
            off[i] = i == size - 1 ? mean : mean - trueMean(i + 1)
            for j in 0...i {
                guard let both = sums.covariance((i + 1) % size, (j + 1) % size, of: count) else { return nil }
                rows[i][j] = both
            }
        }
        let own = (0..<size).map { rows[$0][$0] }
        for i in 0..<size - 1 where rows[i][i] > own[i] * Self.independent {
            let pivot = rows[i][i]
            for j in i + 1..<size {
                let slope = rows[j][i] / pivot
                off[j] -= slope * off[i]
                for k in i + 1...j { rows[j][k] -= slope * rows[k][i] }
            }
            distance += off[i] * off[i] / pivot
            controls += 1
        }
        value = off[size - 1]
        residual = max(0, rows[size - 1][size - 1])
    }
}

extension Estimate {
    /// Returns the estimate of the mean of number 0, corrected by the others, whose true means are known. The interval is that
    /// of a regression: it pays for the slopes, which are estimated, too.
    static func controlled(_ sums: ComomentSums, _ count: UInt64, trueMean: (Int) -> Double) -> Estimate {
        guard !sums.isSpoilt else { return Estimate(isSpoilt: true) }
        for i in 1..<sums.size where !trueMean(i).isFinite { return Estimate() }
        guard let mean = ControlledMean(sums, count, trueMean: trueMean) else {
            // A single trial has no slopes.
            return Estimate(value: sums.mean(0, of: count))
        }
        guard let value = finite(mean.value) else { return Estimate() }
        guard count > mean.controls + 1 else { return Estimate(value: value) }
        let n = Double(count)
        let freedom = count - 1 - mean.controls
        let variance = mean.residual * ((n - 1) / Double(freedom)) * (1 / n + mean.distance / (n - 1))
        let factor = count < Reading.fewTrials ? StudentT.quantile(freedom: freedom) : Reading.standardErrors
        guard let half = finite(factor * variance.squareRoot()) else { return Estimate(value: value) }
        return Estimate(value: value, interval: (value - half)...(value + half), varies: half > 0)
    }
}

extension Work {
    /// A reading of the mean of number 0, corrected by a control: number 1 of the same trials, whose true mean is known. The
    /// more the two depend on each other, the narrower is the interval.
    public static func controlled(
        _ name: StaticString, _ numbers: @escaping @Sendable (Tally) -> Comoments<2>,
        mean: @escaping @Sendable (Self) -> Double, exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> { controlled(name, numbers, means: { [mean($0)] }, exact: exact) }

    /// A reading of the mean of number 0, corrected by all other numbers, whose true means are known: as many means as
    /// there are controls, in their order.
    public static func controlled<let size: Int>(
        _ name: StaticString, _ numbers: @escaping @Sendable (Tally) -> Comoments<size>,
        means: @escaping @Sendable (Self) -> [Double], exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> {
        ReadingRule(
            name: name, kind: .derived,
            estimate: { simulation, tally, _ in
                let (all, means) = (numbers(tally), means(simulation))
                Misuse.stop(unless: means.count == size - 1, "a controlled reading needs a true mean for each control")
                return all.read { .controlled($0, all.count, trueMean: { means[$0 - 1] }) }
            }, exact: exact)
    }
}
