/// The text of a note or in a picture: a literal with integers, real numbers, flags and texts in it.
///
/// It is written octet by octet. The code of Swift's `String` would make a module twice as large, and compiling it would take
/// twice as long.
public struct NoteText: ExpressibleByStringInterpolation {
    let octets: [UInt8]

    /// A text without values.
    @inline(never)
    public init(stringLiteral text: StaticString) {
        var written = Output()
        written.write(text)
        octets = written.octets
    }

    /// A text with values in it.
    @inline(never)
    public init(stringInterpolation parts: Parts) { octets = parts.written.octets }

    /// The parts of a text, one after the other.
    public struct Parts: StringInterpolationProtocol {
        fileprivate var written = Output()

        /// Begins a text.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends what the author typed.
        @inline(never)
        public mutating func appendLiteral(_ text: StaticString) { written.write(text) }

        /// Appends an integer in decimal digits.
        @inline(never)
        public mutating func appendInterpolation(_ number: some FixedWidthInteger) { written.write(number) }

        /// Appends a real number as the shortest text that reads as the same number.
        @inline(never)
        public mutating func appendInterpolation(_ number: Double) { written.write(number) }

        /// Appends a real number of 32 bits in the same way.
        @inline(never)
        public mutating func appendInterpolation(_ number: Float) { written.write(number.description) }

        /// Appends `true` or `false`.
        @inline(never)
        public mutating func appendInterpolation(_ flag: Bool) { written.write(flag ? "true" : "false") }

        /// Appends a constant text.
        @inline(never)
        public mutating func appendInterpolation(_ text: StaticString) { written.write(text) }

        /// Appends a text.
        @_disfavoredOverload
        @inline(never)
        public mutating func appendInterpolation(_ text: String) { written.write(text) }

        /// Not for simulations: Embedded Swift has no text for most values.
        @available(
            *, unavailable,
            message:
                "this value has no text in a plugin; interpolate a number or a String, such as a name of your own for each case"
        )
        public mutating func appendInterpolation<T>(_ value: T) {}
    }
}
