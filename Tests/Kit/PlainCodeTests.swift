import PotluckKit
import Testing

/// What the kit defines for lanes does not change the types of plain expressions.
@Suite struct PlainCodeTests {
    @Test func integersStayIntegers() {
        let n = 7
        let sum = 1 &+ 2
        let product = 3 &* n &- 1
        let largest = max(2, 3)
        let size = abs(-3)
        #expect([sum, product, largest, size, min(3, n)] == [3, 20, 3, 3, 3] as [Int])
        let isZero = 0 == n
        #expect(isZero == (false as Bool))
    }

    @Test func realNumbersStayRealNumbers() {
        let x = 0.25
        let line = 2 * x - 1
        let curve = 0.5 + x * (1 - x) / 3
        let value = max(0, x - 1)
        let root = sqrt(4)
        let size = abs(x - 1) * 2
        #expect([line, curve, value, root, size] == [-0.5, 0.5625, 0, 2, 1.5] as [Double])
        let isSmall = x < 0.5
        #expect(isSmall == (true as Bool))
        let all = -x * sqrt(2 * x) + log(1 - x) * exp(-x * x / 2) / cos(0) + sin(0)
        #expect(all < 0)
    }
}
