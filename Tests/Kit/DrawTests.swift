import Foundation
import PotluckKit
import Testing

@Suite struct DrawTests {
    /// A result beyond this comes by chance about once in 300 000 times. The seeds
    /// are fixed, so it comes always or never.
    private let limit = 4.5

    @Test(arguments: [1, 2, 3, 7, 64, 100, 1000]) func allNumbersBelowNAreEquallyLikely(n: Int) {
        var random = stream(UInt64(n), 40)
        var (narrow, wide, ranged) = (
            [Int](repeating: 0, count: n), [Int](repeating: 0, count: n), [Int](repeating: 0, count: n)
        )
        for _ in 0..<(20 * n + 2000) {
            narrow[random.below(n)] += 1
            wide[Int(random.below(UInt64(n)))] += 1
            ranged[random.integer(in: -n...(-1)) + n] += 1
        }
        if n > 1 { for counts in [narrow, wide, ranged] { #expect(surprise(counts) < limit) } }
    }

    /// If n is a large part of the range, a draw without rejection would favour some numbers by a third.
    @Test func largeNumbersAreEquallyLikely() {
        var random = stream(1, 41)
        for part in [3, 5] as [UInt64] {
            let n = UInt32(UInt64(1 << 32) / part * (part - 1))
            let wide = UInt64.max / part * (part - 1)
            var counts = [[Int]](repeating: [Int](repeating: 0, count: 12), count: 3)
            for _ in 0..<6000 {
                counts[0][Int(UInt64(random.below(n)) * 12 / UInt64(n))] += 1
                counts[1][Int(random.below(wide) / (wide / 12 + 1))] += 1
                counts[2][Int(UInt64(random.below(n)) % 12)] += 1
            }
            for counts in counts { #expect(surprise(counts) < limit) }
        }
    }

    @Test func numbersStayWithinTheirBounds() {
        var random = stream(2, 41)
        for _ in 0..<300 {
            let n = 1 + random.next() >> random.below(32)
            #expect(random.below(n) < n)
            let wide = 1 + random.next64() >> UInt64(random.below(64))
            #expect(random.below(wide) < wide)
            #expect(random.below(Int.max) >= 0)
            let (a, b) = (Int(truncatingIfNeeded: random.next64()), Int(truncatingIfNeeded: random.next64()))
            let range = min(a, b)...max(a, b)
            #expect(range.contains(random.integer(in: range)))
            #expect(random.integer(in: a...a) == a)
            let x = random.unit()
            #expect(x >= 0 && x < 1 && (x * 0x1p53).rounded() == x * 0x1p53)
            #expect(random.exponential() >= 0 && random.normal().magnitude < 12.1)
        }
    }

    @Test func theWidestRanges() {
        var random = stream(3, 41)
        var (low, high, odd) = (0, 0, 0)
        for _ in 0..<2000 {
            let all = random.integer(in: .min ... .max)
            low += all < 0 ? 1 : 0
            odd += all & 1
            high += random.integer(in: .min ... .max - 1) < 0 ? 1 : 0
            let edge = random.integer(in: 0...0xffff_ffff)
            #expect(edge >= 0 && edge <= 0xffff_ffff)
        }
        for count in [low, high, odd] { #expect(surprise([count, 2000 - count]) < limit) }
        #expect((0..<50).map { _ in random.integer(in: Int.max - 1...Int.max) }.contains(.max))
        #expect((0..<50).map { _ in random.integer(in: Int.min...Int.min + 1) }.contains(.min))
    }

    @Test(arguments: [(1, 1), (6, 6), (3, 100), (65536, 2), (40000, 7)]) func pairsOfDiceAreFairAndFree(m: Int, n: Int)
    {
        var random = stream(UInt64(m), 42)
        let (width, height) = (min(m, 8), min(n, 8))
        var cells = [Int](repeating: 0, count: width * height)
        var expected = [Double](repeating: 0, count: width * height)
        // Groups the sides of a die into at most eight groups.
        func group(_ side: Int, _ sides: Int, _ groups: Int) -> Int { side * groups / sides }
        let across = (0..<width).map { g in (0..<m).count { group($0, m, width) == g } }
        let down = (0..<height).map { g in (0..<n).count { group($0, n, height) == g } }
        for _ in 0..<8000 {
            let (a, b) = random.pair(below: m, n)
            #expect((0..<m).contains(a) && (0..<n).contains(b))
            cells[group(a, m, width) * height + group(b, n, height)] += 1
        }
        for x in 0..<width {
            for y in 0..<height { expected[x * height + y] = 8000 * Double(across[x] * down[y]) / Double(m * n) }
        }
        if cells.count > 1 { #expect(surprise(cells, expected: expected) < limit) }
    }

    @Test func chancesAndCoins() {
        var random = stream(4, 41)
        for p in [0.001, 0.25, 0.5, 0.9] {
            let hits = (0..<20_000).count { _ in random.chance(p) }
            #expect(surprise([hits, 20_000 - hits], probabilities: [p, 1 - p]) < limit)
        }
        let heads = (0..<20_000).count { _ in random.coin() }
        #expect(surprise([heads, 20_000 - heads]) < limit)
        for _ in 0..<200 {
            #expect(random.chance(1) && random.chance(1 + 0x1p-52) && !random.chance(0) && !random.chance(-0x1p-60))
        }
    }

    /// In percent, or of a formula that gives nonsense.
    @Test func aChanceThatIsNoProbabilityEndsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = RandomStream(seed: 1, block: 0, lane: 0).hit(1.5) }
        await #expect(processExitsWith: .failure) { _ = RandomStream(seed: 1, block: 0, lane: 0).hit(-0.25) }
        await #expect(processExitsWith: .failure) { _ = RandomStream(seed: 1, block: 0, lane: 0).hit(.nan) }
    }

    /// The distribution function of each distribution, applied to its draws, must give a uniform distribution.
    @Test func realNumbersHaveTheirDistributions() {
        var random = stream(5, 41)
        let draws: [(inout RandomStream) -> Double] = [
            { $0.unit() },
            { ($0.real(in: -3..<5) + 3) / 8 },
            { 1 - Foundation.exp(-$0.exponential()) },
            { 1 - Foundation.exp(-$0.exponential(mean: 40) / 40) },
            { Foundation.erfc(-$0.normal() / 2.0.squareRoot()) / 2 },
            { Foundation.erfc(-($0.normal(mean: 7, deviation: 0.1) - 7) / 0.1 / 2.0.squareRoot()) / 2 },
        ]
        for (index, draw) in draws.enumerated() {
            var cells = [Int](repeating: 0, count: 64)
            for _ in 0..<16_000 { cells[Int(draw(&random) * 64)] += 1 }
            #expect(surprise(cells) < limit, "distribution \(index)")
        }
    }

    @Test func realNumbersAreOfTheGridTheySay() {
        // All 53 bits are used, the last as often as the first.
        var random = stream(6, 41)
        for bit in [0, 1, 25, 26, 27, 51, 52] {
            let set = (0..<2000).count { _ in UInt64(random.unit() * 0x1p53) >> UInt64(bit) & 1 == 1 }
            #expect(surprise([set, 2000 - set]) < limit, "bit \(bit)")
        }
    }
}

extension RandomStream {
    fileprivate func hit(_ p: Double) -> Bool {
        var stream = self
        return stream.chance(p)
    }
}
