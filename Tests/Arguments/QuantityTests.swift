import PotluckCore
import Testing

@testable import PotluckScreen

@Suite struct QuantityTests {
    @Test(arguments: [
        ("1", 1, "the least"), ("1000", 1000, "plain"), ("1_000_000", 1_000_000, "grouped"),
        ("1e9", 1_000_000_000, "a power of ten"), ("1E9", 1_000_000_000, "a capital"),
        ("1e+9", 1_000_000_000, "a plus"),
        ("10M", 10_000_000, "a million"), ("2.5k", 2500, "a whole number all the same"), ("2.5K", 2500, "a capital"),
        ("3G", 3_000_000_000, "a billion"), ("1T", 1_000_000_000_000, "a million millions"),
        ("1.50e1", 15, "zeros at the end"),
        ("007", 7, "zeros in front"), ("1e18", 1_000_000_000_000_000_000, "the most"),
        ("0.000001T", 1_000_000, "a small part of much"), ("5.0", 5, "nothing after the point"),
        ("999999999999999999", 999_999_999_999_999_999, "more digits than a Double has"),
    ])
    func trials(_ text: String, _ value: UInt64, _ reason: String) throws {
        #expect(try Quantities.trials(text) == value, Comment(rawValue: reason))
    }

    @Test(arguments: [
        ("", "not a number"), ("x", "not a number"), ("-5", "not a number"), ("1e", "not a number"),
        ("1e-3", "not a number"), ("1m", "not a number"), ("_1", "not a number"), ("1_", "not a number"),
        ("1,000", "not a number"), (".5k", "not a number"), ("1.", "not a number"), ("1e3k", "not a number"),
        ("0x10", "not a number"), ("١", "not a number"), (" 1", "not a number"), ("k", "not a number"),
        ("1.5", "not a whole number"), ("1.2345k", "not a whole number"), ("0", "must be at least 1"),
        ("0e9", "must be at least 1"), ("0.0", "must be at least 1"), ("1000000000000000001", "must be at most"),
        ("1e19", "must be at most"), ("2000000T", "must be at most"), ("1e999999999", "must be at most"),
        ("1e99999999999999999999", "not a number"),
        ("99999999999999999999999", "must be at most"),
    ])
    func noTrials(_ text: String, _ reason: String) {
        let error = #expect(throws: ValueError.self) { try Quantities.trials(text) }
        #expect(error?.reason.hasPrefix(reason) == true, "\(text): \(error?.reason ?? "")")
    }

    @Test(arguments: [
        ("10s", 10_000), ("500ms", 500), ("2m", 120_000), ("1h", 3_600_000), ("1h30m", 5_400_000), ("1.5s", 1500),
        ("10", 10_000), ("0.25", 250), ("1m1s1ms", 61_001), ("90m", 5_400_000),
    ])
    func durations(_ text: String, _ milliseconds: Int64) throws {
        #expect(try Quantities.duration(text) == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "x", "s", "10x", "-1s", "0", "0s", "30m1h", "1s1s", "1e400s", "nan", "1h30", "500days", "9999h", "1..5s",
        "1 s",
        "0x10", "inf",
    ])
    func noDurations(_ text: String) {
        #expect(throws: ValueError.self) { try Quantities.duration(text) }
    }

    @Test func precisions() throws {
        #expect(try Quantities.precision("0.0001") == .absolute(0.0001))
        #expect(try Quantities.precision("1e-4") == .absolute(0.0001))
        #expect(try Quantities.precision("0.01%") == .relative(0.01 / 100))
        for text in ["", "%", "0", "0%", "-1", "nan", "1/2", "0,1", "1%%", "1e400", "inf", "0x1p-3"] {
            #expect(throws: ValueError.self, "\(text)") { try Quantities.precision(text) }
        }
    }

    @Test func precisionsOfNamedReadings() throws {
        func named(_ limits: (String, WidthLimit)...) -> Precision {
            .named(limits.map { ReadingLimit(reading: $0, limit: $1) })
        }
        for (text, precision) in [
            ("wait<1%", named(("wait", .relative(0.01)))),
            ("wait<1% and p99<0.5", named(("wait", .relative(0.01)), ("p99", .absolute(0.5)))),
            ("bread and butter < 2% and a<b<3", named(("bread and butter", .relative(0.02)), ("a<b", .absolute(3)))),
        ] { #expect(try Quantities.precision(text) == precision) }
        for text in ["a<1 or b<2", "a<1, b<2"] {
            #expect("\(text)") {
                try Quantities.precision(text)
            } throws: {
                ($0 as? ValueError)?.reason.hasPrefix("join the readings with 'and'") == true
            }
        }
        let many = (0...Precision.mostNamed).map { "r\($0)<1" }.joined(separator: " and ")
        for text in ["<1", " <1", "a<", "a<0", "a<x", "a<1 and", "a<1 and b", "a<1 and <2", "a<1 and a<2", many] {
            #expect(throws: ValueError.self, "\(text)") { try Quantities.precision(text) }
        }
    }

    @Test func seeds() throws {
        #expect(try Quantities.seed("0") == 0)
        #expect(try Quantities.seed("18446744073709551615") == .max)
        #expect(try Quantities.seed("0xfF") == 255)
        #expect(try Quantities.seed("1_000") == 1000)
        for text in ["", "-1", "+1", "0x", "0x-1", "18446744073709551616", "1.0", "1e3", "x", "0xg"] {
            #expect(throws: ValueError.self, "\(text)") { try Quantities.seed(text) }
        }
    }

    @Test func cores() throws {
        #expect(try Quantities.cores("1") == 1)
        #expect(try Quantities.cores("1024") == 1024)
        for text in ["0", "-1", "1025", "x", "1.5", "99999999999999999999"] {
            #expect(throws: ValueError.self, "\(text)") { try Quantities.cores(text) }
        }
    }
}
