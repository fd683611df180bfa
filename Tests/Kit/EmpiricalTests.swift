import PotluckKit
import Testing

/// Draws from numbers that were measured.
@Suite struct EmpiricalTests {
    @Test func picksAreTheNumbersAndInterpolationsLieBetweenThem() {
        let numbers = [2.5, -1, 7, 2.5]
        let measured = Empirical(numbers)
        var random = RandomStream(seed: 1, block: 0, lane: 0)
        var (picked, sum) = ([Double: Int](), 0.0)
        for _ in 0..<40_000 {
            picked[measured.pick(&random), default: 0] += 1
            let between = measured.interpolate(&random)
            #expect((-1...7).contains(between))
            sum += between
        }
        // Four standard errors around 10 000, and around the mean of the quantile function.
        #expect(picked.keys.sorted() == [-1, 2.5, 7])
        #expect(abs(picked[7]! - 10_000) < 350 && abs(picked[-1]! - 10_000) < 350)
        #expect(abs(sum / 40_000 - (0.75 + 2.5 + 4.75) / 3) < 0.05)
    }

    @Test func theOrderOfTheNumbersDoesNotMatter() {
        let numbers = (0..<50).map { Double($0 * 7919 % 50) - 25 }
        let (one, other) = (Empirical(numbers), Empirical(numbers.reversed()))
        for seed in 0..<100 as Range<UInt64> {
            var first = RandomStream(seed: seed, block: 0, lane: 0)
            var second = RandomStream(seed: seed, block: 0, lane: 0)
            #expect(one.pick(&first) == other.pick(&second) && one.interpolate(&first) == other.interpolate(&second))
            #expect(first.next() == second.next())
        }
    }

    @Test func aSingleNumberIsAlwaysDrawn() {
        var random = RandomStream(seed: 3, block: 0, lane: 0)
        let single = Empirical([-0.5])
        for _ in 0..<100 { #expect(single.pick(&random) == -0.5 && single.interpolate(&random) == -0.5) }
    }
}
