import PotluckKit

/// What the work of a job is counted in.
public enum WorkUnit: Hashable, Sendable {
    /// A trial with random numbers of its own.
    case trial
    /// A unit of a gathering, such as a number or a row of a matrix.
    case unit
    /// A point of a search, whose work is shown as a part of its tree.
    case point

    /// Its word in a sentence about many.
    public var plural: String { "\(self)s" }

    /// The word for this many: `trial` for 1, else `trials`.
    public func word(_ count: UInt64) -> String { count == 1 ? "\(self)" : plural }
}

extension AnySimulation {
    /// What its work is counted in.
    public var unit: WorkUnit {
        switch shape {
        case .collect: .unit
        case .space, .search: .point
        case .tally, .ranks: .trial
        }
    }
}

extension JobSpec {
    /// What its work is counted in.
    public var unit: WorkUnit { isSearch ? .point : title.hasUnits ? .unit : .trial }
}

extension RunRecord {
    /// What its work is counted in.
    public var unit: WorkUnit { isSearch ? .point : hasUnits ? .unit : .trial }
}
