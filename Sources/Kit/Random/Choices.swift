extension RandomStream {
    /// Puts the elements in random order, each order equally likely.
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

    /// One of the elements, each equally likely; nil where there is none.
    @inlinable
    public mutating func choice<C: RandomAccessCollection>(of elements: C) -> C.Element? {
        elements.isEmpty ? nil : elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
    }

    /// `count` of the elements with replacement: each one anew from all of them.
    @inlinable
    public mutating func choices<C: RandomAccessCollection>(_ count: Int, of elements: C) -> [C.Element] {
        precondition(count == 0 || count > 0 && !elements.isEmpty, "a choice out of nothing was asked for")
        var chosen: [C.Element] = []
        chosen.reserveCapacity(count)
        for _ in 0..<count {
            chosen.append(elements[elements.index(elements.startIndex, offsetBy: below(elements.count))])
        }
        return chosen
    }

    /// `count` different ones of the elements, without replacement, each selection equally likely, in random order.
    @inlinable
    public mutating func sample<C: RandomAccessCollection>(_ count: Int, of elements: C) -> [C.Element] {
        precondition(count >= 0 && count <= elements.count, "more different elements were asked for than there are")
        var pool = Array(elements)
        for index in 0..<count { pool.swapAt(index, index + below(pool.count - index)) }
        pool.removeLast(pool.count - count)
        return pool
    }
}

/// A choice among numbers 0 ..< weights.count, each as likely as its weight says: Vose's alias method, two draws a choice
/// whatever the number of weights. Make it once (outside `trial`), draw from it often.
public struct WeightedChoice: Sendable {
    /// The probability, in units of 2⁻³², of staying in a column; 2³² for certain.
    @usableFromInline let keep: [UInt64]
    @usableFromInline let alias: [UInt32]

    /// The weights need not add up to 1; none may be negative, infinite or not a number, and not all zero.
    public init(_ weights: [Double]) {
        var total = 0.0
        for weight in weights {
            precondition(weight >= 0 && weight < .infinity, "a weight is a number of 0 or more")
            total += weight
        }
        precondition(total > 0 && total < .infinity, "the weights add up to nothing")
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
        // What is left is 1 but for rounding. A weight of zero must not come by that door.
        for index in small where weights[index] == 0 { (keep[index], alias[index]) = (0, UInt32(weights.heaviest)) }
        self.keep = keep
        self.alias = alias
    }

    /// The number chosen.
    @inlinable
    public func draw(_ random: inout RandomStream) -> Int {
        let column = random.below(keep.count)
        return UInt64(random.next()) < keep[column] ? column : Int(alias[column])
    }
}

extension [Double] {
    fileprivate var heaviest: Int {
        var best = 0
        for index in indices where self[index] > self[best] { best = index }
        return best
    }
}
