// Exact sums of the numbers of all lanes. Each number is split into digits that are multiples of a unit: adding a large
// number and subtracting it again rounds to the unit, and the remainder is split further. Every step is exact. The
// digits of all lanes are then added as integers.

/// A digit of the number of each lane, as the last bits of a real number.
@frozen @usableFromInline struct LaneDigits {
    @usableFromInline let carrier: Lane<Double>

    /// Takes the multiple of `unit` that is nearest to each number from the numbers. It must be less than 2⁵¹ units.
    @inlinable @inline(__always)
    init(_ numbers: inout Lane<Double>, unit: Double) {
        let large = Lane(unit * 0x1.8p52)
        carrier = numbers + large
        numbers = numbers - (carrier - large)
    }

    /// The digits in units, if their magnitudes are less than 2³¹.
    @inlinable @inline(__always)
    var short: SIMD16<UInt32> { unsafeBitCast(carrier.values, to: SIMD16<UInt64>.self).lower }

    /// The sum of the digits in units.
    @inlinable @inline(__always)
    func sum(unit: Double) -> Int64 {
        let sixteen = (unit * 0x1.8p52).bitPattern &<< 4
        return unsafeBitCast(carrier.values, to: SIMD16<UInt64>.self).total &- Int64(bitPattern: sixteen)
    }
}

extension Lane where Scalar == Double {
    /// Whether each number is 0 or its magnitude is from 2⁻¹² to below `limit`. All of their bits are then multiples of
    /// 2⁻⁶⁴. False for NaN.
    @inlinable @inline(__always)
    func areUsual(below limit: Double) -> Bool {
        let size = magnitude
        return all(size < Lane(limit) && (size >= 0x1p-12 || size == 0))
    }
}

extension ExactSum {
    /// Adds the numbers of all lanes.
    @inlinable @inline(__always)
    public mutating func add(_ x: Lane<Double>) {
        guard _fastPath(x.areUsual(below: 0x1p31) && pending.full == 0) else { return addEach(x) }
        var rest = x
        let high = LaneDigits(&rest, unit: 1)
        let middle = LaneDigits(&rest, unit: 0x1p-32)
        let low = LaneDigits(&rest, unit: 0x1p-64)
        pending.add(low.sum(unit: 0x1p-64), at: 64)
        pending.add(middle.sum(unit: 0x1p-32), at: 96)
        pending.add(high.sum(unit: 1), at: 128)
        pending.count &+= 16
    }

    /// Adds the numbers of the lanes in which the condition holds.
    @inlinable @inline(__always)
    public mutating func add(_ x: Lane<Double>, where mask: LaneMask) { add(choose(mask, x, 0)) }

    @inlinable @inline(never)
    mutating func addEach(_ x: Lane<Double>) {
        for lane in 0..<RandomStream.lanes { add(x[lane]) }
    }

    /// Adds the integers of all lanes.
    @inlinable @inline(__always)
    public mutating func add(_ n: Lane<Int32>) { add(n.words.signed.total) }

    /// Adds the integers of the lanes in which the condition holds.
    @inlinable @inline(__always)
    public mutating func add(_ n: Lane<Int32>, where mask: LaneMask) { add(Lane(words: n.words.and(mask.words))) }
}

extension Moments {
    /// Adds the numbers of all lanes.
    @inlinable @inline(__always)
    public mutating func add(_ x: Lane<Double>) {
        guard _fastPath(x.areUsual(below: 0x1p22)) else { return addEach(x, where: LaneMask(true)) }
        addUsual(x)
        next(16)
    }

    /// Adds the numbers of the lanes in which the condition holds.
    @inlinable @inline(__always)
    public mutating func add(_ x: Lane<Double>, where mask: LaneMask) {
        let x = choose(mask, x, 0)
        guard _fastPath(x.areUsual(below: 0x1p22)) else { return addEach(x, where: mask) }
        addUsual(x)
        next(UInt64(truncatingIfNeeded: mask.count))
    }

    /// Adds numbers to both sums without counting them. Their digits have at most 28 bits and a sign, so that the products
    /// of 16 numbers fit into 64 bits.
    @inlinable @inline(__always)
    mutating func addUsual(_ x: Lane<Double>) {
        var rest = x
        let high = LaneDigits(&rest, unit: 0x1p-6)
        let middle = LaneDigits(&rest, unit: 0x1p-35)
        let low = LaneDigits(&rest, unit: 0x1p-64)
        numbers.pending.add(low.sum(unit: 0x1p-64), at: 64)
        numbers.pending.add(middle.sum(unit: 0x1p-35), at: 93)
        numbers.pending.add(high.sum(unit: 0x1p-6), at: 122)
        let (a, b, c) = (high.short, middle.short, low.short)
        let cross = a.signedProduct(c)
        powers.pending.addLong(c.signedProduct(c).total, at: 0)
        powers.pending.addLong(b.signedProduct(c).total &<< 1, at: 29)
        powers.pending.addLong(cross.plus(cross).plus(b.signedProduct(b)).total, at: 58)
        powers.pending.addLong(a.signedProduct(b).total &<< 1, at: 87)
        powers.pending.addLong(a.signedProduct(a).total, at: 116)
    }

    @inlinable @inline(never)
    mutating func addEach(_ x: Lane<Double>, where mask: LaneMask) {
        for lane in 0..<RandomStream.lanes where mask[lane] { add(x[lane]) }
    }

    /// Adds the integers of all lanes.
    @inlinable @inline(__always)
    public mutating func add(_ n: Lane<Int32>) {
        addIntegers(n)
        next(16)
    }

    /// Adds the integers of the lanes in which the condition holds.
    @inlinable @inline(__always)
    public mutating func add(_ n: Lane<Int32>, where mask: LaneMask) {
        addIntegers(Lane(words: n.words.and(mask.words)))
        next(UInt64(truncatingIfNeeded: mask.count))
    }

    @inlinable @inline(__always)
    mutating func addIntegers(_ n: Lane<Int32>) {
        numbers.add(n)
        // A square has up to 63 bits, so the halves are added separately.
        let squares = n.words.signedProduct(n.words)
        let high = UInt64(bitPattern: squares.upper.unsigned.total)
        powers.join(UInt64(bitPattern: squares.lower.unsigned.total), 0)
        powers.join(high &<< 32, high &>> 32)
    }

    /// Counts up to 16 numbers that were just added.
    @inlinable @inline(__always)
    mutating func next(_ count: UInt64) {
        let before = added
        added &+= count
        if _slowPath((before ^ added) >= PendingSum.most) { settle() }
    }
}

extension PendingSum {
    /// Adds n · 2^place units. The result's magnitude must be less than 2¹⁹² units.
    @inlinable @inline(__always)
    mutating func addLong(_ n: Int64, at place: UInt64) {
        let shift = Int64(bitPattern: place & 31)
        let part = Int(truncatingIfNeeded: place &>> 5)
        parts[unchecked: part] &+= n &<< shift & 0xffff_ffff
        parts[unchecked: part &+ 1] &+= n &>> (32 &- shift) & 0xffff_ffff
        parts[unchecked: part &+ 2] &+= (n &>> 1) &>> (63 &- shift)
    }
}
