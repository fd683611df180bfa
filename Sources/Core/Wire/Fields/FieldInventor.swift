/// Makes up the values of fields: extremes, noise, and values that its owner has seen. A reader accepts what it makes up.
/// The simulator's forger and the tests have their messages from it.
package struct FieldInventor: FieldVisitor, ByteVisitor {
    package typealias Bytes = FieldInventor

    package var random: SeededGenerator
    /// Values that most fields of these types have.
    package var jobs: [JobID] = []
    package var known: [NodeID] = []
    package var blobs: [BlobReference] = []
    package var experiments: [Experiment] = []
    /// How many slots most tallies have; nil for any number.
    package var usualSlots: Int?
    /// Makes up a text, of which a field has as much as fits.
    package var word: @Sendable (inout SeededGenerator) -> String

    package init(random: SeededGenerator, word: @escaping @Sendable (inout SeededGenerator) -> String) {
        (self.random, self.word) = (random, word)
    }

    /// How often a value is made up anew that breaks a rule.
    private static let attempts = 8
    /// The most items of a list, values without tags, and bytes.
    private static let (mostItems, mostValues, mostOctets) = (5, 20, 300)
    private static let extremes: [UInt64] = [
        0, 1, .max, .max - 1, 1 << 53, 1 << 60, (1 << 60) - 1, 1 << 59, 1 << 63, 1 << 62, (1 << 32) - 1, 1 << 16,
    ]

    /// Returns a value of the case with this number; nil if the rules allow none of what was made up.
    package mutating func value<Value: WireUnion>(_ number: UInt64, _: Value.Type = Value.self) -> Value? {
        guard let blank = Value.cases.blank(number) else { return nil }
        return try? filled(blank) { (v: inout Self, value: inout Value) throws(WireError) in try value.visitCase(&v) }
    }

    private mutating func filled<Value>(
        _ blank: Value, _ visit: (inout Self, inout Value) throws(WireError) -> Void
    ) throws(WireError) -> Value {
        for _ in 1..<Self.attempts {
            var value = blank
            do throws(WireError) { try visit(&self, &value) } catch { continue }
            return value
        }
        var value = blank
        try visit(&self, &value)
        return value
    }

    // MARK: Chance

    package mutating func below(_ bound: Int) -> Int { Int(random.next(below: UInt64(max(1, bound)))) }
    package mutating func chance(_ part: Double) -> Bool { random.fraction() < part }
    package mutating func one<Value>(of values: [Value]) -> Value? {
        values.isEmpty ? nil : values[below(values.count)]
    }
    package mutating func octets(_ count: Int) -> [UInt8] { random.octets(count) }

    package mutating func number(atMost most: UInt64 = .max) -> UInt64 {
        switch below(5) {
        case 0: min(Self.extremes[below(Self.extremes.count)], most)
        case 1: most - min(most, UInt64(below(3)))
        case 2: min(UInt64(below(1 << below(20))), most)
        case 3: min(1 << UInt64(below(64)), most)
        default: min(random.next() >> UInt64(below(64)), most)
        }
    }

    package mutating func text(atMost limit: Int = .max) -> String { word(&random).line(limit: limit) }

    package mutating func job() -> JobID { chance(0.8) ? one(of: jobs) ?? JobID(1) : JobID(max(1, number())) }

    package mutating func node() -> NodeID {
        chance(0.7) ? one(of: known) ?? .nobody : NodeID(firstOctetsOf: octets(NodeID.length))
    }

    private mutating func seen<Value>(_: Value.Type) -> Value? {
        if Value.self == Experiment.self, chance(0.8) { return one(of: experiments) as? Value }
        if Value.self == BlobReference.self, chance(0.5) { return one(of: blobs) as? Value }
        return nil
    }

    // MARK: Fields

    package mutating func kind(_ number: UInt64) {}

    package mutating func union<Value: WireUnion>(
        _ tag: UInt64?, _ value: inout Value, of cases: @autoclosure () -> WireCases<Value>
    ) throws(WireError) {
        value = try filled(one(of: cases().all) ?? value) { (v: inout Self, value: inout Value) throws(WireError) in
            try value.visitCase(&v)
        }
    }

    package mutating func number(_ tag: UInt64, _ value: inout UInt64, atMost limit: UInt64) {
        value = chance(0.1) ? 0 : number(atMost: limit)
    }

    package mutating func flag(_ tag: UInt64, _ value: inout Bool) { value = chance(0.5) }

    package mutating func one<Value: WireNumbered>(_ tag: UInt64, _ value: inout Value) {
        value = one(of: (1...16).compactMap { Value(wireNumber: $0) }) ?? value
    }

    /// Makes up eight bytes, or nil if the blank value has none.
    package mutating func fixed(_ tag: UInt64, _ value: inout UInt64?) {
        if value == nil, chance(0.5) { return }
        value = chance(0.5) ? number() : Double(number()).bitPattern
    }

    package mutating func job(_ tag: UInt64, _ value: inout JobID?) { if value != nil || chance(0.5) { value = job() } }

    package mutating func id<ID: WireID>(_ tag: UInt64, _ value: inout ID?) {
        if value == nil, chance(0.5) { return }
        switch ID.self {
        case is NodeID.Type: value = ID(node().octets)
        case is BlobHash.Type where chance(0.5): value = ID(one(of: blobs)?.hash.octets ?? octets(ID.length))
        default: value = ID(octets(ID.length))
        }
    }

    package mutating func nodes(_ tag: UInt64, _ nodes: inout [NodeID], atMost limit: Int) {
        nodes = (0..<below(Self.mostItems)).map { _ in node() }
    }

    package mutating func octets(_ tag: UInt64, _ value: inout [UInt8], atMost limit: Int) {
        value = octets(below(min(limit, Self.mostOctets) + 1))
    }

    package mutating func slice(_ tag: UInt64, _ value: inout ArraySlice<UInt8>, atMost limit: Int) {
        value = octets(below(min(limit, Self.mostOctets) + 1))[...]
    }

    package mutating func text(_ tag: UInt64, _ value: inout String, atMost limit: Int) { value = text(atMost: limit) }

    package mutating func slots(_ tag: UInt64, _ value: inout [UInt64], atMost limit: Int) {
        let usual = chance(0.8) ? usualSlots : nil
        let count = limit == 2 ? 2 * below(2) : min(usual ?? below(2 * Self.mostItems), limit)
        value = (0..<count).map { _ in number() }
    }

    package mutating func packed<Value>(
        _ tag: UInt64, _ value: inout Value, _ visit: (inout Self, inout Value) throws(WireError) -> Void
    ) throws(WireError) { try visit(&self, &value) }

    package mutating func record<Value>(
        _ tag: UInt64, _ value: inout Value, _ visit: (inout Self, inout Value) throws(WireError) -> Void
    ) throws(WireError) { if let seen = seen(Value.self) { value = seen } else { value = try filled(value, visit) } }

    package mutating func optional<Value: WireRecord>(_ tag: UInt64, _ value: inout Value?) throws(WireError) {
        if chance(0.5) { return }
        var some = Value.blank
        try record(tag, &some)
        value = some
    }

    package mutating func list<Item>(
        _ tag: UInt64, _ items: inout [Item], blank: Item, atMost limit: Int, each longest: Int,
        _ visit: (inout Self, inout Item) throws(WireError) -> Void
    ) { items = (0..<below(min(limit, Self.mostItems) + 1)).compactMap { _ in try? filled(blank, visit) } }

    package mutating func texts(_ tag: UInt64, _ items: inout [String], atMost limit: Int, each longest: Int) {
        items = (0..<below(min(limit, Self.mostItems) + 1)).map { _ in text(atMost: longest) }
    }

    package func check(_ isValid: @autoclosure () -> Bool, _ what: @autoclosure () -> String) throws(WireError) {
        guard isValid() else { throw .malformed(what()) }
    }

    package mutating func skip(unless isKnown: Bool) {}

    // MARK: Values without tags

    package var isReading: Bool { true }

    package mutating func varint(_ value: inout UInt64) { value = number() }
    package mutating func number(_ value: inout Int, atMost limit: Int) { value = Int(number(atMost: UInt64(limit))) }
    package mutating func fixed<T: FixedWidthInteger>(_ value: inout T) { value = T(truncatingIfNeeded: number()) }
    package mutating func raw(_ octets: inout [UInt8], count: Int) { octets = self.octets(min(count, Self.mostOctets)) }

    package mutating func counted(_ octets: inout [UInt8], atMost limit: Int) {
        octets = self.octets(below(min(limit, Self.mostOctets) + 1))
    }

    package mutating func rest<Item>(
        _ items: inout [Item], blank: Item, atMost limit: Int,
        _ visit: (inout Self, inout Item) throws(WireError) -> Void
    ) {
        let most = min(limit, Self.mostValues)
        items = (0..<(chance(0.4) ? most : below(most + 1))).compactMap { _ in try? filled(blank, visit) }
    }
}
