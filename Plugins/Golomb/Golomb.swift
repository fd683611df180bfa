import PotluckKit

/// The shortest Golomb ruler: marks of which no two pairs have the same distance.
struct Golomb: Search {
    static let name: StaticString = "golomb"
    static let summary: StaticString = "The shortest ruler on which all distances between marks differ"
    @Parameter("marks", "number of marks", in: 2...16) var marks = 9

    /// The length of a ruler that is easily found. The shortest one is no longer.
    private var longest = 0

    struct Partial: BitwiseCopyable {
        /// The positions of the marks; -1 at a position that is not possible.
        let positions: Row<Int32>
        /// Whether two marks have this distance.
        let isUsed: Row<Bool>
        var count = 1
        var length = 0
        var isPossible = true
    }

    mutating func prepare(_ tables: [Table]) -> StaticString? {
        // Each mark at the first position that fits.
        var used = [Bool](repeating: false, count: 1024)
        var positions = [0]
        while positions.count < marks {
            var next = (positions.last ?? 0) + 1
            while positions.contains(where: { used[next - $0] }) { next += 1 }
            for position in positions { used[next - position] = true }
            positions.append(next)
        }
        longest = positions.last ?? 0
        return nil
    }

    func root(_ memory: SearchMemory) -> Partial {
        Partial(positions: memory.row(0, count: marks), isUsed: memory.row(false, count: longest + 1))
    }

    var start: Int? { longest }

    /// The lengths of the shortest rulers with one to thirteen marks. The last marks of a ruler are such a ruler, too.
    private static var shortest: [Int] { [0, 1, 3, 6, 11, 17, 25, 34, 44, 55, 72, 85, 106] }

    /// The least length that this many more marks add.
    private func least(_ more: Int) -> Int {
        // A ruler with as many marks as this search has is what it looks for.
        more + 1 < marks && more < 8 ? Self.shortest[more] : more * (more + 1) / 2
    }

    func cost(_ partial: Partial) -> Int? { partial.count == marks ? partial.length : nil }

    /// The next mark lies at most where the others still fit.
    func branches(_ partial: Partial) -> Int { max(0, longest - least(marks - partial.count - 1) - partial.length) }

    func take(_ branch: Int, _ partial: Partial) -> Partial {
        var next = partial
        next.length = partial.length + 1 + branch
        next.count = partial.count + 1
        for index in 0..<partial.count where partial.isUsed[next.length - Int(partial.positions[index])] {
            next.isPossible = false
        }
        // A ruler and its mirror image are the same: the first distance is the shorter one.
        if next.count == marks, marks > 2, branch + 1 <= Int(partial.positions[1]) { next.isPossible = false }
        partial.positions[partial.count] = next.isPossible ? Int32(next.length) : -1
        if next.isPossible { mark(partial, true) }
        return next
    }

    func undo(_ branch: Int, _ partial: Partial) {
        if partial.positions[partial.count] >= 0 { mark(partial, false) }
    }

    /// Notes the distances between the mark after a partial ruler and those before.
    private func mark(_ partial: Partial, _ isUsed: Bool) {
        let last = Int(partial.positions[partial.count])
        for index in 0..<partial.count { partial.isUsed[last - Int(partial.positions[index])] = isUsed }
    }

    func bound(_ partial: Partial) -> Int {
        partial.isPossible ? partial.length + least(marks - partial.count) : .max
    }

    func show(_ partial: Partial, _ output: inout Output) {
        for index in 0..<marks {
            if index > 0 { output.write(" ") }
            output.write(partial.positions[index])
        }
    }

    static var readings: [ReadingRule<Golomb>] {
        derived("length", { _, tally, _ in Int.number(tally.best.key, .smaller) }, exact: { $0.exact })
    }

    private var exact: Double? { marks <= 13 ? Double(Self.shortest[marks - 1]) : nil }
}
