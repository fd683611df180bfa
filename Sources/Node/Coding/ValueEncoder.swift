import PotluckCore

/// Encodes any `Encodable` compactly. Fields have names, so that neighbouring versions of a program may add some.
struct ValueEncoder: Encoder {
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    fileprivate let draft: Draft

    static func octets(of value: some Encodable) throws -> [UInt8] {
        let draft = Draft(depth: 0)
        try draft.add(value, [])
        let octets = draft.body
        if let problem = draft.problem { throw EncodingError.invalidValue(value, problem) }
        return octets
    }

    func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        draft.become(.record, codingPath)
        return KeyedEncodingContainer(Fields(codingPath: codingPath, draft: draft))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        draft.become(.list, codingPath)
        return Items(codingPath: codingPath, draft: draft)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        draft.become(.single, codingPath)
        return Single(codingPath: codingPath, draft: draft)
    }
}

/// A value that is being encoded: its bytes so far, and the nested values that must be inserted into them.
private final class Draft {
    enum Shape { case single, list, record }

    let depth: Int
    /// Nil until the value asks for a container.
    private var shape: Shape?
    private var writer = ByteWriter(reserving: 0)
    private var parts: [(at: Int, draft: Draft)] = []
    private var names: Set<String> = []
    private(set) var count = 0
    private var trouble: EncodingError.Context?

    init(depth: Int) { self.depth = depth }

    /// The first error that could not be thrown where it occurred.
    var problem: EncodingError.Context? { trouble ?? parts.lazy.compactMap(\.draft.problem).first }

    func become(_ shape: Shape, _ path: [any CodingKey]) {
        if let old = self.shape, old != shape { fail("a value that asks for two kinds of containers", path) }
        self.shape = shape
    }

    private func fail(_ what: String, _ path: [any CodingKey]) {
        trouble = EncodingError.Context(codingPath: path, debugDescription: what)
    }

    func addNull() {
        count += 1
        writer.tag(.null)
    }

    func add(_ value: some Encodable, _ path: [any CodingKey]) throws {
        count += 1
        if let plain = value as? any PlainValue {
            plain.append(to: &writer)
        } else {
            let draft = Draft(depth: depth + 1)
            guard draft.depth <= ValueLimits.depth else {
                throw EncodingError.invalidValue(
                    value,
                    .init(codingPath: path, debugDescription: "values nested more than \(ValueLimits.depth) deep"))
            }
            try value.encode(to: ValueEncoder(codingPath: path, draft: draft))
            let octets = draft.octets
            if let problem = draft.problem { throw EncodingError.invalidValue(value, problem) }
            writer.raw(octets)
        }
        guard writer.bytes.count <= ValueLimits.octets else {
            throw EncodingError.invalidValue(
                value, .init(codingPath: path, debugDescription: "more than \(ValueLimits.octets) bytes"))
        }
    }

    func name(_ key: some CodingKey, _ path: [any CodingKey]) {
        if !names.insert(key.stringValue).inserted { fail("two fields with the name '\(key.stringValue)'", path) }
        writer.text(key.stringValue)
    }

    /// Starts a nested value, which may be extended until the whole is finished.
    func part(_ path: [any CodingKey]) -> Draft {
        count += 1
        let part = Draft(depth: depth + 1)
        if part.depth <= ValueLimits.depth {
            parts.append((writer.bytes.count, part))
        } else {
            fail("values nested more than \(ValueLimits.depth) deep", path)
        }
        return part
    }

    var body: [UInt8] {
        guard !parts.isEmpty else { return writer.bytes }
        var whole: [UInt8] = []
        var done = 0
        for (at, draft) in parts {
            whole += writer.bytes[done..<at]
            whole += draft.octets
            done = at
        }
        whole += writer.bytes[done...]
        if whole.count > ValueLimits.octets { fail("more than \(ValueLimits.octets) bytes", []) }
        return whole
    }

    /// A value that asked for no container is encoded as a record without fields.
    private var octets: [UInt8] {
        let body = body
        if shape == .single {
            if count != 1 { fail("a single-value container without exactly one value", []) }
            return body
        }
        var whole = ByteWriter(reserving: body.count + 8)
        whole.tag(shape == .list ? .list : .record)
        whole.counted(body)
        return whole.bytes
    }
}

private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let codingPath: [any CodingKey]
    let draft: Draft

    func encodeNil(forKey key: Key) {
        draft.name(key, codingPath)
        draft.addNull()
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encode(anything: value, key) }

    private func encode(anything value: some Encodable, _ key: Key) throws {
        draft.name(key, codingPath)
        try draft.add(value, codingPath + [key])
    }

    // The standard library's default implementations for 128 bits throw.
    func encode(_ value: Int128, forKey key: Key) throws { try encode(anything: value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try encode(anything: value, key) }

    private func encoder(_ key: some CodingKey) -> ValueEncoder {
        draft.name(key, codingPath)
        return ValueEncoder(codingPath: codingPath + [key], draft: draft.part(codingPath))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder(ValueKey(stringValue: ValueKey.parent)) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }
}

private struct Items: UnkeyedEncodingContainer {
    let codingPath: [any CodingKey]
    let draft: Draft
    var count: Int { draft.count }
    private var path: [any CodingKey] { codingPath + [ValueKey(intValue: count)] }

    func encodeNil() { draft.addNull() }
    func encode<T: Encodable>(_ value: T) throws { try draft.add(value, path) }
    func encode(_ value: Int128) throws { try draft.add(value, path) }
    func encode(_ value: UInt128) throws { try draft.add(value, path) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        ValueEncoder(codingPath: path, draft: draft.part(path)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        ValueEncoder(codingPath: path, draft: draft.part(path)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { ValueEncoder(codingPath: path, draft: draft.part(path)) }
}

private struct Single: SingleValueEncodingContainer {
    let codingPath: [any CodingKey]
    let draft: Draft

    func encodeNil() { draft.addNull() }
    func encode<T: Encodable>(_ value: T) throws { try draft.add(value, codingPath) }
    func encode(_ value: Int128) throws { try draft.add(value, codingPath) }
    func encode(_ value: UInt128) throws { try draft.add(value, codingPath) }
}
