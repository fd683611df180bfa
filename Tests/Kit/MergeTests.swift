import PotluckKit
import Testing

/// Tallies have the same bytes however the trials are split and in whatever order the parts are merged.
@Suite struct MergeTests {
    private let layout = Everything.layout

    private func merged(_ a: [UInt64], _ b: [UInt64]) -> [UInt64] {
        var sum = a
        layout.merge(b, into: &sum)
        return sum
    }

    @Test(arguments: [false, true]) func everySplitAndOrderGivesTheSameSlots(wild: Bool) {
        for seed in 0..<5000 as Range<UInt64> {
            var random = stream(seed)
            let numbers = numbers(random.below(40), &random, wild: wild)
            let whole = Everything(adding: numbers).slots

            // Any numbers in any part, merged in any order and with any shape of tree.
            var parts = [[Double]](repeating: [], count: 1 + random.below(9))
            for number in numbers { parts[random.below(parts.count)].append(number) }
            var tallies = parts.map { Everything(adding: $0).slots }
            while tallies.count > 1 {
                let one = tallies.remove(at: random.below(tallies.count))
                let at = random.below(tallies.count)
                tallies[at] = merged(one, tallies[at])
            }
            #expect(tallies[0] == whole, "seed \(seed)")
        }
    }

    @Test func anyBytesMergeInAnyOrder() {
        // A tally from another computer need not be one that an honest run produces.
        for seed in 0..<300 as Range<UInt64> {
            var random = stream(seed, 1)
            func bytes() -> [UInt64] {
                (0..<layout.slots).map { _ in random.coin() ? random.next64() : [0, .max, 1 << 63][random.below(3)] }
            }
            let (a, b, c) = (bytes(), bytes(), bytes())
            #expect(merged(a, b) == merged(b, a))
            #expect(merged(merged(a, b), c) == merged(a, merged(b, c)))
        }
    }

    @Test func nothingChangesNothing() {
        for seed in 0..<50 as Range<UInt64> {
            var random = stream(seed, 2)
            let some = Everything(adding: numbers(10, &random, wild: true)).slots
            #expect(merged(some, Everything().slots) == some)
            #expect(merged(Everything().slots, some) == some)
        }
    }

    @Test func slotsRoundTrip() {
        for seed in 0..<100 as Range<UInt64> {
            var random = stream(seed, 3)
            let some = Everything(adding: numbers(random.below(10), &random, wild: true))
            let copy = Everything(slots: some.slots)
            #expect(copy.slots == some.slots)
            #expect(copy.moments == some.moments && copy.sum == some.sum && copy.smallest == some.smallest)
            #expect(copy.comoments == some.comoments && copy.pairs == some.pairs && copy.quantiles == some.quantiles)
            #expect((0..<3).allSatisfy { copy.counts[$0] == some.counts[$0] } && copy.series == some.series)
        }
    }

    @Test func theLayoutNamesEveryField() {
        #expect(
            layout.fields.map(\.name) == [
                "count", "sum", "smallest", "largest", "histogram", "moments", "comoments", "pairs", "quantiles",
                "counts", "series", "cells",
            ])
        #expect(
            layout.fields.map(\.kind) == [
                .count, .sum, .minimum, .maximum, .histogram, .moments, .comoments, .comoments, .quantiles,
                .counts, .series, .histogram,
            ])
        #expect(
            layout.fields.map(\.slots) == [
                0..<1, 1..<6, 6..<7, 7..<8, 8..<15, 15..<26, 26..<72, 72..<173, 173..<4273,
                4273..<4276, 4276..<4298, 4298..<4306,
            ])
        #expect(layout.fields.map(\.parts) == [0, 0, 0, 0, 5, 0, 3, 5, 0, 3, 2, 6])
        #expect(layout.fields.map(\.range) == [nil, nil, nil, nil, -2...8, nil, nil, nil, nil, nil, nil, 0...6])
        #expect(layout.slots == 4306 && Everything().slots.count == 4306)
    }

    @Test func countsStayAtTheTop() {
        var count = Count()
        count.value = .max - 1
        count.add(true)
        #expect(count.value == .max)
        count.add()
        count.add(7)
        #expect(count.value == .max)

        var (one, two) = (Everything(), Everything())
        one.count.value = .max - 5
        two.count.value = 6
        #expect(Everything(slots: merged(one.slots, two.slots)).count.value == .max)
        two.count.value = 5
        #expect(Everything(slots: merged(one.slots, two.slots)).count.value == .max)
        two.count.value = 4
        #expect(Everything(slots: merged(one.slots, two.slots)).count.value == UInt64.max - 1)
    }

    @Test(arguments: [
        Double.nan, -.nan, .signalingNaN, .infinity, -.infinity, 0x1p63, -0x1p63, .greatestFiniteMagnitude,
    ])
    func aMarkNeverGoesAway(bad: Double) {
        var tally = Everything(adding: [1, 2, bad, 3])
        for _ in 0..<3 { tally = Everything(slots: merged(tally.slots, Everything(adding: [4, 5]).slots)) }
        #expect(tally.sum.isSpoilt && tally.sum.value == nil)
        #expect(tally.moments.isSpoilt && tally.moments.mean == nil && tally.moments.variance == nil)
        #expect(tally.smallest.isSpoilt == bad.isNaN && tally.largest.isSpoilt == bad.isNaN)
        #expect(tally.comoments.isSpoilt && tally.comoments.mean(0) == nil && tally.pairs.isSpoilt)
        #expect(tally.quantiles.isSpoilt == bad.isNaN && tally.series.isSpoilt)
        #expect(tally.histogram.isSpoilt == bad.isNaN && tally.cells.isSpoilt == bad.isNaN)
        if bad.isNaN { #expect(tally.smallest.value == nil && tally.largest.value == nil) }
    }
}
