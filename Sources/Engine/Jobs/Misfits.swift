import PotluckKit

/// Finds tallies that no blocks can have.
extension TallyLayout {
    /// Returns why a tally cannot be one of this layout, or nil if it can.
    public func misfit(_ tally: [UInt64]) -> String? {
        if tally.count != slots { return "its tally has \(tally.count) slots instead of \(slots)" }
        if let best = best(in: tally), !best.isEmpty, best.point >= SearchSpace.points {
            return "its solution is at no point"
        }
        return nil
    }
}
