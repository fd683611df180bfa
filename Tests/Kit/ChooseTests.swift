import PotluckKit
import Testing

/// `choose` of a single condition is `?:`.
@Suite struct ChooseTests {
    @Test func itIsTheTernaryOperator() {
        for condition in [true, false] {
            for (a, b) in [(1.5, -0.0), (.infinity, .nan), (-0.0, .leastNonzeroMagnitude)] {
                let wanted = condition ? a : b
                #expect(choose(condition, a, b).bitPattern == wanted.bitPattern)
            }
            for (a, b) in [(1, -1), (Int.min, Int.max), (0, 7)] {
                #expect(choose(condition, a, b) == (condition ? a : b))
            }
        }
    }

    /// A condition that was just drawn.
    @Test func itTakesRandomConditions() {
        var (random, same) = (RandomStream(seed: 1, block: 2, lane: 3), RandomStream(seed: 1, block: 2, lane: 3))
        var (money, expected) = (1.0, 1.0)
        for _ in 0..<1000 {
            money *= choose(random.chance(0.6), 1.2, 0.8)
            expected *= same.chance(0.6) ? 1.2 : 0.8
        }
        #expect(money.bitPattern == expected.bitPattern)
    }
}
