import PotluckKit

/// What is the most valuable load of a knapsack? Replace this with your own question.
struct ExampleName: Search {
    // The name for `potluck run`, and a line that says what the search finds.
    static let name: StaticString = "example-name"
    static let summary: StaticString = "The most valuable load of a knapsack"
    static var better: SearchOrder { .larger }

    // Parameters, set with: `potluck run example-name.swift -p limit=20`.
    @Parameter("things", "how many things there are to choose from", in: 1...60) var things = 24
    @Parameter("limit", "the weight that the knapsack holds", in: 1...1000) var limit = 150

    // What the whole tree needs. `prepare` computes it once; it could also read tables from files.
    private var weights: [Int] = []
    private var values: [Int] = []

    mutating func prepare(_ tables: [Table]) -> StaticString? {
        for thing in 1...things {
            weights.append(5 + thing * 7 % 23)
            values.append(3 + thing * 11 % 31)
        }
        return nil
    }

    // A partial solution: the first things are packed or left. It is a value of numbers; longer parts are
    // rows from `memory`, which `take` changes and `undo` changes back.
    struct Partial: BitwiseCopyable {
        var next = 0
        var weight = 0
        var value = 0
        var packed: UInt64 = 0
    }

    func root(_ memory: SearchMemory) -> Partial { Partial() }

    // The cost of a complete solution; nil for a partial one.
    func cost(_ partial: Partial) -> Int? { partial.next == things ? partial.value : nil }

    // Branch 0 packs the next thing if it fits; the last branch leaves it.
    func branches(_ partial: Partial) -> Int { partial.weight + weights[partial.next] <= limit ? 2 : 1 }

    func take(_ branch: Int, _ partial: Partial) -> Partial {
        var next = partial
        next.next += 1
        if branch + 1 < branches(partial) {
            next.weight += weights[partial.next]
            next.value += values[partial.next]
            next.packed |= 1 << UInt64(partial.next)
        }
        return next
    }

    // No solution below has a better value: all that is left, whether it fits or not.
    func bound(_ partial: Partial) -> Int {
        var most = partial.value
        for thing in partial.next..<things { most += values[thing] }
        return most
    }

    // Writes a solution for people.
    func show(_ partial: Partial, _ output: inout Output) {
        output.write("pack")
        for thing in 0..<things where partial.packed >> UInt64(thing) & 1 == 1 {
            output.write(" ")
            output.write(thing + 1)
        }
    }

    // The numbers to show.
    static var readings: [ReadingRule<ExampleName>] {
        derived("value", { _, tally, _ in Int.number(tally.best.key, better) })
    }
}
