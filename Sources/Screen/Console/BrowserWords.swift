import PotluckCore

extension BrowserShare {
    /// `12.0 % of the trials`, `10.1 % of that recomputed`.
    public var words: [String] {
        [
            "\(Self.percent(trials, of: all)) of the trials",
            "\(Self.percent(recomputed, of: trials)) of that recomputed",
        ]
    }

    /// `12.0 % of the trials by browsers, 10.1 % of that recomputed`.
    public var sentence: String {
        "\(Self.percent(trials, of: all)) of the trials by browsers, "
            + "\(Self.percent(recomputed, of: trials)) of that recomputed"
    }

    /// `12.0 %`; nothing if there is nothing to compare with.
    static func percent(_ part: UInt64, of whole: UInt64) -> String {
        whole == 0 ? "" : Figures.percent(part, of: Double(whole))
    }
}
