import PotluckCore
import Testing

@testable import PotluckKit
@testable import PotluckMachine

/// The parameters in a module's description.
@Suite struct DeclarationTests {
    /// The description of a module with one count, and parameters that `put` writes.
    private func record(parameters: Int = 1, _ put: (inout RecordWriter) -> Void) -> [UInt64] {
        var writer = RecordWriter()
        writer.put(ModuleInterface.Shape.tally.rawValue)
        writer.put(UInt64(RandomStream.version))
        writer.put("sample")
        writer.put("Nothing of interest")
        writer.put("")
        writer.put(parameters)
        put(&writer)
        writer.put(1)
        writer.put("hits")
        writer.put(UInt64(FieldKind.count.rawValue))
        for _ in 0..<3 { writer.put(0) }
        writer.put(0)
        return writer.slots
    }

    private func several(_ names: [String], _ numbers: [Int], standard: UInt64) -> [UInt64] {
        record {
            $0.put("airports")
            $0.put("where to")
            $0.put(ModuleInterface.Domain.several.rawValue)
            $0.put(names.count)
            for name in names { $0.put(Array(name.utf8)) }
            for number in numbers { $0.put(number) }
            $0.put(standard)
        }
    }

    /// The kit writes what the sandbox reads.
    @Test func aListTravels() throws {
        for seed in 0..<500 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let names = (0..<1 + Int(generator.next(below: 64))).map { "\($0)-\(generator.next(below: 1 << 20))" }
            let standard = generator.next() >> UInt64(64 - names.count)
            let chosen = standard.nonzeroBitCount
            let least = Int(generator.next(below: UInt64(chosen) + 1))
            let most = chosen + Int(generator.next(below: UInt64(names.count - chosen) + 1))
            let ours = ParameterDescription(
                name: "airports", help: "where to", domain: .several(names, count: least...most), standard: standard)
            let theirs = try #require(try Declaration(record { $0.put(ours) }).parameters.first)
            guard case .several(let read, let count) = theirs.domain else {
                Issue.record("seed \(seed): another kind")
                continue
            }
            #expect(read == names && count == least...most && theirs.standard == standard, "seed \(seed)")
            #expect(record { $0.put(ours) } == several(names, [least, most], standard: standard), "seed \(seed)")
        }
    }

    /// A reading of a histogram in two dimensions, with these words and this range of x.
    private func reading(_ words: [UInt64], x: ClosedRange<Double>?) throws -> Reading? {
        var writer = RecordWriter()
        writer.put(1)
        writer.put(x == nil ? 0 : ModuleInterface.ReadingPart.range)
        for _ in 0..<4 { writer.put(0) }
        for end in [x?.lowerBound ?? 0, x?.upperBound ?? 0] { writer.put(end.bitPattern) }
        writer.put(words.count)
        for word in words { writer.put(word) }
        return try ReadingRecords.readings(writer.slots, declared: [("plane", .histogram2D)]).first
    }

    @Test func wordsThatAreNoCellsAreRefused() throws {
        let honest: [UInt64] = [2, 0, 1.0.bitPattern, 7, 1, 2, 3, 4]
        #expect(try reading(honest, x: 0...5)?.cells?.counts == [1, 2, 3, 4])
        let wrong: [[UInt64]] = [
            [], [2], Array(honest.dropLast()), [0] + honest.dropFirst(), [.max] + honest.dropFirst(),
            [2, 1.0.bitPattern] + honest.dropFirst(2), [2, Double.nan.bitPattern] + honest.dropFirst(2),
            [2, 0, 1.0.bitPattern, 7] + [UInt64](repeating: 1, count: 4098),
        ]
        for words in wrong {
            let error = try #require(throws: SandboxError.self) { try reading(words, x: 0...5) }
            #expect(error.reason.contains("the words of plane are not those of a histogram in two dimensions"))
        }
        #expect(throws: SandboxError.self) { try reading(honest, x: nil) }
    }

    @Test func aWrongListIsRefused() throws {
        let wrong: [(String, [UInt64])] = [
            ("nothing can be chosen", several([], [0, 0], standard: 0)),
            ("nothing can be chosen", several(["a", "b"], [2, 1], standard: 1)),
            ("the name a of airports cannot be typed", several(["a", "a"], [0, 1], standard: 1)),
            ("the name none of airports", several(["none", "a"], [0, 1], standard: 1)),
            ("the name all of airports", several(["all", "a"], [0, 1], standard: 1)),
            ("the name 0xa of airports", several(["0xa", "a"], [0, 1], standard: 1)),
            ("the name a,b of airports", several(["a,b", "a"], [0, 1], standard: 1)),
            ("cannot be typed", several(["a\u{a0}b", "a"], [0, 1], standard: 1)),
            ("a name of airports is empty", several(["", "a"], [0, 1], standard: 1)),
            ("3 names to choose, more than the limit of 2", several(["a", "b"], [0, 3], standard: 1)),
            ("65 names, more than the limit of 64", several((0..<65).map { "n\($0)" }, [0, 1], standard: 1)),
            ("the default of airports is outside its range", several(["a", "b"], [0, 2], standard: 4)),
            ("the default of airports is outside its range", several(["a", "b"], [1, 2], standard: 0)),
        ]
        for (why, record) in wrong {
            let error = try #require(throws: SandboxError.self, "\(why)") { try Declaration(record) }
            #expect(error.reason.contains(why), "\(error.reason)")
        }
    }

    /// A list of results would have one column of the two.
    @Test func twoOfOneNameAreRefused() throws {
        let parameter = ParameterDescription(name: "n", help: "", domain: .flag, standard: 0)
        for (what, parameters, fields, readings) in [
            ("two parameters are called \"n\"", 2, ["a"], ["p"]),
            ("two fields of the tally are called \"a\"", 1, ["a", "a"], ["p"]),
            ("two readings are called \"p\"", 1, ["a", "b"], ["p", "q", "p"]),
            ("a reading has no name", 1, ["a"], [""]),
        ] {
            var writer = RecordWriter()
            writer.put(ModuleInterface.Shape.tally.rawValue)
            writer.put(0)
            for text in ["mine", "Counts something.", ""] { writer.put(Array(text.utf8)) }
            writer.put(parameters)
            for _ in 0..<parameters { writer.put(parameter) }
            writer.put(fields.count)
            for field in fields {
                writer.put(Array(field.utf8))
                writer.put(UInt64(FieldKind.count.rawValue))
                for _ in 0..<3 { writer.put(0) }
            }
            writer.put(readings.count)
            for reading in readings {
                writer.put(Array(reading.utf8))
                writer.put(UInt64(ReadingKind.proportion.rawValue))
            }
            let error = try #require(throws: SandboxError.self, "\(what)") { try Declaration(writer.slots) }
            #expect(error.reason.hasPrefix("it declares something wrong: \(what)"), "\(error.reason)")
        }
    }

    @Test func aNameIsOneWord() throws {
        for (name, why) in [
            ("My dice", "the name is \"My dice\"; it must be one word of letters, digits and hyphens"),
            ("", "the name is empty"),
            (String(repeating: "x", count: 300), "the name is too long: 300 bytes, and 64 are the most"),
        ] {
            var writer = RecordWriter()
            writer.put(ModuleInterface.Shape.tally.rawValue)
            writer.put(0)
            writer.put(Array(name.utf8))
            let error = try #require(throws: SandboxError.self) { try Declaration(writer.slots) }
            #expect(error.reason == "it declares something wrong: \(why)")
        }
    }

    /// A module of a later version may have parameters of a kind that is not known here.
    @Test func anUnknownKindIsRefusedWithASentence() throws {
        for kind in [0, 6, 7, .max] as [UInt64] {
            let record = record {
                $0.put("airports")
                $0.put("where to")
                $0.put(kind)
                $0.put(0)
            }
            let error = try #require(throws: SandboxError.self) { try Declaration(record) }
            #expect(error.reason == "the kind of its parameter airports (\(kind)) is unknown; update potluck")
        }
    }
}
