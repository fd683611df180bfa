import PotluckCore
import PotluckKit
import Testing

@testable import Potluck

/// Test values, with at least one field of every kind that the compiler makes `Codable`.
private indirect enum Shape: Codable, Hashable {
    case dot
    case circle(radius: Double, Float)
    case group([Shape], name: String?)
}

private struct Sheet: Codable, Hashable {
    enum Size: String, Codable { case a4, letter }
    struct Key: Codable, Hashable { var row: Int16 }

    var small: Int8 = 0, signed: Int = 0, wide: Int64 = 0, huge: Int128 = 0
    var byte: UInt8 = 0, short: UInt16 = 0, middle: UInt32 = 0, natural: UInt64 = 0, widest: UInt128 = 0
    var isOn = false
    var text = ""
    var perhaps: Int32??
    var size = Size.a4
    var shape = Shape.dot
    var octets: [UInt8] = []
    var numbers: [Int?] = []
    var byName: [String: [Double]] = [:]
    var byNumber: [Int: Bool] = [:]
    var byKey: [Key: String] = [:]
    var set: Set<UInt8> = []
}

private struct Dice {
    var stream: RandomStream
    init(_ seed: UInt64) { stream = RandomStream(seed: seed, block: 4, lane: 0) }

    /// Returns a random integer, shifted so that small and large values are equally likely.
    mutating func number<T: FixedWidthInteger>() -> T {
        let octets = (0..<16).reduce(UInt128(0)) { sum, _ in sum << 8 | UInt128(stream.next64() & 0xff) }
        return T(truncatingIfNeeded: octets) >> T(stream.integer(in: 0...T.bitWidth - 1))
    }
    mutating func list<T>(_ item: (inout Dice) -> T) -> [T] { (0..<stream.integer(in: 0...4)).map { _ in item(&self) } }
    mutating func text() -> String {
        list { $0.stream.choice(of: ["a", "Grü", "😀", "\0", " "]) ?? "" }.joined()
    }
    mutating func double() -> Double { Double(number() as Int64) / 1024 }

    mutating func shape(_ depth: Int = 0) -> Shape {
        switch stream.integer(in: 0...(depth < 4 ? 2 : 1)) {
        case 0: .dot
        case 1: .circle(radius: double(), Float(number() as Int16))
        default: .group(list { $0.shape(depth + 1) }, name: stream.chance(0.5) ? text() : nil)
        }
    }

    mutating func sheet() -> Sheet {
        Sheet(
            small: number(), signed: number(), wide: number(), huge: number(), byte: number(), short: number(),
            middle: number(), natural: number(), widest: number(), isOn: stream.chance(0.5), text: text(),
            perhaps: stream.chance(0.5) ? .some(.some(number())) : nil, size: stream.chance(0.5) ? .a4 : .letter,
            shape: shape(), octets: list { $0.number() }, numbers: list { $0.stream.chance(0.3) ? nil : $0.number() },
            byName: .init(list { ($0.text(), $0.list { $0.double() }) }) { $1 },
            byNumber: .init(list { ($0.number(), $0.stream.chance(0.5)) }) { $1 },
            byKey: .init(list { (.init(row: $0.number()), $0.text()) }) { $1 }, set: Set(list { $0.number() }))
    }
}

@Suite struct CodingTests {
    private func coded<T: Codable>(_ value: T) throws -> T {
        try ValueDecoder.value(T.self, of: ValueEncoder.octets(of: value))
    }

    @Test func encodedValuesDecode() throws {
        for seed: UInt64 in 0..<300 {
            var dice = Dice(seed)
            let sheet = dice.sheet()
            #expect(try coded(sheet) == sheet, "\(seed)")
        }
        #expect(try coded(Int.min) == .min && coded(UInt128.max) == .max && coded(Int128.min) == .min)
        #expect(try coded(Double.nan).isNaN && coded(-0.0).sign == .minus && coded(Float.infinity) == .infinity)
        #expect(try coded([Int?]([nil, 1])) == [nil, 1] && coded(String?.none) == nil && coded([Bool]()) == [])
    }

    @Test func goldenOctets() throws {
        struct Point: Codable, Equatable {
            var x: Int, y: Int, name: String?, to: [Double]
        }
        let point = Point(x: 300, y: -2, name: "ü", to: [1])
        // A record of 32 bytes: x, natural 300; y, negative, stored as -1 - y = 1; name, a text; to, a list of 9 bytes
        // with a double.
        let octets: [UInt8] =
            [12, 32, 1, 0x78, 3, 0xac, 2, 1, 0x79, 4, 1, 4, 0x6e, 0x61, 0x6d, 0x65, 9, 2, 0xc3, 0xbc]
            + [2, 0x74, 0x6f, 11, 9, 8, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]
        #expect(try ValueEncoder.octets(of: point) == octets)
        #expect(try ValueDecoder.value(Point.self, of: octets) == point)
        #expect(try ValueEncoder.octets(of: [UInt8]([7, 8])) == [10, 2, 7, 8])
    }

    /// The decoder skips unknown fields. A missing field decodes as nil if it is optional and throws otherwise.
    @Test func neighboursUnderstandEachOther() throws {
        struct Old: Codable, Equatable { var a: Int32, note: String? }
        struct New: Codable, Equatable { var a: Int64, extra: [String: [Int]] }
        let new = New(a: 5, extra: ["x": [1, 2]])
        #expect(try ValueDecoder.value(Old.self, of: ValueEncoder.octets(of: new)) == Old(a: 5, note: nil))
        #expect(throws: DecodingError.self) {
            try ValueDecoder.value(New.self, of: ValueEncoder.octets(of: Old(a: 5, note: nil)))
        }
        #expect(throws: DecodingError.self) {
            try ValueDecoder.value(Old.self, of: ValueEncoder.octets(of: New(a: 1 << 40, extra: [:])))
        }
    }

    /// Mutated bytes either throw or decode to a value that encodes and decodes to itself.
    @Test func mutatedOctetsAreAnError() throws {
        var (values, errors) = (0, 0)
        for seed: UInt64 in 0..<2000 {
            var dice = Dice(seed)
            var octets = try ValueEncoder.octets(of: dice.sheet())
            for _ in 0...dice.stream.integer(in: 0...3) where !octets.isEmpty {
                let at = dice.stream.integer(in: 0...octets.count - 1)
                switch dice.stream.integer(in: 0...3) {
                case 0: octets[at] = dice.number()
                case 1: octets.remove(at: at)
                case 2: octets.insert(dice.number(), at: at)
                default: octets.removeLast(octets.count - at)
                }
            }
            do {
                let sheet = try ValueDecoder.value(Sheet.self, of: octets)
                #expect(try coded(sheet) == sheet || "\(sheet)".contains("nan"), "\(seed)")
                values += 1
            } catch is DecodingError { errors += 1 }
        }
        #expect(values > 0 && errors > 0)
    }

    @Test func depthAndSizeAreBounded() throws {
        var deep = Shape.dot
        for _ in 0..<200 { deep = .group([deep], name: nil) }
        #expect(throws: EncodingError.self) { try ValueEncoder.octets(of: deep) }
        // Builds nested lists by hand, because the encoder refuses such depth.
        struct Lists: Decodable {
            init(from decoder: any Decoder) throws {
                var items = try decoder.unkeyedContainer()
                while !items.isAtEnd { _ = try items.decode(Lists.self) }
            }
        }
        var octets: [UInt8] = [11, 0]
        for _ in 0..<5000 {
            var writer = ByteWriter()
            writer.raw([11])
            writer.counted(octets)
            octets = writer.bytes
        }
        #expect(throws: DecodingError.self) { try ValueDecoder.value(Lists.self, of: octets) }
        let long = String(repeating: "x", count: ValueLimits.octets)
        #expect(throws: EncodingError.self) { try ValueEncoder.octets(of: long) }
        let two = [String(long.prefix(long.utf8.count - 9)), "yy"]
        #expect(throws: EncodingError.self) { try ValueEncoder.octets(of: two) }
        #expect(throws: DecodingError.self) {
            try ValueDecoder.value([UInt8].self, of: [UInt8](repeating: 10, count: ValueLimits.octets + 1))
        }
    }

    /// Covers a class with a superclass, and containers that are requested before they are filled.
    @Test func containersInTheMaking() throws {
        class Base: Codable { var base = 1 }
        final class Derived: Base {
            var more = [2]
            enum CodingKeys: CodingKey { case more, sub }
            override init() { super.init() }
            required init(from decoder: any Decoder) throws {
                let fields = try decoder.container(keyedBy: CodingKeys.self)
                var list = try fields.nestedUnkeyedContainer(forKey: .more)
                more = [try list.decode(Int.self), try list.decode(Int.self)]
                #expect(list.isAtEnd)
                try super.init(from: fields.superDecoder())
            }
            override func encode(to encoder: any Encoder) throws {
                var fields = encoder.container(keyedBy: CodingKeys.self)
                var list = fields.nestedUnkeyedContainer(forKey: .more)
                try super.encode(to: fields.superEncoder())
                try list.encode(3)
                try fields.encode(true, forKey: .sub)
                try list.encode(4)
            }
        }
        let value = Derived()
        value.base = 9
        let back = try ValueDecoder.value(Derived.self, of: ValueEncoder.octets(of: value))
        #expect(back.base == 9 && back.more == [3, 4])
        struct Twice: Encodable {
            func encode(to encoder: any Encoder) throws {
                var single = encoder.singleValueContainer()
                try single.encode(1)
                try single.encode(2)
            }
        }
        #expect(throws: EncodingError.self) { try ValueEncoder.octets(of: [Twice()]) }
    }
}
