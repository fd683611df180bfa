/// The output of a block. The outputs of all blocks are joined in order.
public struct Output: Sendable {
    /// The bytes written so far.
    public private(set) var octets: [UInt8] = []

    /// Creates an empty output.
    public init() {}

    /// Appends text without changing it.
    @inlinable
    public mutating func write(_ text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount { put(text.utf8Start[index]) }
    }

    /// Appends text without changing it.
    @_disfavoredOverload
    public mutating func write(_ text: String) {
        for octet in text.utf8 { octets.append(octet) }
    }

    /// Appends an integer of any type in decimal digits.
    @inlinable
    public mutating func write(_ number: some FixedWidthInteger) {
        if number < 0 { put(45 as UInt8) }
        write(UInt64(number.magnitude))
    }

    /// Appends a real number as the shortest text that reads as the same number, such as 0.1, -3.0, 1e+100, inf or nan.
    public mutating func write(_ number: Double) { write(number.isNaN ? "nan" : number.description) }

    /// Appends text and a line feed.
    @inlinable
    public mutating func line(_ text: StaticString) {
        write(text)
        put(10 as UInt8)
    }

    /// Appends text and a line feed.
    @_disfavoredOverload
    public mutating func line(_ text: String) {
        write(text)
        put(10 as UInt8)
    }

    /// Appends an integer of any type in decimal digits, and a line feed.
    @inlinable
    public mutating func line(_ number: some FixedWidthInteger) {
        write(number)
        put(10 as UInt8)
    }

    /// Appends a real number as `write` does, and a line feed.
    public mutating func line(_ number: Double) {
        write(number)
        put(10 as UInt8)
    }

    /// Appends a number in decimal digits.
    public mutating func write(_ number: UInt64) {
        var divisor: UInt64 = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            octets.append(UInt8(truncatingIfNeeded: number / divisor % 10) + 48)
            divisor /= 10
        }
    }

    /// Appends a real number of a row as its eight bytes, lowest first. Every NaN
    /// has the same bytes on every processor.
    public mutating func put(_ number: Double) {
        let bits = (number.isNaN ? Double.nan : number).bitPattern.littleEndian
        withUnsafeBytes(of: bits) { octets.append(contentsOf: $0) }
    }

    /// Appends the real numbers of a row, as `put` of each does. Copying all of them at once is faster.
    public mutating func put(_ numbers: ArraySlice<Double>) {
        #if _endian(little)
            if !numbers.contains(where: { $0.isNaN }) {
                return numbers.withUnsafeBytes { octets.append(contentsOf: $0) }
            }
        #endif
        for number in numbers { put(number) }
    }

    /// Appends a byte.
    @_disfavoredOverload
    public mutating func put(_ octet: UInt8) { octets.append(octet) }
}
