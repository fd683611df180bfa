// Sine and cosine on several numbers, with the steps and so the bits of `Angle`.
extension Vector {
    @inlinable @inline(__always)
    func sin() -> Vector {
        let angle = VectorAngle(self)
        guard _fastPath(angle.isUsual) else { return each { Maths.sin($0) } }
        let isEven = (angle.quadrant & 1) &- 1
        let result = isEven.choose(angle.sine, angle.cosine).negated(where: angle.quadrant)
        // A number so small is its own sine, and a zero keeps its sign.
        return (size < 0x1p-27).choose(self, result)
    }

    @inlinable @inline(__always)
    func cos() -> Vector {
        let angle = VectorAngle(self)
        guard _fastPath(angle.isUsual) else { return each { Maths.cos($0) } }
        let isEven = (angle.quadrant & 1) &- 1
        return isEven.choose(angle.cosine, angle.sine)
            .negated(where: angle.quadrant &+ (angle.quadrant & 1))
    }

    /// The numbers, negated where bit 1 of the quadrant is set.
    @inlinable @inline(__always)
    func negated(where quadrant: Bits) -> Vector { Vector(bits: bits ^ ((quadrant & 2) &<< 62)) }

    /// The first 26 bits of each significand.
    @inlinable @inline(__always)
    var upper: Vector { Vector(bits: bits & 0xffff_ffff_f800_0000) }
}

/// `Angle` for several numbers.
@frozen @usableFromInline struct VectorAngle {
    @usableFromInline let quadrant: Bits
    @usableFromInline let remainder: Vector
    @usableFromInline let error: Vector
    /// Whether this precision is enough for all of them.
    @usableFromInline let isUsual: Bool

    @inlinable @inline(__always)
    init(_ x: Vector) {
        let shift: Vector = 0x1.8p52
        let shifted = x * 0x1.45f306dc9c883p-1 + shift
        let n = shifted - shift
        let second = n * 0x1.0b4611a6p-34
        let third = n * 0x1.3198a2e037073p-69
        let first = x - n * 0x1.921fb544p0
        let rest = first - second
        let lost = (first - rest) - second
        remainder = rest - third
        error = ((rest - remainder) - third) + lost
        quadrant = shifted.bits &- shift.bits
        let isLarge = (0x1.fffffffffffffp-13 as Vector) < rest.size
        isUsual = ((x.size < 0x1p20) & (isLarge | (n == 0.0))).isEverywhere
    }

    @inlinable @inline(__always)
    var sine: Vector {
        let square = remainder * remainder
        let fourth = square * square
        let first: Vector = 0x1.71de357873985p-19 - square * 0x1.ae5e66d435711p-26
        let high = first + fourth * 0x1.5d932f118dbd6p-33
        let low: Vector = 0x1.111111110f881p-7 - square * 0x1.a01a019c126a4p-13
        let curve = low + fourth * high
        let cube = remainder * square
        let half: Vector = 1.0 - 0.5 * square
        return remainder + ((cube * (square * curve - 0x1.5555555555549p-3)) + error * half)
    }

    @inlinable @inline(__always)
    var cosine: Vector {
        let square = remainder * remainder
        let fourth = square * square
        let first: Vector = 0x1.27e4f7eac38fp-22 - square * 0x1.1ee9d7b40c5bep-29
        let high = first + fourth * 0x1.8fa49993f8eccp-37
        let low: Vector = 0x1.555555555554bp-5 - square * 0x1.6c16c16c14f91p-10
        let middle: Vector = 0x1.a01a019c844ddp-16 - square * high
        let curve = low + fourth * middle
        let a = remainder.upper
        let b = (remainder - a) + error
        let half = 0.5 * a * a
        let sum = 1.0 - half
        return sum + (((1.0 - sum) - half) + (fourth * curve - b * (a + 0.5 * b)))
    }
}
