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
        let bits = x.bitPattern
        // Numbers from 2⁻⁷⁶, whose bits all count, to below 2⁶³.
        let place = (bits &>> 52 & 0x7ff) &- 947
        guard place < 139 else { return addRare(x) }
        pending.add(bits & 0xf_ffff_ffff_ffff | 1 &<< 52, at: place, sign: Int64(bitPattern: bits) &>> 63)
        if _slowPath(pending.isFull) { settle() }
    }

    /// Adds a number that is 0, very small or too large.
    @inlinable @inline(never)
    mutating func addRare(_ x: Double) {
        let bits = x.bitPattern
        let exponent = Int(truncatingIfNeeded: bits &>> 52) & 0x7ff
        // Nothing is left of less than 2⁻¹²⁸. Many numbers are 0.
        if exponent < 895 { return }
        // 2⁶³ has the exponent 1086. Infinity and NaN have 2047.
        guard exponent < 1086 else {
            flags = 1
            return
        }
        add(0, bits & 0xf_ffff_ffff_ffff | 1 &<< 52, shift: exponent - 947, negative: bits &>> 63)
    }

    /// Adds an integer.
    @inlinable @inline(__always)
    public mutating func add(_ n: Int) { add(Int64(n)) }

    /// Adds an integer.
    @inlinable @inline(__always)
    public mutating func add(_ wide: Int64) {
        let (sum, carry) = w2.addingReportingOverflow(UInt64(bitPattern: wide))
        w2 = sum
        w3 = w3 &+ UInt64(bitPattern: wide &>> 63) &+ (carry ? 1 : 0)
    }

    /// Adds the square of a real number, which is exact before it is truncated at
    /// 2⁻¹²⁸. The square must be less than 2⁶³.
    @inlinable @inline(__always)
    public mutating func addSquare(of x: Double) {
        let bits = x.bitPattern
        let exponent = bits &>> 52 & 0x7ff
        // Numbers from 2⁻¹², whose square has no bit that does not count, to below 2³¹.
        guard exponent &- 1011 < 43 else { return addRareSquare(of: x) }
        pending.addSquare(of: bits & 0xf_ffff_ffff_ffff | 1 &<< 52, at: 2 &* exponent &- 2022)
        if _slowPath(pending.isFull) { settle() }
    }

    /// Adds the square of a number that is 0 or small, or of one that may be too large.
    @inlinable @inline(never)
    mutating func addRareSquare(of x: Double) {
        let bits = x.bitPattern
        let exponent = Int(truncatingIfNeeded: bits &>> 52) & 0x7ff
        // Nothing is left of the square of less than 2⁻⁶⁴.
        if exponent < 959 { return }
        guard x * x < 0x1p63 else {
            flags = 1
            return
        }
        let significand = bits & 0xf_ffff_ffff_ffff | 1 &<< 52
        let square = significand.multipliedFullWidth(by: significand)
        add(square.high, square.low, shift: 2 * exponent - 2022, negative: 0)
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
        let square = n &* n
        let (sum, carry) = w2.addingReportingOverflow(UInt64(bitPattern: square))
        w2 = sum
        w3 &+= carry ? 1 : 0
    }

    /// Adds ±(high · 2⁶⁴ + low) · 2^shift units of 2⁻¹²⁸, truncated to whole units.
    /// The result must be less than 2¹⁹² units.
    @inlinable @inline(__always)
    mutating func add(_ high: UInt64, _ low: UInt64, shift: Int, negative: UInt64) {
        var v0: UInt64 = 0
        var v1: UInt64 = 0
        var v2: UInt64 = 0
        var v3: UInt64 = 0
        if shift < 0 {
            let right = UInt64(truncatingIfNeeded: min(-shift, 128))
            let inner = right & 63
            if right < 64 {
                v0 = low &>> inner | (high &<< 1) &<< (63 &- inner)
                v1 = high &>> inner
            } else if right < 128 {
                v0 = high &>> inner
            }
        } else {
            let inner = UInt64(truncatingIfNeeded: shift) & 63
            let a = low &<< inner
            let b = high &<< inner | (low &>> 1) &>> (63 &- inner)
            let c = (high &>> 1) &>> (63 &- inner)
            switch shift &>> 6 {
            case 0: (v0, v1, v2) = (a, b, c)
            case 1: (v1, v2, v3) = (a, b, c)
            default: (v2, v3) = (a, b)
            }
        }
        let mask = 0 &- negative
        join(v0 ^ mask, v1 ^ mask, v2 ^ mask, v3 ^ mask, carry: negative)
    }

    @inlinable @inline(__always)
    mutating func join(_ v0: UInt64, _ v1: UInt64, _ v2: UInt64, _ v3: UInt64, carry: UInt64 = 0) {
        let first = Self.plus(w0, v0, carry)
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

    /// Adds what is pending to the words.
    @inlinable @inline(never)
    mutating func settle() {
        guard pending.count > 0 else { return }
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
