/// The distribution of numbers that were measured, such as a column of a table. Create it once, in `prepare`, and draw from
/// it often.
public struct Empirical: Sendable {
    /// The numbers in ascending order.
    @usableFromInline let numbers: [Double]

    /// Creates the distribution of these numbers, of which there is at least one. Their order does not matter.
    public init(_ numbers: [Double]) {
        Misuse.stop(unless: !numbers.isEmpty, "an Empirical needs at least one number")
        // Adding 0 makes -0 a 0: the two have no order.
        let sorted = numbers.map { $0 + 0 }.sorted()
        // A NaN is in no order, and makes this NaN or the order wrong: both are refused.
        var isOrdered = (sorted[sorted.count - 1] - sorted[0]).isFinite
        for index in sorted.indices.dropFirst() where !(sorted[index - 1] <= sorted[index]) { isOrdered = false }
        Misuse.stop(unless: isOrdered, "the numbers of an Empirical must be finite, and less than 1.8e308 apart")
        self.numbers = sorted
    }

    /// Returns one of the numbers, each equally likely.
    @inlinable
    public func pick(_ random: inout RandomStream) -> Double { numbers[random.below(numbers.count)] }

    /// Returns a number between the smallest and the largest: the quantile, for a probability drawn from 0 to 1, of the
    /// numbers with straight lines between them. Takes two words.
    @inlinable
    public func interpolate(_ random: inout RandomStream) -> Double {
        let place = random.unit() * Double(numbers.count &- 1)
        let index = max(0, min(Int(place), numbers.count &- 2))
        let low = numbers[index]
        return low + (place - Double(index)) * (numbers[min(index &+ 1, numbers.count &- 1)] - low)
    }
}
