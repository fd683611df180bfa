import PotluckKit
import Testing

@Suite struct ChoiceTests {
    private let limit = 4.5

    /// Counts how often each outcome occurs.
    private func tally(_ times: Int, seed: UInt64, _ outcome: (inout RandomStream) -> [Int]) -> [[Int]: Int] {
        var random = stream(seed, 50)
        var counts: [[Int]: Int] = [:]
        for _ in 0..<times { counts[outcome(&random), default: 0] += 1 }
        return counts
    }

    @Test func everyOrderIsEquallyLikely() {
        let orders = tally(4800, seed: 1) {
            var cards = [0, 1, 2, 3]
            $0.shuffle(&cards)
            return cards
        }
        #expect(orders.count == 24 && orders.keys.allSatisfy { $0.sorted() == [0, 1, 2, 3] })
        #expect(surprise(Array(orders.values)) < limit)
        // A slice of an array, whose indices do not start at 0.
        let parts = tally(1200, seed: 2) {
            var cards = [9, 0, 1, 2, 9]
            $0.shuffle(&cards[1...3])
            return cards
        }
        #expect(
            parts.count == 6
                && parts.keys.allSatisfy { $0.first == 9 && $0.last == 9 && $0[1...3].sorted() == [0, 1, 2] })
        #expect(surprise(Array(parts.values)) < limit)
    }

    @Test func everySelectionIsEquallyLikely() {
        let different = tally(4000, seed: 3) { $0.sample(2, of: 10...14) }
        #expect(different.count == 20 && different.keys.allSatisfy { $0[0] != $0[1] })
        #expect(surprise(Array(different.values)) < limit)
        let any = tally(5000, seed: 4) { $0.choices(2, of: 10...14) }
        #expect(any.count == 25)
        #expect(surprise(Array(any.values)) < limit)
        let one = tally(2000, seed: 5) { [$0.choice(of: [4, 5, 6, 7][1...]) ?? -1] }
        #expect(one.count == 3 && surprise(Array(one.values)) < limit)
    }

    @Test func theEmptyAndTheWhole() {
        var random = stream(6, 50)
        var nothing: [Int] = []
        random.shuffle(&nothing)
        #expect(random.choice(of: nothing) == nil)
        #expect(random.choices(0, of: nothing) == [] && random.sample(0, of: nothing) == [])
        #expect(random.sample(5, of: 0..<5).sorted() == [0, 1, 2, 3, 4])
        #expect(random.choices(3, of: [8]) == [8, 8, 8])
    }

    @Test(arguments: [
        [1], [1, 1], [1, 2, 3, 4], [0, 1], [5, 0, 0, 5], [1e-9, 1], [1e300, 1e300, 2e300], [0.1, 0.1, 0.1, 0.7],
        [1, 1000], [0x1p-1070, 0x1p-1069],
    ])
    func weightedChoicesFollowTheWeights(weights: [Double]) {
        let choice = WeightedChoice(weights)
        let counts = tally(6000, seed: UInt64(weights.count)) { [choice.draw(&$0)] }
        let top = weights.max() ?? 1
        let total = weights.reduce(0) { $0 + $1 / top }
        let likely = weights.indices.filter { weights[$0] / top / total > 1e-3 }
        for (index, weight) in weights.enumerated() where weight == 0 { #expect(counts[[index]] == nil) }
        let seen = likely.map { counts[[$0]] ?? 0 }
        if likely.count > 1 {
            #expect(surprise(seen, probabilities: likely.map { weights[$0] / top / total }) < limit)
        } else {
            #expect(seen[0] > 5900)
        }
    }

    @Test func aWeightedChoiceTakesTwoWords() {
        let choice = WeightedChoice([1, 2, 3, 4])
        var (random, other) = (stream(7, 50), stream(7, 50))
        for _ in 0..<100 {
            _ = choice.draw(&random)
            _ = other.next64()
        }
        #expect(random.state == other.state)
    }
}
