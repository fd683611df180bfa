/// A number for each of the sixteen lanes of a block: `Lane<Int32>` or `Lane<Double>`. A single number stands for the same
/// number in all lanes.
@frozen public struct Lane<Scalar: LaneScalar>: Sendable {
    @usableFromInline var values: Scalar.Lanes

    @inlinable @inline(__always)
    init(values: Scalar.Lanes) { self.values = values }

    /// The number of lanes, 16.
    @inlinable public static var count: Int { RandomStream.lanes }
}

/// The types of numbers that lanes have: `Int32` and `Double`.
public protocol LaneScalar: Sendable {
    /// Sixteen numbers.
    associatedtype Lanes: Sendable, BitwiseCopyable

    /// Returns a literal for all lanes.
    static func inAllLanes(_ literal: Int32) -> Lanes
}

extension Int32: LaneScalar {
    public typealias Lanes = SIMD16<Int32>

    @inlinable @inline(__always)
    public static func inAllLanes(_ literal: Int32) -> SIMD16<Int32> { SIMD16(repeating: literal) }
}

extension Double: LaneScalar {
    public typealias Lanes = SIMD16<Double>

    @inlinable @inline(__always)
    public static func inAllLanes(_ literal: Int32) -> SIMD16<Double> { SIMD16(repeating: Double(literal)) }
}

extension Lane: ExpressibleByIntegerLiteral {
    @inlinable @inline(__always)
    public init(integerLiteral n: Int32) { values = Scalar.inAllLanes(n) }
}
