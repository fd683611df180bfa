import PotluckCore

extension SearchEffort {
    /// How much of it was in vain, as `0.4 %`; nil if nothing is known.
    var percentInVain: String? {
        guard expanded > 0 else { return nil }
        return Figures.percent(inVain, of: Double(expanded))
    }

    /// `1 234 567 nodes expanded, 0.4 % of them in vain`; nil if nothing is known.
    var words: String? {
        guard let percentInVain else { return nil }
        let lost = inVain > 0 ? ", \(percentInVain) of them in vain" : ""
        return "\(Figures.grouped(expanded)) \(expanded == 1 ? "node" : "nodes") expanded\(lost)"
    }
}
