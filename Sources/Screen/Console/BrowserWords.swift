import PotluckCore

extension BrowserShare {
    /// `12.0 % of the trials`, `10.1 % of that recomputed`.
    public func words(_ unit: WorkUnit) -> [String] {
        [
            "\(Self.percent(trials, of: all)) of the \(unit.plural)",
            "\(Self.percent(recomputed, of: trials)) of that recomputed",
        ]
    }

    /// `12.0 % of the trials by browsers, 10.1 % of that recomputed`.
    public func sentence(_ unit: WorkUnit) -> String {
        "\(Self.percent(trials, of: all)) of the \(unit.plural) by browsers, "
            + "\(Self.percent(recomputed, of: trials)) of that recomputed"
    }

    /// `12.0 %`; nothing if there is nothing to compare with.
    static func percent(_ part: UInt64, of whole: UInt64) -> String {
        whole == 0 ? "" : Figures.percent(part, of: Double(whole))
    }
}
