import PotluckCore
import PotluckKit

/// A number that every run has, besides its parameters and readings, and that a chart can show.
public enum RunFigure: Sendable, Hashable {
    case trials, elapsed, rate, cores, nodes
    /// The part of the work that the node of this name did.
    case share(String)

    private static let plain: [String: RunFigure] = [
        "trials": .trials, "elapsed": .elapsed, "rate": .rate, "cores": .cores, "nodes": .nodes,
    ]
    private static let prefix = "share."

    /// The names as users type them.
    public static let names = plain.keys.sorted() + [prefix + "NODE"]

    /// Reads `elapsed` or `share.ana`. Returns nil for another name.
    public init?(_ name: String) {
        if let plain = Self.plain[name] {
            self = plain
        } else {
            guard name.hasPrefix(Self.prefix), name.count > Self.prefix.count else { return nil }
            self = .share(String(name.dropFirst(Self.prefix.count)))
        }
    }

    public var name: String {
        if case .share(let node) = self { return Self.prefix + node }
        return Self.plain.first { $0.value == self }?.key ?? ""
    }

    /// Nil if the run has none: a search has no trials, and a node took no part in every run.
    public func value(_ run: RunRecord) -> Double? {
        switch self {
        case .trials: run.isSearch ? nil : Double(run.trials)
        case .elapsed: run.elapsed.seconds
        case .rate: run.rate
        case .cores: Double(run.cores)
        case .nodes: Double(run.nodeCount)
        case .share(let node): run.share(of: node)
        }
    }

    func reading(_ run: RunRecord) -> Reading {
        let isShare = if case .share = self { true } else { false }
        return Reading(name: name, kind: isShare ? .proportion : .derived, value: value(run))
    }

    /// The figure as the place of a run on the horizontal axis.
    func parameter(_ run: RunRecord) -> RecordedParameter? {
        value(run).map { RecordedParameter(name: name, slot: 0, text: Figures.short($0), number: $0) }
    }
}
