// The functions of `Maths` on several numbers, with the same bits. Each takes the steps that `Maths` takes for usual
// arguments. If an argument is unusual, `Maths` computes all of them one by one.

/// Returns the natural logarithm in each lane.
@inlinable @inline(__always) @_disfavoredOverload
public func log(_ x: Lane<Double>) -> Lane<Double> { Lane(values: x.values.mapped { $0.log() }) }

/// Returns e to the power `x` in each lane.
@inlinable @inline(__always) @_disfavoredOverload
public func exp(_ x: Lane<Double>) -> Lane<Double> { Lane(values: x.values.mapped { $0.exp() }) }

/// Returns the sine of an angle in radians in each lane.
@inlinable @inline(__always) @_disfavoredOverload
public func sin(_ x: Lane<Double>) -> Lane<Double> { Lane(values: x.values.mapped { $0.sin() }) }

/// Returns the cosine of an angle in radians in each lane.
@inlinable @inline(__always) @_disfavoredOverload
public func cos(_ x: Lane<Double>) -> Lane<Double> { Lane(values: x.values.mapped { $0.cos() }) }

/// Returns the square root in each lane.
@inlinable @inline(__always) @_disfavoredOverload
public func sqrt(_ x: Lane<Double>) -> Lane<Double> { x.squareRoot() }

extension Lane where Scalar == Double {
    /// The square root of each lane's number.
    @inlinable @inline(__always)
    public func squareRoot() -> Self { Self(values: values.mapped { $0.squareRoot() }) }
}

extension Vector {
    @inlinable @inline(__always)
    func log() -> Vector {
        let isUsual = bits &- 0x0010_0000_0000_0000 < 0x7fe0_0000_0000_0000
        guard _fastPath(isUsual.isEverywhere) else { return each { Maths.log($0) } }
        return logarithmOfUsual
    }

    /// The logarithm of positive normal numbers.
    @inlinable @inline(__always)
    var logarithmOfUsual: Vector {
        let offset = bits &- 0x3fe6_9555_0000_0000
        // The exponent with 2048 added, as an integer below 4096: the last bits of a double, whose other bits are then
        // subtracted.
        let exponent = (offset ^ 0x8000_0000_0000_0000) &>> 52
        let n = Vector(bits: exponent | 0x4330_0000_0000_0000) - 0x1.00000000008p52
        let z = bits &- (offset & 0xfff0_0000_0000_0000)
        let table = Vector.logarithms((offset &>> 46) & 63)
        let upper = Vector(bits: z & 0xffff_ffff_0000_0000)
        let lower = Vector(bits: z) - upper
        let near = upper * table.inverse - 1.0
        let far = lower * table.inverse
        let r = near + far
        let remainderError = (near - r) + far
        let base = n * 0x1.62e42fefa38p-1 + table.value
        let baseError = n * 0x1.ef35793c7673p-45 + table.error
        let sum = base + r
        let lost = (base - sum) + r
        return sum + (lost + (baseError + (remainderError + r * r * (r * Vector.logarithmCurve(r) - 0.5))))
    }

    /// The curve of `LogarithmParts`.
    @inlinable @inline(__always)
    static func logarithmCurve(_ r: Vector) -> Vector {
        let square = r * r
        let low: Vector = 0x1.5555555555555p-2 - r * 0x1.000000000007dp-2
        let middle: Vector = 0x1.9999999999c7ap-3 - r * 0x1.5555554239cc1p-3
        let first: Vector = 0x1.24924905b93cap-3 - r * 0x1.0007034988fc7p-3
        let high = first + square * 0x1.c72c948dba414p-4
        return low + square * (middle + square * high)
    }

    @inlinable @inline(__always)
    func exp() -> Vector {
        // Within these bounds the scale of the result needs no care.
        guard _fastPath((size < 660.0).isEverywhere) else { return each { Maths.exp($0) } }
        return exponentialOfUsual
    }

    @inlinable @inline(__always)
    var exponentialOfUsual: Vector {
        let shift: Vector = 0x1.8p52
        let shifted = self * 0x1.71547652b82fep5 + shift
        let n = shifted - shift
        let count = shifted.bits &- shift.bits
        let r = (self - n * 0x1.62e42fefap-6) - n * 0x1.cf79abc9e3b3ap-45
        let square = r * r
        let low: Vector = 0.5 + r * 0x1.5555555548f87p-3
        let middle: Vector = 0x1.5555555545e84p-5 + r * 0x1.11115b78ab584p-7
        let curve = low + square * (middle + square * 0x1.6c172893266dcp-10)
        let table = Vector.powersOfTwo(count & 31)
        let growth = r + (square * curve + table.error)
        // The scale, count / 32 rounded down, as the exponent's bits.
        let scale = (count & 0xffff_ffff_ffff_ffe0) &<< 47
        let large = Vector(bits: table.power.bits &+ scale)
        return large + large * growth
    }
}
