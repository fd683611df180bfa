import PotluckKit

/// A search whose bound leaves out solutions that are better than the best known.
struct Strict: Search {
    static let name: StaticString = "strict"
    static let summary: StaticString = "A search with a wrong bound"
    @Parameter("depth", "of the tree", in: 1...20) var depth = 8

    struct Partial: BitwiseCopyable {
        var depth = 0
        var cost: Int64 = 0
        var hash: UInt64 = 1
    }

    func root(_ memory: SearchMemory) -> Partial { Partial() }
    func cost(_ partial: Partial) -> Int64? { partial.depth == depth ? partial.cost : nil }
    func branches(_ partial: Partial) -> Int { 3 }

    func take(_ branch: Int, _ partial: Partial) -> Partial {
        var next = partial
        next.depth += 1
        next.hash = (partial.hash ^ UInt64(branch + 1)) &* 0xD6E8_FEB8_6659_FD93
        next.hash ^= next.hash >> 32
        next.cost += Int64(next.hash % 50)
        return next
    }

    /// Expects more of the rest than it must cost.
    func bound(_ partial: Partial) -> Int64 { partial.cost + Int64(10 * (depth - partial.depth)) }

    func show(_ partial: Partial, _ output: inout Output) { output.write(partial.cost) }

    static var readings: [ReadingRule<Strict>] {
        derived("cost", { _, tally, _ in Int64.number(tally.best.key, .smaller) })
    }
}
