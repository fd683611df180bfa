import PotluckCore

/// A type that is coded without a container. These are types of the standard library, which code themselves only by
/// asking for one.
protocol PlainValue {
    func append(to writer: inout ByteWriter)
    /// Returns nil if the value has another type, or does not fit into this one.
    init?(_ coded: CodedValue)
}

extension ByteWriter {
    mutating func tag(_ tag: CodedValue.Tag) { fixed(tag.rawValue) }
}

extension PlainValue where Self: FixedWidthInteger {
    /// The coded form depends on the value and not on the type's width, so that a later version of a program may use a
    /// wider type.
    func append(to writer: inout ByteWriter) {
        if let natural = UInt64(exactly: self) {
            writer.tag(.natural)
            writer.varint(natural)
        } else if let small = Int64(exactly: self) {
            writer.tag(.negative)
            writer.varint(UInt64(bitPattern: ~small))
        } else if let signed = Int128(exactly: self) {
            writer.tag(.signed128)
            writer.fixed(signed)
        } else {
            writer.tag(.unsigned128)
            writer.fixed(UInt128(truncatingIfNeeded: self))
        }
    }

    init?(_ coded: CodedValue) {
        switch coded {
        case .natural(let value): self.init(exactly: value)
        case .negative(let missing): self.init(exactly: ~Int128(missing))
        case .signed128(let value): self.init(exactly: value)
        case .unsigned128(let value): self.init(exactly: value)
        default: return nil
        }
    }
}

extension Int: PlainValue {}
extension Int8: PlainValue {}
extension Int16: PlainValue {}
extension Int32: PlainValue {}
extension Int64: PlainValue {}
extension Int128: PlainValue {}
extension UInt: PlainValue {}
extension UInt8: PlainValue {}
extension UInt16: PlainValue {}
extension UInt32: PlainValue {}
extension UInt64: PlainValue {}
extension UInt128: PlainValue {}

extension Bool: PlainValue {
    func append(to writer: inout ByteWriter) { writer.tag(self ? .yes : .no) }

    init?(_ coded: CodedValue) {
        guard case .bool(let value) = coded else { return nil }
        self = value
    }
}

extension Float: PlainValue {
    func append(to writer: inout ByteWriter) {
        writer.tag(.float)
        writer.fixed(bitPattern)
    }

    init?(_ coded: CodedValue) {
        guard case .float(let value) = coded else { return nil }
        self = value
    }
}

extension Double: PlainValue {
    func append(to writer: inout ByteWriter) {
        writer.tag(.double)
        writer.fixed(bitPattern)
    }

    /// Also accepts a `Float`, which an earlier version of a program may have sent.
    init?(_ coded: CodedValue) {
        switch coded {
        case .float(let value): self.init(value)
        case .double(let value): self = value
        default: return nil
        }
    }
}

extension String: PlainValue {
    func append(to writer: inout ByteWriter) {
        writer.tag(.text)
        writer.text(self)
    }

    init?(_ coded: CodedValue) {
        guard case .text(let value) = coded else { return nil }
        self = value
    }
}

/// Coded as raw bytes. As a list each byte would take two, and messages of bytes are the most frequent.
extension [UInt8]: PlainValue {
    func append(to writer: inout ByteWriter) {
        writer.tag(.octets)
        writer.counted(self)
    }

    init?(_ coded: CodedValue) {
        guard case .octets(let octets) = coded else { return nil }
        self.init(octets)
    }
}
