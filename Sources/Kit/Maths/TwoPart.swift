/// The sum of a number and a much smaller one, which is what the first lacks.
@usableFromInline struct TwoPart {
    @usableFromInline let high: Double
    @usableFromInline let low: Double

    @inlinable @inline(__always) init(_ high: Double, _ low: Double = 0) {
        self.high = high
        self.low = low
    }

    /// Returns the exact sum of two numbers (Knuth).
    static func sum(_ a: Double, _ b: Double) -> TwoPart {
        let total = a + b
        let part = total - a
        return TwoPart(total, (a - (total - part)) + (b - part))
    }

    /// Returns the product of two numbers, exact to 106 bits (Dekker).
    static func product(_ a: Double, _ b: Double) -> TwoPart {
        let (first, second) = (Maths.upper(a), Maths.upper(b))
        let (aRest, bRest) = (a - first, b - second)
        let total = a * b
        return TwoPart(total, ((first * second - total) + (first * bRest + aRest * second)) + aRest * bRest)
    }

    /// The same number with as much of it as possible in the first part, which must be the larger one.
    var normal: TwoPart {
        let total = high + low
        return TwoPart(total, (high - total) + low)
    }

    static func + (a: TwoPart, b: TwoPart) -> TwoPart {
        let total = sum(a.high, b.high)
        return TwoPart(total.high, total.low + (a.low + b.low)).normal
    }

    static func * (a: TwoPart, b: TwoPart) -> TwoPart {
        let exact = product(a.high, b.high)
        return TwoPart(exact.high, exact.low + (a.high * b.low + a.low * b.high)).normal
    }

    static func / (a: TwoPart, b: TwoPart) -> TwoPart {
        let quotient = a.high / b.high
        let exact = product(quotient, b.high)
        let rest = ((a.high - exact.high) - exact.low) + (a.low - quotient * b.low)
        return TwoPart(quotient, rest / b.high)
    }
}

extension Maths {
    /// Returns the sum of the coefficients times powers of `x`, by Horner's method.
    @inline(__always)
    static func polynomial<let count: Int>(_ coefficients: borrowing InlineArray<count, Double>, _ x: Double) -> Double
    {
        var sum = coefficients[count - 1]
        for index in 2...count { sum = sum * x + coefficients[count - index] }
        return sum
    }
}
