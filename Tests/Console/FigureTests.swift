import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

@Suite struct FigureTests {
    @Test func wholeNumbersAreGrouped() {
        #expect([0, 999, 1000, 1_234_567].map { Figures.grouped($0) } == ["0", "999", "1 000", "1 234 567"])
        #expect(Figures.grouped(.max) == "18 446 744 073 709 551 615")
    }

    @Test(arguments: [
        (0, "0/s"), (0.5, "0.500/s"), (12.3, "12.3/s"), (123.4, "123/s"), (999_499, "999 499/s"),
        (1e6, "1.00 million/s"),
        (1.4346e9, "1.43 billion/s"), (2.5e12, "2.50 trillion/s"), (999_600_000, "1.00 billion/s"), (.nan, "?/s"),
        (-1, "?/s"),
    ])
    func rates(_ value: Double, _ text: String) { #expect(Figures.rate(value) == text) }

    @Test(arguments: [
        (0, "0 ms"), (350, "350 ms"), (999, "999 ms"), (3600, "3.6 s"), (9940, "9.9 s"), (9960, "10 s"),
        (59_400, "59 s"),
        (59_600, "1 min 0 s"), (125_000, "2 min 5 s"), (3_900_000, "1 h 5 min"), (183_600_000, "2 d 3 h"), (-5, "0 ms"),
    ])
    func times(_ milliseconds: Int64, _ text: String) { #expect(Figures.time(.milliseconds(milliseconds)) == text) }

    @Test func timesBelowAMillisecondAreNotZero() {
        #expect(
            [387_000, 40_000, 960_000, 300].map { Figures.time(.nanoseconds($0)) } == [
                "0.4 ms", "0.04 ms", "1 ms", "0.0003 ms",
            ])
    }

    /// A count such as that of primes is a whole number. A price is not, even if its value happens to be one.
    @Test(
        arguments: [
            (.derived, 168, nil, 168, "168"), (.derived, 0, nil, nil, "0"),
            (.derived, 455_052_511, nil, nil, "455052511"),
            (.derived, 3, nil, 3.5, "3.00000"), (.derived, 0.5, nil, nil, "0.500000"), (.derived, 3, 2...4, nil, "3.0"),
            (.mean, 3, nil, nil, "3.00000"), (.variance, 2, nil, nil, "2.00000"),
        ] as [(ReadingKind, Double, ClosedRange<Double>?, Double?, String)])
    func countsAreWholeNumbers(
        _ kind: ReadingKind, _ value: Double, _ interval: ClosedRange<Double>?, _ exact: Double?, _ text: String
    ) {
        let reading = Reading(name: "x", kind: kind, value: value, interval: interval, exact: exact)
        #expect(ReadingFigures(reading).text(value) == text)
    }

    @Test func numbersToTypeAreShortAndExact() {
        #expect(
            [1, 1000, 1_000_000, 25_000_000, 10_000_000_001].map { Figures.typed($0) } == [
                "1", "1000", "1e6", "25e6", "10000000001",
            ])
    }

    /// A number is rounded correctly.
    @Test func readingsAreRoundedCorrectly() {
        for seed in 0..<500 as Range<UInt64> {
            var dice = Dice(seed: seed)
            let value = dice.number()
            guard value.isFinite else { continue }
            let reading = Reading(name: "x", kind: .derived, value: value)
            let canvas = Canvas(columns: 200, unicode: false, colour: false)
            let row = ReadingTable(canvas: canvas).lines([reading]).map { $0.rendered(on: canvas) }
                .first { $0.hasPrefix("  x") }
            let shown = row.flatMap { Double($0.dropFirst(3).trimmingPrefix { $0 == " " }) }
            #expect(
                shown.map { abs($0 - value) <= max(abs(value) * 1e-5, .leastNonzeroMagnitude) } == true,
                "\(value): \(row ?? "")")
        }
    }
}
