/// A number for each of the sixteen lanes of a block: `Lane<Int32>` or `Lane<Double>`. A single number stands for the same
/// number in all lanes.
@frozen public struct Lane<Scalar: SIMDScalar & Sendable>: Sendable where Scalar.SIMD16Storage: Sendable {
    @usableFromInline var values: SIMD16<Scalar>

    @inlinable @inline(__always)
    init(values: SIMD16<Scalar>) { self.values = values }

    /// The number of one lane.
    @inlinable @inline(__always)
    public subscript(_ lane: Int) -> Scalar {
        get { values[lane] }
        set { values[lane] = newValue }
    }

    /// The number of lanes, 16.
    @inlinable public static var count: Int { RandomStream.lanes }
}
