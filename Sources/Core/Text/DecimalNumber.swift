/// A number in decimal digits, as a file has it. It is read without a string, and rounded once, as `Double` does it.
struct DecimalNumber {
    private var isNegative = false
    /// The digits as one integer.
    private var digits: UInt64 = 0
    /// The power of ten by which `digits` is multiplied.
    private var exponent = 0

    /// Reads a number at `start`. Returns it and the address after it. Returns nil if there is no number, or one of a
    /// rare form: more than nineteen digits, or a power of ten beyond 27. Then `Double` decides.
    static func read(_ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> (Double, UnsafePointer<UInt8>)? {
        var place = start
        var number = DecimalNumber()
        if place < end, place.pointee == UInt8(ascii: "-") || place.pointee == UInt8(ascii: "+") {
            number.isNegative = place.pointee == UInt8(ascii: "-")
            place += 1
        }
        guard number.readDigits(&place, end), number.readExponent(&place, end), let value = number.value else {
            return nil
        }
        return (value, place)
    }

    /// Reads digits with at most one point among them.
    private mutating func readDigits(_ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
        let start = place
        skipZeros(&place, end)
        var first = place
        addDigits(&place, end)
        var count = place - first
        var hasDigits = place > start
        if place < end, place.pointee == UInt8(ascii: ".") {
            place += 1
            let fraction = place
            if digits == 0 { skipZeros(&place, end) }
            first = place
            addDigits(&place, end)
            count += place - first
            exponent = fraction - place
            hasDigits = hasDigits || place > fraction
        }
        // Nineteen digits fit into 64 bits.
        return hasDigits && count <= 19
    }

    private func skipZeros(_ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
        while place < end, place.pointee == UInt8(ascii: "0") { place += 1 }
    }

    private mutating func addDigits(_ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
        while end - place >= 8 {
            let eight = UInt64(littleEndian: UnsafeRawPointer(place).loadUnaligned(as: UInt64.self))
            guard Self.areDigits(eight) else { break }
            digits = digits &* 100_000_000 &+ Self.value(of: eight)
            place += 8
        }
        while place < end, place.pointee &- UInt8(ascii: "0") < 10 {
            digits = digits &* 10 &+ UInt64(place.pointee &- UInt8(ascii: "0"))
            place += 1
        }
    }

    /// Whether all of eight characters are digits: the upper half of each is 3, also after adding 6.
    private static func areDigits(_ eight: UInt64) -> Bool {
        let upper: UInt64 = 0xf0f0_f0f0_f0f0_f0f0
        return (eight & upper) | ((eight &+ 0x0606_0606_0606_0606) & upper) &>> 4 == 0x3333_3333_3333_3333
    }

    /// The value of eight digits: of pairs, then of fours, then of all.
    private static func value(of eight: UInt64) -> UInt64 {
        let digits = eight & 0x0f0f_0f0f_0f0f_0f0f
        let pairs = ((digits &* 10) &+ (digits &>> 8)) & 0x00ff_00ff_00ff_00ff
        let fours = ((pairs &* 100) &+ (pairs &>> 16)) & 0x0000_ffff_0000_ffff
        return ((fours &* 10_000) &+ (fours &>> 32)) & 0xffff_ffff
    }

    private mutating func readExponent(_ place: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Bool {
        guard place < end, place.pointee | 32 == UInt8(ascii: "e") else { return true }
        place += 1
        var isDown = false
        if place < end, place.pointee == UInt8(ascii: "-") || place.pointee == UInt8(ascii: "+") {
            isDown = place.pointee == UInt8(ascii: "-")
            place += 1
        }
        let first = place
        var power = 0
        while place < end, place - first < 4, place.pointee &- UInt8(ascii: "0") < 10 {
            power = 10 * power + Int(place.pointee &- UInt8(ascii: "0"))
            place += 1
        }
        exponent += isDown ? -power : power
        return (1...3).contains(place - first)
    }

    /// The number, rounded once; nil if the power of ten is too large.
    private var value: Double? {
        guard exponent.magnitude < Self.fives.count else { return nil }
        let power = Int(exponent.magnitude)
        let magnitude: Double
        if digits == 0 {
            magnitude = 0
        } else if digits < 1 << 53, power < Self.tens.count {
            // Both are exact, so that the operation rounds once.
            magnitude = exponent < 0 ? Double(digits) / Self.tens[power] : Double(digits) * Self.tens[power]
        } else {
            magnitude = exponent < 0 ? quotient(by: Self.fives[power]) : product(with: Self.fives[power])
        }
        return isNegative ? -magnitude : magnitude
    }

    private func product(with five: UInt64) -> Double {
        let (left, right) = (digits.leadingZeroBitCount, five.leadingZeroBitCount)
        let (high, low) = (digits &<< left).multipliedFullWidth(by: five &<< right)
        return Self.rounded(high, hasMore: low != 0, exponent: 64 - left - right + exponent)
    }

    private func quotient(by five: UInt64) -> Double {
        let (left, right) = (digits.leadingZeroBitCount, five.leadingZeroBitCount)
        let dividend = digits &<< left
        // Half of the dividend is less than the divisor, so that the quotient fits.
        let (quotient, rest) = (five &<< right).dividingFullWidth((dividend &>> 1, dividend &<< 63))
        return Self.rounded(quotient, hasMore: rest != 0, exponent: 1 - left + right - 64 + exponent)
    }

    /// Returns n · 2^exponent with 53 bits, to the nearest and then to the even one. `n` has at least 62 bits. If `hasMore`,
    /// the true number is a little larger.
    private static func rounded(_ n: UInt64, hasMore: Bool, exponent: Int) -> Double {
        let dropped = UInt64(11 - n.leadingZeroBitCount)
        let (rest, half) = (n & ((1 &<< dropped) - 1), 1 &<< (dropped - 1) as UInt64)
        let kept = n &>> dropped
        let isUp = rest > half || rest == half && (hasMore || kept & 1 == 1)
        // A power of two, which multiplies exactly.
        let scale = Double(bitPattern: UInt64(1023 + exponent + Int(dropped)) &<< 52)
        return Double(isUp ? kept + 1 : kept) * scale
    }

    /// The powers of ten that are exact.
    private static let tens = (0...22).map { (0..<$0).reduce(1.0) { product, _ in product * 10 } }
    /// The powers of five below 2⁶⁴.
    private static let fives = (0...27).map { (0..<$0).reduce(1 as UInt64) { product, _ in product * 5 } }
}
