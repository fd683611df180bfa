/// A sum of real numbers without rounding: fixed point, with 127 bits before the point and 128 bits after it.
///
/// A number is truncated at 2⁻¹²⁸ before it is added, which loses nothing of a number over 10⁻²². Its magnitude must be
/// less than 2⁶³, so that 2⁶⁴ numbers cannot overflow the sum in any order. A larger number or NaN marks the sum as
/// spoilt for good. So whether a sum is spoilt depends on the numbers, not on their order.
///
/// Most numbers first go to `pending`, where adding takes no carries.
@frozen public struct ExactSum: Accumulator {
    /// Two's complement in units of 2⁻¹²⁸, least significant word first.
    @usableFromInline var w0: UInt64 = 0
    @usableFromInline var w1: UInt64 = 0
    @usableFromInline var w2: UInt64 = 0
    @usableFromInline var w3: UInt64 = 0
    /// 1 if a number could not be added.
    @usableFromInline var flags: UInt64 = 0
    /// Numbers that are not yet in the words above.
    @usableFromInline var pending = PendingSum()

    /// Creates a sum of 0.
    public init() {}

    /// Adds a real number.
    @inlinable @inline(__always)
    public mutating func add(_ x: Double) {
        let number = Significand(x)
        // 0, and numbers from 2⁻⁷⁶, whose bits all count, to below 2⁶³.
        let place = number.place(ofOne: 76)
        guard place | pending.full < 139 else { return addRare(x) }
        pending.add(number.signed, at: place)
        pending.count &+= 1
    }

    /// Adds a number that may be very small or too large. Makes room for it.
    @inlinable @inline(never)
    mutating func addRare(_ x: Double) {
        if pending.full > 0 { settle() }
        let number = Significand(x)
        // Nothing is left of less than 2⁻¹²⁸.
        if number.exponent < 895 { return }
        // 2⁶³ has the exponent 1086. Infinity and NaN have 2047.
        guard number.exponent < 1086 else {
            flags = 1
            return
        }
        if number.exponent < 947 {
            let rest = Int64(bitPattern: number.magnitude &>> (947 &- number.exponent))
            pending.add(x < 0 ? 0 &- rest : rest, at: 0)
        } else {
            pending.add(number.signed, at: number.exponent &- 947)
        }
        pending.count &+= 1
    }

    /// Adds an integer.
    @inlinable @inline(__always)
    public mutating func add(_ n: Int) { add(Int64(n)) }

    /// Adds an integer.
    @inlinable @inline(__always)
    public mutating func add(_ wide: Int64) { join(UInt64(bitPattern: wide), UInt64(bitPattern: wide &>> 63)) }

    /// Adds the square of a real number, which is exact before it is truncated at
    /// 2⁻¹²⁸. The square must be less than 2⁶³.
    @inlinable @inline(__always)
    public mutating func addSquare(of x: Double) {
        let number = Significand(x)
        // 0, and numbers from 2⁻¹², whose square has no bit that does not count, to below 2³¹.
        let place = number.place(ofOne: 12)
        guard place | pending.full < 43 else { return addRareSquare(of: x) }
        pending.addSquare(of: number.magnitude, at: place &<< 1)
        pending.count &+= 1
    }

    @inlinable @inline(never)
    mutating func addRareSquare(of x: Double) { addAnyProduct(of: x, and: x) }

    /// Adds the product of two numbers that may be small or too large. Makes room for it.
    @inlinable @inline(__always)
    mutating func addAnyProduct(of x: Double, and y: Double) {
        if pending.full > 0 { settle() }
        guard x.magnitude < 0x1p63, y.magnitude < 0x1p63, (x * y).magnitude < 0x1p63 else {
            flags = 1
            return
        }
        let (a, b) = (Significand(x), Significand(y))
        let sign = Int64(bitPattern: a.bits ^ b.bits) &>> 63
        let (high, low) = PendingSum.product(a.magnitude, b.magnitude)
        // The place of the product's last bit is this, less 2022.
        let place = a.exponent &+ b.exponent
        if place >= 2022 {
            pending.add(high, low, sign, at: place &- 2022)
        } else if place > 2022 - 64 {
            let right = 2022 &- place
            pending.add(high &>> right, low &>> right | high &<< (64 &- right), sign, at: 0)
        } else if place > 2022 - 128 {
            pending.add(0, high &>> (2022 - 64 &- place), sign, at: 0)
        }
        pending.count &+= 1
    }

    /// Adds the square of an integer. The square must be less than 2⁶³.
    @inlinable
    public mutating func addSquare(of n: Int) { addSquare(of: Int64(n)) }

    /// Adds the square of an integer. The square must be less than 2⁶³.
    @inlinable
    public mutating func addSquare(of n: Int64) {
        // The square of the next integer is more than 2⁶³.
        let largest: Int64 = 3_037_000_499
        guard (-largest...largest).contains(n) else {
            flags = 1
            return
        }
        join(UInt64(bitPattern: n &* n), 0)
    }

    /// Adds upper · 2⁶⁴ + lower, as two's complement. Takes the carry without a jump, which numbers of both signs would
    /// mispredict.
    @inlinable @inline(__always)
    mutating func join(_ lower: UInt64, _ upper: UInt64) {
        let (sum, carry) = w2.addingReportingOverflow(lower)
        w2 = sum
        w3 = w3 &+ upper &+ UInt64(unsafeBitCast(carry, to: UInt8.self))
    }

    @inlinable @inline(__always)
    mutating func join(_ v0: UInt64, _ v1: UInt64, _ v2: UInt64, _ v3: UInt64) {
        let first = Self.plus(w0, v0, 0)
        let second = Self.plus(w1, v1, first.carry)
        let third = Self.plus(w2, v2, second.carry)
        (w0, w1, w2) = (first.sum, second.sum, third.sum)
        w3 = w3 &+ v3 &+ third.carry
    }

    @inlinable @inline(__always)
    static func plus(_ a: UInt64, _ b: UInt64, _ carry: UInt64) -> (sum: UInt64, carry: UInt64) {
        let (half, first) = a.addingReportingOverflow(b)
        let (sum, second) = half.addingReportingOverflow(carry)
        return (sum, (first ? 1 : 0) | (second ? 1 : 0))
    }

    /// Adds the pending numbers to the words, if any was counted there.
    @inlinable
    mutating func settle() { if pending.count > 0 { fold() } }

    /// Adds the pending numbers to the words.
    @inlinable @inline(never)
    mutating func fold() {
        let parts = pending.taken()
        for index in parts.indices {
            let part = parts[index]
            let sign = UInt64(bitPattern: part &>> 63)
            // Parts are 32 bits apart, and words 64.
            let isUpper = index & 1 != 0
            let low = UInt64(bitPattern: isUpper ? part &<< 32 : part)
            let high = isUpper ? UInt64(bitPattern: part &>> 32) : sign
            switch index &>> 1 {
            case 0: join(low, high, sign, sign)
            case 1: join(0, low, high, sign)
            default: join(0, 0, low, high)
            }
        }
    }

    /// The same sum with nothing pending.
    @inlinable
    var settled: ExactSum {
        var sum = self
        sum.settle()
        return sum
    }

    /// The same sum with nothing pending, whether or not it was counted.
    @inlinable
    var folded: ExactSum {
        var sum = self
        sum.fold()
        return sum
    }

    /// Adds all numbers of another sum. The result is spoilt if either is.
    @inlinable
    public mutating func merge(_ other: ExactSum) {
        let other = other.settled
        join(other.w0, other.w1, other.w2, other.w3)
        flags |= other.flags
    }

    /// Whether a number that was added was too large or NaN. A spoilt sum has no value.
    public var isSpoilt: Bool { flags != 0 }

    /// The sum, rounded once; nil if it is spoilt.
    public var value: Double? { isSpoilt ? nil : wide.double(scale: -128) }

    var wide: WideInteger {
        let sum = settled
        return WideInteger(twosComplement: [sum.w0, sum.w1, sum.w2, sum.w3])
    }

    public static var kind: FieldKind { .sum }
    public static func rules(_ add: (SlotRule, Int) -> Void) { add(.sum, 1) }

    @inlinable
    public func write(_ slots: inout SlotWriter) {
        let sum = settled
        slots.put(sum.w0)
        slots.put(sum.w1)
        slots.put(sum.w2)
        slots.put(sum.w3)
        slots.put(flags)
    }

    @inlinable
    public mutating func read(_ slots: inout SlotReader) {
        pending = PendingSum()
        w0 = slots.take()
        w1 = slots.take()
        w2 = slots.take()
        w3 = slots.take()
        flags = slots.take()
    }
}

extension ExactSum: Equatable {
    /// Whether two sums are equal.
    public static func == (a: ExactSum, b: ExactSum) -> Bool {
        let (x, y) = (a.settled, b.settled)
        return (x.w0, x.w1, x.w2, x.w3, x.flags) == (y.w0, y.w1, y.w2, y.w3, y.flags)
    }
}
