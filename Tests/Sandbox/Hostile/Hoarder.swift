import PotluckKit

/// A search that counts its calls, and says so in the cost: each call finds a better solution than the one before.
struct Hoarder: Search {
    static let name: StaticString = "hoarder"
    static let summary: StaticString = "A search that keeps something from call to call"
    nonisolated(unsafe) private static var calls = 0

    struct Partial: BitwiseCopyable { var depth = 0 }

    func root(_ memory: SearchMemory) -> Partial {
        Self.calls += 1
        return Partial()
    }
    func cost(_ partial: Partial) -> Int? { partial.depth == 1 ? 100 - Self.calls : nil }
    func branches(_ partial: Partial) -> Int { 1 }
    func take(_ branch: Int, _ partial: Partial) -> Partial { Partial(depth: partial.depth + 1) }
    func bound(_ partial: Partial) -> Int { 0 }
    func show(_ partial: Partial, _ output: inout Output) { output.write(1) }

    static var readings: [ReadingRule<Hoarder>] {
        derived("cost", { _, tally, _ in Int.number(tally.best.key, .smaller) })
    }
}
