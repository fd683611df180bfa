import PotluckKit
import Testing

@Suite struct MomentsTests {
    /// Compares with integer arithmetic, for means up to 10¹⁵ times the deviation,
    /// where doubles would cancel completely.
    @Test func meanAndVarianceAreThoseOfTheExactSums() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = stream(seed, 20)
            let count = 2 + random.below(300)
            let far = random.integer(in: -(1 << 50)...1 << 50)
            let wide = 1 << random.below(20)
            var moments = Moments()
            var sum: Int128 = 0
            var squares: Int128 = 0
            for _ in 0..<count {
                let k = far + random.integer(in: -wide...wide)
                moments.add(Double(k) * 0x1p-20)
                sum += Int128(k)
                squares += Int128(k) * Int128(k)
            }
            let mean = try #require(moments.mean)
            #expect(isClose(mean, Double(sum) * 0x1p-20 / Double(count)))
            let variance = try #require(moments.variance)
            let spread = Int128(count) * squares - sum * sum
            #expect(isClose(variance, Double(spread) * 0x1p-40 / Double(count) / Double(count - 1)), "seed \(seed)")
        }
    }

    private func isClose(_ a: Double, _ b: Double) -> Bool { (a - b).magnitude <= 4 * b.ulp }

    @Test func wholeNumbersCountLikeReals() {
        var random = stream(1, 21)
        var (whole, real) = (Moments(), Moments())
        for _ in 0..<500 {
            let n = random.integer(in: -3_000_000_000...3_000_000_000)
            whole.add(n)
            real.add(Double(n))
        }
        #expect(whole == real)
    }

    @Test func fewNumbers() {
        var moments = Moments()
        #expect(moments.mean == nil && moments.variance == nil && !moments.isSpoilt)
        moments.add(0.1)
        #expect(moments.mean == 0.1 && moments.variance == nil)
        moments.add(0.1)
        #expect(moments.mean == 0.1 && moments.variance == 0)
        moments.add(0.4)
        #expect(moments.count == 3 && isClose(moments.variance ?? 0, 0.03))
    }

    @Test func equalNumbersNeverVary() {
        // Squares below 2⁻¹²⁸ are truncated, which must not result in a negative variance.
        for x in [0x1p-65, 0x1.8p-63, 0x1.fffffp-64, 3e-39, .leastNonzeroMagnitude, 1 / 3.0] {
            var moments = Moments()
            for _ in 0..<7 { moments.add(x) }
            #expect((moments.variance ?? -1) >= 0 && (moments.variance ?? 1) < 0x1p-125)
        }
    }

    @Test func aSquareTooLargeSpoilsTheMeanToo() {
        var moments = Moments()
        moments.add(1)
        moments.add(4e9)
        #expect(moments.isSpoilt && moments.mean == nil && moments.variance == nil)
    }
}
