import PotluckCore

/// Decodes a value from bytes that any node may have sent. Each read is bounded, and invalid bytes lead to a
/// `DecodingError`.
struct ValueDecoder: Decoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    fileprivate let coded: CodedValue
    fileprivate let depth: Int

    static func value<T: Decodable>(_ type: T.Type, of octets: [UInt8]) throws -> T {
        try Place(path: [], depth: 0).decode(type, try Place(path: [], depth: 0).whole(octets))
    }

    private var place: Place { Place(path: codingPath, depth: depth) }

    func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try Fields(coded, place))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try Items(coded, place) }
    func singleValueContainer() -> any SingleValueDecodingContainer { Single(place: place, coded: coded) }
}

/// A position in the value, for error messages and the limit on nesting.
private struct Place {
    let path: [any CodingKey]
    let depth: Int

    func inner(_ key: some CodingKey) -> Place { Place(path: path + [key], depth: depth) }

    func context(_ what: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: path, debugDescription: what)
    }

    /// Calls `body` and adds the position to its error.
    private func read<T>(_ body: () throws(WireError) -> T) throws -> T {
        do { return try body() } catch { throw DecodingError.dataCorrupted(context("\(error)")) }
    }

    func whole(_ octets: [UInt8]) throws -> CodedValue {
        try read { () throws(WireError) in try CodedValue(octets) }
    }

    func next(_ reader: inout ByteReader) throws -> CodedValue {
        try read { () throws(WireError) in try CodedValue(from: &reader) }
    }

    func field(_ reader: inout ByteReader) throws -> (String, CodedValue) {
        try read { () throws(WireError) in
            (try reader.text(limit: ValueLimits.octets), try CodedValue(from: &reader))
        }
    }

    func decoder(_ coded: CodedValue) throws -> ValueDecoder {
        guard depth < ValueLimits.depth else {
            throw DecodingError.dataCorrupted(context("values nested more than \(ValueLimits.depth) deep"))
        }
        return ValueDecoder(codingPath: path, coded: coded, depth: depth + 1)
    }

    func decode<T: Decodable>(_ type: T.Type, _ coded: CodedValue) throws -> T {
        guard let plain = type as? any PlainValue.Type else { return try type.init(from: decoder(coded)) }
        if let value = plain.init(coded) as? T { return value }
        // An earlier version of a program may have sent a list of wider numbers.
        if type == [UInt8].self, case .list = coded { return try type.init(from: decoder(coded)) }
        throw DecodingError.typeMismatch(type, context("a value of another type, or out of range"))
    }
}

private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let place: Place
    private var fields: [String: CodedValue] = [:]

    init(_ coded: CodedValue, _ place: Place) throws {
        self.place = place
        guard case .record(let octets) = coded else {
            throw DecodingError.typeMismatch([String: Any].self, place.context("not a record"))
        }
        var reader = ByteReader(octets)
        while !reader.isAtEnd {
            let (name, value) = try place.field(&reader)
            guard fields.updateValue(value, forKey: name) == nil else {
                throw DecodingError.dataCorrupted(place.context("two fields with the same name"))
            }
        }
    }

    var codingPath: [any CodingKey] { place.path }
    var allKeys: [Key] { fields.keys.compactMap { Key(stringValue: $0) } }
    func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }

    private func find(_ key: some CodingKey) throws -> CodedValue {
        guard let coded = fields[key.stringValue] else {
            throw DecodingError.keyNotFound(key, place.context("missing field '\(key.stringValue)'"))
        }
        return coded
    }

    func decodeNil(forKey key: Key) throws -> Bool { if case .null = try find(key) { true } else { false } }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try place.inner(key).decode(type, find(key))
    }

    // The standard library's default implementations for 128 bits throw.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try place.inner(key).decode(type, find(key)) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
        try place.inner(key).decode(type, find(key))
    }

    private func decoder(_ key: some CodingKey) throws -> ValueDecoder { try place.inner(key).decoder(find(key)) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(ValueKey(stringValue: ValueKey.parent)) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct Items: UnkeyedDecodingContainer {
    private let outer: Place
    private var reader: ByteReader
    /// Whether the list was coded as raw bytes, but is decoded as a list of numbers.
    private let isOctets: Bool
    private(set) var currentIndex = 0

    init(_ coded: CodedValue, _ place: Place) throws {
        outer = place
        switch coded {
        case .list(let octets): (reader, isOctets) = (ByteReader(octets), false)
        case .octets(let octets): (reader, isOctets) = (ByteReader(octets), true)
        default: throw DecodingError.typeMismatch([Any].self, place.context("not a list"))
        }
    }

    var codingPath: [any CodingKey] { outer.path }
    var count: Int? { nil }
    var isAtEnd: Bool { reader.isAtEnd }
    private var place: Place { outer.inner(ValueKey(intValue: currentIndex)) }

    /// Passes the next item to `body`. Stays at the item if `body` returns nil.
    private mutating func take<T>(_ body: (CodedValue, Place) throws -> T?) throws -> T? {
        guard !isAtEnd else { throw DecodingError.valueNotFound(Any.self, place.context("no more items")) }
        var rest = reader
        let coded: CodedValue
        if isOctets, let octet = try? rest.fixed(UInt8.self) {
            coded = .natural(UInt64(octet))
        } else {
            coded = try place.next(&rest)
        }
        guard let value = try body(coded, place) else { return nil }
        reader = rest
        currentIndex += 1
        return value
    }

    private mutating func must<T>(_ body: (CodedValue, Place) throws -> T) throws -> T {
        guard let value = try take({ .some(try body($0, $1)) }) else {
            throw DecodingError.valueNotFound(T.self, place.context("the item has another type, or is missing"))
        }
        return value
    }

    mutating func decodeNil() throws -> Bool {
        try take { coded, _ in if case .null = coded { true } else { nil } } ?? false
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try must { try $1.decode(type, $0) } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try must { try $1.decode(type, $0) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try must { try $1.decode(type, $0) } }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try must { try $1.decoder($0).container(keyedBy: type) } }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try must { try $1.decoder($0).unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try must { try $1.decoder($0) } }
}

private struct Single: SingleValueDecodingContainer {
    let place: Place
    let coded: CodedValue
    var codingPath: [any CodingKey] { place.path }

    func decodeNil() -> Bool { if case .null = coded { true } else { false } }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try place.decode(type, coded) }
    func decode(_ type: Int128.Type) throws -> Int128 { try place.decode(type, coded) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try place.decode(type, coded) }
}
