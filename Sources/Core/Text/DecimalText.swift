/// Writes real numbers with as few digits as restore them. The text is the same as `Double.description` without the
/// `.0` of a whole number, and takes a third of the time.
package enum DecimalText {
    /// Room for the longest number: 2^-1074 · (2^53 − 1) has a sign, seventeen digits, a point and an exponent.
    package static let longest = 32

    /// Writes a number and returns the address after it.
    package static func write(_ number: Double, at start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        guard let (digits, places) = shortest(number.magnitude) else { return writeRare(number, at: start) }
        var place = start
        if number.sign == .minus {
            place.pointee = UInt8(ascii: "-")
            place += 1
        }
        guard places > 0 else { return write(digits, count: count(of: digits), at: place) }
        let (whole, fraction) = digits.quotientAndRemainder(dividingBy: tens[min(places, 19)])
        place = write(whole, count: count(of: whole), at: place)
        place.pointee = UInt8(ascii: ".")
        return write(fraction, count: places, at: place + 1)
    }

    /// Writes `count` digits, from the last to the first.
    private static func write(
        _ digits: UInt64, count: Int, at start: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var (rest, place) = (digits, count)
        while place >= 2 {
            let two = rest % 100
            rest /= 100
            place -= 2
            start[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: two / 10)
            start[place + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: two % 10)
        }
        if place > 0 { start[0] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest) }
        return start + count
    }

    /// How many digits a number has; 0 has one.
    private static func count(of digits: UInt64) -> Int {
        var count = 1
        while count < tens.count, digits >= tens[count] { count += 1 }
        return count
    }

    private static func writeRare(
        _ number: Double, at start: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var rare = number.description
        return rare.withUTF8 {
            let isWhole = $0.count > 2 && $0[$0.count - 2] == UInt8(ascii: ".") && $0.last == UInt8(ascii: "0")
            for (index, digit) in $0.dropLast(isWhole ? 2 : 0).enumerated() { start[index] = digit }
            return start + ($0.count - (isWhole ? 2 : 0))
        }
    }

    /// Returns digits and how many of them are after the point. Returns nil for numbers that are written with an exponent,
    /// and where several texts are equally good.
    ///
    /// A number is c · 2^q. Every text between (c − ½) · 2^q and (c + ½) · 2^q restores it. Scaled by the power of ten
    /// that makes this range from 1 to 10 wide, it contains a whole number, and perhaps one that ends with 0, which is
    /// shorter.
    private static func shortest(_ number: Double) -> (digits: UInt64, places: Int)? {
        if number < 0x1p53, number == number.rounded(.towardZero) { return (UInt64(number), 0) }
        let exponent = Int(number.exponentBitPattern) - 1075
        // Powers of two have a narrower range below them.
        guard (leastExponent...(-1)).contains(exponent), number.significandBitPattern != 0 else { return nil }
        let places = Self.places[-exponent]
        let five = fives[places]
        // In units of 2^-fraction: the number, and half the range.
        let fraction = UInt64(1 - exponent - places)
        let (high, low) = ((1 &<< 52 | number.significandBitPattern) &<< 1).multipliedFullWidth(by: five)
        let whole = high &<< (64 - fraction) | low &>> fraction
        let rest = Int64(low & (1 &<< fraction &- 1))
        let (half, reach) = (Int64(1) &<< (fraction &- 1), Int64(five))
        let last = whole % 10
        let (below, above) = (Int64(last) &<< fraction &+ rest, Int64(10 &- last) &<< fraction &- rest)
        if below < reach { return stripped(whole &- last, places) }
        if above < reach { return stripped(whole &- last &+ 10, places) }
        guard below != reach, above != reach, rest != half else { return nil }
        return (rest > half ? whole &+ 1 : whole, places)
    }

    /// Removes zeros at the end.
    private static func stripped(_ digits: UInt64, _ places: Int) -> (digits: UInt64, places: Int) {
        var (digits, places) = (digits, places)
        while places > 0, digits % 10 == 0 {
            digits /= 10
            places -= 1
        }
        return (digits, places)
    }

    /// The exponent of 2⁻¹³. Smaller numbers may need an exponent in their text.
    private static let leastExponent = -65

    /// The least decimal places with which 2^-index is at least 1.
    private static let places = (0...65).map { index in
        var (size, places) = (Double(sign: .plus, exponent: -index, significand: 1), 0)
        while size < 1 {
            size *= 10
            places += 1
        }
        return places
    }

    /// The powers of ten. No number has more than eighteen digits.
    private static let tens = (0...19).map { (0..<$0).reduce(1 as UInt64) { product, _ in product * 10 } }

    /// The powers of five.
    private static let fives = (0...20).map { (0..<$0).reduce(1 as UInt64) { product, _ in product * 5 } }
}
