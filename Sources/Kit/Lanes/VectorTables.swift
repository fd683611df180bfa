// Rows of the tables of `Maths` for several numbers. Each number is loaded by itself.
extension Vector {
    /// The rows of the logarithms' table with these numbers, which must be less than 64.
    @inlinable @inline(__always)
    static func logarithms(_ rows: Bits) -> (inverse: Vector, value: Vector, error: Vector) {
        var (inverse, value, error) = (VectorReals.zero, VectorReals.zero, VectorReals.zero)
        for index in 0..<VectorReals.scalarCount {
            let row = 3 &* Int(truncatingIfNeeded: rows.values[index] & 63)
            inverse[index] = Maths.logarithms[row]
            value[index] = Maths.logarithms[row &+ 1]
            error[index] = Maths.logarithms[row &+ 2]
        }
        return (Vector(inverse), Vector(value), Vector(error))
    }

    /// The rows of the table of powers of two with these numbers, which must be less than 32.
    @inlinable @inline(__always)
    static func powersOfTwo(_ rows: Bits) -> (power: Vector, error: Vector) {
        var (power, error) = (VectorReals.zero, VectorReals.zero)
        for index in 0..<VectorReals.scalarCount {
            let row = 2 &* Int(truncatingIfNeeded: rows.values[index] & 31)
            power[index] = Maths.powersOfTwo[row]
            error[index] = Maths.powersOfTwo[row &+ 1]
        }
        return (Vector(power), Vector(error))
    }
}
