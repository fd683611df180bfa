import PotluckCore

/// The cost of the messages that a link's queue holds for others, by the link over which each came.
struct Passed {
    private var costs: [LinkID: Int] = [:]
    private(set) var sum = 0

    /// The link whose messages cost most.
    var greediest: LinkID? { costs.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key }

    mutating func add(_ cost: Int, from origin: LinkID) {
        costs[origin, default: 0] += cost
        sum += cost
    }

    mutating func remove(_ cost: Int, from origin: LinkID) {
        let rest = costs[origin, default: 0] - cost
        costs[origin] = rest > 0 ? rest : nil
        sum -= cost
    }
}
