import PotluckKit
import Testing

@Suite struct ExactSumTests {
    /// Returns a random number with a magnitude below 2⁶³, of any exponent and sign.
    private func number(_ random: inout RandomStream) -> Double {
        let significand = 1 + random.unit()
        let exponent = [random.integer(in: -190...62), random.integer(in: -1074...62), random.integer(in: -3...3)]
        let x = Double(
            sign: random.coin() ? .plus : .minus, exponent: exponent[random.below(3)], significand: significand)
        return x
    }

    @Test func theSumIsTheSumOfItsBits() {
        for seed in 0..<120 as Range<UInt64> {
            var random = stream(seed, 10)
            var sum = ExactSum()
            var reference = BitSum()
            for _ in 0..<random.below(30) {
                let x = number(&random)
                sum.add(x)
                reference.add(x)
            }
            expect(sum, reference, "seed \(seed)")
        }
    }

    @Test func theSumOfSquaresIsExact() {
        for seed in 0..<120 as Range<UInt64> {
            var random = stream(seed, 11)
            var sum = ExactSum()
            var reference = BitSum()
            for _ in 0..<random.below(30) {
                let x = number(&random)
                guard x.magnitude < 3e9 else { continue }
                sum.addSquare(of: x)
                reference.addSquare(of: x)
            }
            expect(sum, reference, "seed \(seed)")
        }
    }

    /// More numbers than can be pending, of all sizes and of one, with merges and copies in between.
    @Test(arguments: 0..<20 as Range<UInt64>) func longSumsAreExactToo(seed: UInt64) {
        var random = stream(seed, 14)
        var (sum, squares) = (ExactSum(), ExactSum())
        var (reference, squareReference) = (BitSum(), BitSum())
        let isUniform = seed % 2 == 0
        // The largest significands, of which the most goes into each part.
        let widest = Double(sign: .minus, exponent: random.integer(in: -70...30), significand: 2.0.nextDown)
        for _ in 0..<1000 {
            let x = isUniform ? widest : number(&random)
            sum.add(x)
            reference.add(x)
            let y = x.magnitude < 0x1p31 ? x : x / 0x1p40
            squares.addSquare(of: y)
            squareReference.addSquare(of: y)
            if random.below(100) == 0 {
                var other = ExactSum()
                other.add(1.5)
                other.merge(sum)
                reference.add(1.5)
                sum = other
                var everything = Everything()
                everything.sum = squares
                squares = Everything(slots: everything.slots).sum
            }
        }
        expect(sum, reference, "seed \(seed)")
        expect(squares, squareReference, "squares of seed \(seed)")
        var everything = Everything()
        everything.sum = sum
        #expect(Everything(slots: everything.slots).sum == sum && sum != squares, "a copy without anything pending")
    }

    /// Numbers of every exponent, at and beside the limits of the usual way.
    @Test func everyExponentIsExact() {
        for exponent in -1074...62 {
            for significand in [1, 1.0.nextUp, 1.5, 2.0.nextDown] {
                var (sum, squares) = (ExactSum(), ExactSum())
                var (reference, squareReference) = (BitSum(), BitSum())
                for sign in [FloatingPointSign.plus, .minus] {
                    let x = Double(sign: sign, exponent: exponent, significand: significand)
                    sum.add(sign == .plus ? x : x / 2)
                    reference.add(sign == .plus ? x : x / 2)
                    guard exponent < 31 else { continue }
                    squares.addSquare(of: x)
                    squareReference.addSquare(of: x)
                }
                expect(sum, reference, "exponent \(exponent)")
                expect(squares, squareReference, "square of exponent \(exponent)")
            }
        }
    }

    @Test func wholeNumbersAddLikeReals() {
        for seed in 0..<100 as Range<UInt64> {
            var random = stream(seed, 12)
            var (whole, real) = (ExactSum(), ExactSum())
            var (squares, realSquares) = (ExactSum(), ExactSum())
            for _ in 0..<random.below(20) {
                let n = random.integer(in: -(1 << 53)...1 << 53)
                whole.add(n)
                real.add(Double(n))
                let small = random.integer(in: -3_000_000_000...3_000_000_000)
                squares.addSquare(of: small)
                realSquares.addSquare(of: Double(small))
            }
            #expect(whole == real && squares == realSquares)
        }
    }

    @Test func itRoundsOnceToTheNearestAndTiesToEven() {
        func sum(_ numbers: Double...) -> Double? {
            var sum = ExactSum()
            for number in numbers { sum.add(number) }
            return sum.value
        }
        #expect(sum() == 0)
        #expect(sum(1, 0x1p-53) == 1)
        #expect(sum(1, 0x1p-53, 0x1p-128) == 1.0.nextUp)
        #expect(sum(1.0.nextUp, 0x1p-53) == 1.0.nextUp.nextUp)
        #expect(sum(-1, -0x1p-53, -0x1p-128) == -(1.0.nextUp))
        #expect(sum(0x1p62, 0x1p-128, -0x1p62) == 0x1p-128)
        #expect(sum(0.1, 0.2, -0.3) == 0x1p-55, "exact, not what rounding after each step gives")
        #expect(sum(.leastNonzeroMagnitude, -0.0) == 0, "below 2⁻¹²⁸ it is cut")
        #expect(sum(0x1p63.nextDown, 0x1p63.nextDown) == 0x1p64.nextDown)
    }

    @Test func numbersAtTheLimitsAreAddedExactly() {
        var sum = ExactSum()
        sum.add(Int.max)
        sum.add(Int.min)
        sum.add(-(0x1p63.nextDown))
        sum.add(0x1p63.nextDown)
        sum.addSquare(of: 3_037_000_499)
        sum.addSquare(of: -3_037_000_499)
        #expect(sum.value == 2 * 3_037_000_499.0 * 3_037_000_499.0 - 1)
        sum.addSquare(of: 3_037_000_500)
        #expect(sum.isSpoilt, "its square is over 2⁶³")
        for bad in [3_037_000_500.0, 1e200, .infinity, .nan] {
            var sum = ExactSum()
            sum.addSquare(of: bad)
            #expect(sum.isSpoilt)
        }
        for bad in [Int.min, .max, 1 << 32] {
            var sum = ExactSum()
            sum.addSquare(of: bad)
            #expect(sum.isSpoilt)
        }
    }

    private func expect(_ sum: ExactSum, _ reference: BitSum, _ comment: Comment) {
        var everything = Everything()
        everything.sum = sum
        #expect(Array(everything.slots[1..<5]) == reference.words, comment)
        #expect(sum.value == reference.value && !sum.isSpoilt, comment)
    }
}
