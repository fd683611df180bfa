import PotluckCore

/// Whose turn it is, where jobs of several priorities want chunks. Each priority gets chunks for as many turns as it has
/// beside the least urgent one, and then the next one does.
struct PriorityTurns: Sendable {
    private var current = Priority.interactive
    /// How many more chunks the current one gets.
    private var left = 0

    /// The priority that has the turn, of those that there are, the most urgent first.
    mutating func holder(among present: [Priority]) -> Priority {
        if left > 0, present.contains(current) { return current }
        let next = present.first { $0 < current } ?? present[0]
        (current, left) = (next, next.turns / (present.last ?? next).turns)
        return next
    }

    /// A chunk was handed out.
    mutating func use() { left -= 1 }

    /// The holder has nothing to hand out.
    mutating func pass() { left = 0 }
}
