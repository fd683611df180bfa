import PotluckKit

/// Sorts numbers by odd-even transposition: each rank sorts its own, and then pairs of neighbours swap theirs. The left one
/// keeps the smaller half and the right one the larger half. After as many rounds as there are ranks all are in order.
struct OddEven: RankProgram {
    static let name: StaticString = "oddeven"
    static let summary: StaticString = "Sorts numbers by swaps between neighbours"
    @Parameter("count", "how many numbers", in: 1...1_000_000) var count = 1000

    func run(_ world: Communicator, _ output: inout Output) {
        // All ranks need as many numbers. The largest number fills the last ones up, and ends up at the end.
        let each = (count + world.size - 1) / world.size
        var all: [Int] = []
        if world.rank == 0 {
            var random = world.random()
            all = (0..<each * world.size).map { $0 < count ? random.below(1_000_000) : Int.max }
        }
        var numbers = world.scatter(all)
        numbers.sort()

        for round in 0..<world.size {
            let isLeft = (world.rank + round) % 2 == 0
            let partner = isLeft ? world.rank + 1 : world.rank - 1
            guard partner >= 0 && partner < world.size else { continue }
            let others = world.sendReceive(numbers, to: partner, from: partner)
            let both = merged(numbers, others)
            numbers = Array(isLeft ? both.prefix(each) : both.suffix(each))
        }

        if let sorted = world.gather(numbers) {
            for number in sorted.prefix(count) { output.line(number) }
        }
    }

    /// Joins two sorted arrays to one.
    func merged(_ one: [Int], _ other: [Int]) -> [Int] {
        var result: [Int] = []
        result.reserveCapacity(one.count + other.count)
        var (i, k) = (0, 0)
        while i < one.count || k < other.count {
            if k == other.count || i < one.count && one[i] <= other[k] {
                result.append(one[i])
                i += 1
            } else {
                result.append(other[k])
                k += 1
            }
        }
        return result
    }
}
