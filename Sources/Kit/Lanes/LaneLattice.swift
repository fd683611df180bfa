/// The lattices of the sixteen lanes, each moved by its own random numbers. See `Lattice`.
public struct LaneLattice: Sendable {
    /// The number of points in each lane.
    public let count: Int
    @usableFromInline let steps: [UInt32]
    /// The coordinates of point 0 in all lanes.
    @usableFromInline let shifts: [SIMD16<UInt32>]

    /// Returns a coordinate of a point in each lane, as `Lattice.unit` does.
    @inlinable @inline(__always)
    public func unit(_ point: Int, _ dimension: Int) -> Lane<Double> {
        Lattice.check(point, dimension, count, steps.count)
        let moved = UInt32(truncatingIfNeeded: point) &* steps[dimension]
        let word = SIMD16(repeating: moved).plus(shifts[dimension])
        return Lane<Double>(Lane<Int32>(words: word.xor(word.less(.zero)))) * 0x1p-31 + 0x1p-32
    }
}

extension LaneStreams {
    /// Returns a lattice for each lane, as `RandomStream.lattice` does.
    public mutating func lattice(_ points: Int, dimensions: Int) -> LaneLattice {
        let steps = Lattice.steps(points, dimensions: dimensions)
        return LaneLattice(count: points, steps: steps, shifts: steps.map { _ in next() })
    }
}
