/// Accumulates several numbers at once, such as the cost and the weight of an order: how many times, the exact sum of each
/// number, and the exact sums of their squares and products. So every function of the means has an interval.
///
///     var order = Comoments<2>()
///     tally.order.add([cost, weight])
@frozen public struct Comoments<let size: Int>: Accumulator, Equatable {
    /// The sums of the numbers, then those of the products of each number with itself and with those after it. Numbers
    /// that were added since `added` was last a multiple of 256 are pending and not counted there.
    @usableFromInline var sums: [ExactSum]
    @usableFromInline var added: UInt64 = 0

    /// Creates the comoments of no numbers.
    public init() {
        Misuse.stop(unless: 1...ComomentSums.most ~= size, "comoments are of 1 to 16 numbers")
        sums = [ExactSum](repeating: ExactSum(), count: ComomentSums.count(size))
    }

    /// How many times numbers were added.
    public var count: UInt64 { added }

    /// Adds numbers. The product of any two, and the square of each, must be less than 2⁶³.
    @inlinable @inline(__always)
    public mutating func add(_ numbers: [size of Double]) {
        sums.withUnsafeMutableBufferPointer { memory in
            let sums = ComomentSums(memory.baseAddress.unsafelyUnwrapped, size)
            sums.add { numbers[$0] }
            added &+= 1
            if _slowPath(added & (PendingSum.most &- 1) == 0) { sums.fold() }
        }
    }

    /// Whether a number or a product was too large or NaN. There are then no means and no covariances.
    public var isSpoilt: Bool { sums.contains { $0.isSpoilt } }

    /// The mean of number i, from 0; nil if nothing was added or if spoilt.
    public func mean(_ i: Int) -> Double? { read { $0.mean(i, of: added) } }

    /// The sample covariance of numbers i and j, with divisor n − 1, from the exact sums, so that nothing cancels. Nil if
    /// numbers were added fewer than two times, or if spoilt.
    public func covariance(_ i: Int, _ j: Int) -> Double? { read { $0.covariance(i, j, of: added) } }

    func read<Value>(_ body: (ComomentSums) -> Value) -> Value {
        var copy = sums
        return copy.withUnsafeMutableBufferPointer { body(ComomentSums($0.baseAddress!, size)) }
    }

    public static var kind: FieldKind { .comoments }
    public static var parts: Int { size }
    public static func rules(_ add: (SlotRule, Int) -> Void) {
        add(.count, 1)
        add(.sum, ComomentSums.count(size))
    }

    public func write(_ slots: inout SlotWriter) {
        slots.put(added)
        for sum in sums { sum.folded.write(&slots) }
    }

    public mutating func read(_ slots: inout SlotReader) {
        added = slots.take()
        for index in sums.indices { sums[index].read(&slots) }
    }

    /// Whether two comoments are of as many numbers and have equal sums.
    public static func == (a: Comoments, b: Comoments) -> Bool {
        a.added == b.added && zip(a.sums, b.sums).allSatisfy { $0.folded == $1.folded }
    }
}

/// The sums of comoments, wherever they are in memory.
@frozen @usableFromInline struct ComomentSums {
    @usableFromInline let sums: UnsafeMutablePointer<ExactSum>
    /// How many numbers are added at once.
    @usableFromInline let size: Int

    @inlinable @inline(__always)
    init(_ sums: UnsafeMutablePointer<ExactSum>, _ size: Int) { (self.sums, self.size) = (sums, size) }

    /// The most numbers: their sums take as much as a small histogram.
    @inlinable static var most: Int { 16 }

    /// The number of sums of so many numbers.
    @inlinable static func count(_ size: Int) -> Int { size + size * (size + 1) / 2 }

    /// Adds a number for each place. The owner counts them, and folds after at most 256 times.
    @inlinable @inline(__always)
    func add(_ number: (Int) -> Double) {
        for i in 0..<size {
            // The usual numbers of `Moments.add`.
            guard Significand(number(i)).place(ofOne: 12) < 43 else { return addRare(number) }
        }
        if size == 2 {
            // Without loops, which take a third longer.
            let (x, y) = (Significand(number(0)), Significand(number(1)))
            put(x, 0)
            put(y, 1)
            put(x, x, 2)
            put(x, y, 3)
            put(y, y, 4)
            return
        }
        var product = size
        for i in 0..<size {
            let one = Significand(number(i))
            put(one, i)
            for j in i..<size {
                put(one, Significand(number(j)), product)
                product &+= 1
            }
        }
    }

    /// Adds a usual number to a sum.
    @inlinable @inline(__always)
    func put(_ one: Significand, _ sum: Int) {
        sums[sum].pending.add(one.signed, at: one.place(ofOne: 12) &+ 64)
    }

    /// Adds the product of usual numbers to a sum.
    @inlinable @inline(__always)
    func put(_ one: Significand, _ other: Significand, _ sum: Int) {
        let (high, low) = PendingSum.product(one.magnitude, other.magnitude)
        let sign = Int64(bitPattern: one.bits ^ other.bits) &>> 63
        sums[sum].pending.add(high, low, sign, at: one.place(ofOne: 12) &+ other.place(ofOne: 12))
    }

    /// Adds numbers that may be small or too large.
    @inlinable @inline(never)
    func addRare(_ number: (Int) -> Double) {
        var product = size
        for i in 0..<size {
            sums[i].add(number(i))
            for j in i..<size {
                sums[product].addAnyProduct(of: number(i), and: number(j))
                product += 1
            }
        }
    }

    @inlinable @inline(never)
    func fold() { for index in 0..<Self.count(size) { sums[index].fold() } }

    /// The sum of the products of numbers i and j.
    private func product(_ i: Int, _ j: Int) -> ExactSum {
        let (i, j) = (min(i, j), max(i, j))
        return sums[size + i * size - i * (i - 1) / 2 + j - i].folded
    }

    func mean(_ i: Int, of count: UInt64) -> Double? {
        guard count > 0, let sum = sums[i].folded.value else { return nil }
        return sum / Double(count)
    }

    func covariance(_ i: Int, _ j: Int, of count: UInt64) -> Double? {
        let (x, y, xy) = (sums[i].folded, sums[j].folded, product(i, j))
        guard count > 1, !x.isSpoilt, !y.isSpoilt, !xy.isSpoilt else { return nil }
        // (n Σxy − Σx Σy) / (n (n − 1)), in the units of `Moments.variance`.
        let spread = (WideInteger(count) * xy.wide).shiftedLeft(byWords: 4) - x.wide * y.wide
        let value = spread.double(scale: -256) / (Double(count) * Double(count - 1))
        // Squares truncated at 2⁻¹²⁸ can fall slightly short of the square of the sum.
        return i == j ? max(0, value) : value
    }
}
