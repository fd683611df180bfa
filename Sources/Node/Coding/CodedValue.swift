import PotluckCore

/// Limits for coded values. They hold for encoding and decoding.
enum ValueLimits {
    /// The most bytes of a coded value: the content of one message.
    static let octets = Parcel.maximumContent
    /// The most levels of nested values. Each level takes a few stack frames, and a thread of the pool has half a
    /// megabyte of stack. An enum with associated values takes two levels.
    static let depth = 64
}

/// A coded value whose content is not decoded yet. Lists and records carry their length, so that a reader can skip
/// them.
enum CodedValue {
    case null
    case bool(Bool)
    case natural(UInt64)
    /// The bitwise complement of the number: 0 stands for -1, 1 for -2.
    case negative(UInt64)
    case signed128(Int128)
    case unsigned128(UInt128)
    case float(Float)
    case double(Double)
    case text(String)
    case octets(ArraySlice<UInt8>)
    case list(ArraySlice<UInt8>)
    case record(ArraySlice<UInt8>)

    /// Append-only, like everything that is sent over a link.
    enum Tag: UInt8 {
        case null = 0
        case no = 1
        case yes = 2
        case natural = 3
        case negative = 4
        case signed128 = 5
        case unsigned128 = 6
        case float = 7
        case double = 8
        case text = 9
        case octets = 10
        case list = 11
        case record = 12
    }

    init(from reader: inout ByteReader) throws(WireError) {
        guard let tag = Tag(rawValue: try reader.fixed()) else { throw .malformed("a value of an unknown kind") }
        self =
            switch tag {
            case .null: .null
            case .no: .bool(false)
            case .yes: .bool(true)
            case .natural: .natural(try reader.varint())
            case .negative: .negative(try reader.varint())
            case .signed128: .signed128(try reader.fixed())
            case .unsigned128: .unsigned128(try reader.fixed())
            case .float: .float(Float(bitPattern: try reader.fixed()))
            case .double: .double(Double(bitPattern: try reader.fixed()))
            case .text: .text(try reader.text(limit: ValueLimits.octets))
            case .octets: .octets(try reader.counted(limit: ValueLimits.octets))
            case .list: .list(try reader.counted(limit: ValueLimits.octets))
            case .record: .record(try reader.counted(limit: ValueLimits.octets))
            }
    }

    /// Reads one value from `octets`. Throws if anything follows it.
    init(_ octets: [UInt8]) throws(WireError) {
        guard octets.count <= ValueLimits.octets else { throw .tooLong(limit: ValueLimits.octets) }
        var reader = ByteReader(octets)
        self = try Self(from: &reader)
        guard reader.isAtEnd else { throw .malformed("octets after the value") }
    }
}
