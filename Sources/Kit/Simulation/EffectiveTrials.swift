extension Work {
    /// A reading of how many trials with equal weights would say as much as these weights do: the square of their sum, divided
    /// by the sum of their squares. A small one says that a few weights rule. It has no interval.
    public static func effective(
        _ name: StaticString, _ weights: @escaping @Sendable (Tally) -> Moments,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> {
        ReadingRule(
            name: name, kind: .derived, estimate: { _, tally, _ in .effective(of: weights(tally)) }, exact: exact)
    }
}

extension Estimate {
    /// Returns the estimate of the effective number of weights; 0 if all are 0.
    static func effective(of weights: Moments) -> Estimate {
        guard let sum = weights.sum.value, let squares = weights.squares.value else { return Estimate(isSpoilt: true) }
        return Estimate(value: squares > 0 ? sum / squares * sum : 0)
    }
}
