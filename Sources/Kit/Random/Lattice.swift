/// Points that fill the unit cube evenly, moved as a whole at random: quasi-Monte Carlo. A mean over them has a much smaller
/// error than one over as many independent points if the function is smooth and its first coordinates matter most.
///
///     func trial(_ random: inout RandomStream, _ tally: inout Tally) {
///         let lattice = random.lattice(4096, dimensions: 8)
///         var sum = 0.0
///         for point in 0..<4096 { sum += worth(lattice.normal(point, 0), lattice.normal(point, 1)) }
///         tally.worth.add(sum / 4096)
///     }
///
/// The points of one trial depend on each other, so a trial adds their mean. Trials do not depend on each other, so the
/// interval of a mean over trials is an honest one.
///
/// It is a lattice of Korobov's, moved by one random number for each coordinate (Cranley and Patterson, 1976) and folded
/// (Hickernell, 2002), which makes what a function does at the ends of the cube the same on both sides.
public struct Lattice: Sendable {
    /// The number of points.
    public let count: Int
    /// Of each coordinate, what it gains from point to point, and its value at point 0, in units of 2⁻³².
    @usableFromInline let coordinates: [SIMD2<UInt32>]

    /// For each number of points its mean square error is at most 1.19 times that of the best multiplier for them, by the
    /// measure of `Tools/lattice-multiplier.py`, which found it.
    private static var multiplier: UInt32 { 22_701 }
    /// Fewer points are no better than random ones.
    private static var fewest: Int { 64 }
    /// The multiplier was sought for no more. More points than that belong to several trials.
    private static var most: Int { 65_536 }

    /// Returns what each coordinate gains from point to point.
    static func steps(_ count: Int, dimensions: Int) -> [UInt32] {
        Misuse.stop(
            unless: count >= fewest && count <= most && count & (count &- 1) == 0,
            "the points of a lattice must be a power of two from 64 to 65 536")
        // The powers of the multiplier repeat after a quarter of the points, and so would the coordinates.
        Misuse.stop(
            unless: dimensions >= 1 && dimensions <= count / 4,
            "the dimensions of a lattice must be from 1 to a quarter of its points")
        var step = UInt32(truncatingIfNeeded: 1 &<< 32 / UInt64(count))
        return (0..<dimensions).map { _ in
            defer { step &*= multiplier }
            return step
        }
    }

    /// Returns a coordinate of a point, above 0 and below 1. Both numbers begin with 0.
    @inlinable @inline(__always)
    public func unit(_ point: Int, _ dimension: Int) -> Double {
        Self.check(point, dimension, count, coordinates.count)
        let coordinate = coordinates[dimension]
        let word = UInt32(truncatingIfNeeded: point) &* coordinate.x &+ coordinate.y
        // The upper half of the numbers is folded onto the lower one, and each number stands for the middle of its part.
        let folded = word &>> 31 == 0 ? word : ~word
        return Double(Int32(truncatingIfNeeded: folded)) * 0x1p-31 + 0x1p-32
    }

    @inlinable @inline(__always)
    static func check(_ point: Int, _ dimension: Int, _ count: Int, _ dimensions: Int) {
        Misuse.stop(
            unless: point >= 0 && point < count && dimension >= 0 && dimension < dimensions,
            "a lattice has no such point or dimension; the first one of each is 0")
    }

    /// Returns a coordinate of a point as a standard normal number: the quantile for `unit`.
    public func normal(_ point: Int, _ dimension: Int) -> Double { Maths.normalQuantile(unit(point, dimension)) }
}

extension RandomStream {
    /// Returns the points of a lattice, which is moved at random. Takes a word for each dimension.
    public mutating func lattice(_ points: Int, dimensions: Int) -> Lattice {
        var coordinates: [SIMD2<UInt32>] = []
        for step in Lattice.steps(points, dimensions: dimensions) { coordinates.append(SIMD2(step, next())) }
        return Lattice(count: points, coordinates: coordinates)
    }
}
