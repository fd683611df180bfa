extension RandomStream {
    /// Shuffles the elements in place. Every order is equally likely.
    @inlinable
    public mutating func shuffle<C: MutableCollection & RandomAccessCollection>(_ elements: inout C) {
        var left = elements.count
        var index = elements.startIndex
        while left > 1 {
            elements.swapAt(index, elements.index(index, offsetBy: below(left)))
            elements.formIndex(after: &index)
            left -= 1
        }
    }

    /// Returns a random element, each equally likely, or nil if the collection is empty.
    @inlinable
    public mutating func choice<C: RandomAccessCollection>(of elements: C) -> C.Element? {
        elements.isEmpty ? nil : elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
    }

    /// Returns `count` random elements with replacement: every draw is from all elements.
    @inlinable
    public mutating func choices<C: RandomAccessCollection>(_ count: Int, of elements: C) -> [C.Element] {
        Misuse.stop(
            unless: count == 0 || count > 0 && !elements.isEmpty, "choices needs a collection that is not empty")
        var chosen: [C.Element] = []
        chosen.reserveCapacity(count)
        for _ in 0..<count {
            chosen.append(elements[elements.index(elements.startIndex, offsetBy: below(elements.count))])
        }
        return chosen
    }

    /// Returns `count` different elements in random order. Every selection is equally likely.
    @inlinable
    public mutating func sample<C: RandomAccessCollection>(_ count: Int, of elements: C) -> [C.Element] {
        Misuse.stop(
            unless: count >= 0 && count <= elements.count, "sample cannot choose more different elements than there are"
        )
        var pool = Array(elements)
        for index in 0..<count { pool.swapAt(index, index + below(pool.count - index)) }
        pool.removeLast(pool.count - count)
        return pool
    }
}

/// A choice among the numbers 0 ..< weights.count, with probabilities in proportion to the
/// weights. It uses Vose's alias method: two draws for each choice, however many weights there
/// are. Create it once, outside `trial`, and draw from it often.
public struct WeightedChoice: Sendable {
    /// For each column, the probability that a draw stays in it, in units of 2⁻³². 2³² means always.
    @usableFromInline let keep: [UInt64]
    /// For each column, the number that a draw returns if it does not stay.
    @usableFromInline let alias: [UInt32]

    /// Creates a choice. The weights need not add up to 1. Each must be finite and
    /// at least 0, and one must be greater than 0.
    public init(_ weights: [Double]) {
        var total = 0.0
        for weight in weights {
            Misuse.stop(unless: weight >= 0 && weight < .infinity, "a weight must be finite and at least 0")
            total += weight
        }
        Misuse.stop(unless: total > 0 && total < .infinity, "the sum of the weights must be finite and above 0")
        var share = weights.map { $0 / total * Double(weights.count) }
        var keep = [UInt64](repeating: 1 << 32, count: weights.count)
        var alias = [UInt32](repeating: 0, count: weights.count)
        var small: [Int] = []
        var large: [Int] = []
        for index in share.indices { if share[index] < 1 { small.append(index) } else { large.append(index) } }
        while let poor = small.last, let rich = large.last {
            small.removeLast()
            keep[poor] = UInt64(share[poor] * 0x1p32)
            alias[poor] = UInt32(rich)
            share[rich] -= 1 - share[poor]
            if share[rich] < 1 {
                large.removeLast()
                small.append(rich)
            }
        }
        // The columns left over have a share of 1, except for rounding. Rounding
        // must not make a weight of zero possible.
        for index in small where weights[index] == 0 { (keep[index], alias[index]) = (0, UInt32(weights.heaviest)) }
        self.keep = keep
        self.alias = alias
    }

    /// Returns a random number in 0 ..< weights.count.
    @inlinable
    public func draw(_ random: inout RandomStream) -> Int {
        let column = random.below(keep.count)
        return UInt64(random.next()) < keep[column] ? column : Int(alias[column])
    }
}

extension [Double] {
    /// The index of the greatest weight.
    fileprivate var heaviest: Int {
        var best = 0
        for index in indices where self[index] > self[best] { best = index }
        return best
    }
}
