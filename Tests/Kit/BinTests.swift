import PotluckKit
import Testing

@Suite struct HistogramTests {
    private func counts<let bins: Int>(_ histogram: Histogram<bins>) -> [UInt64] {
        [histogram.below] + (0..<bins).map { histogram[$0] } + [histogram.above]
    }

    @Test func theEdgesBelongToTheBinAbove() {
        var histogram = Histogram<4>(from: 1, to: 2)
        let edges = [1, 1.25, 1.5, 1.75, 2]
        for x in edges { histogram.add(x) }
        #expect(counts(histogram) == [0, 1, 1, 1, 1, 1])
        for x in edges { histogram.add(x.nextDown) }
        #expect(counts(histogram) == [1, 2, 2, 2, 2, 1])
        for x in [-0.0, .infinity, -.infinity, .greatestFiniteMagnitude] { histogram.add(x) }
        #expect(counts(histogram) == [3, 2, 2, 2, 2, 3])
    }

    /// It would be counted as above otherwise, and nobody would be told.
    @Test func aNaNSpoilsAHistogramForGood() {
        var histogram = Histogram<2>(from: 0, to: 1)
        histogram.add(3)
        #expect(!histogram.isSpoilt)
        histogram.add(.nan)
        for x in [0.1, 5, .nan, -1] { histogram.add(x) }
        #expect(histogram.isSpoilt && counts(histogram) == [1, 1, 0, .max])
    }

    @Test func everythingAddedIsCountedOnce() {
        for seed in 0..<50 as Range<UInt64> {
            var random = stream(seed, 30)
            var histogram = Histogram<7>(from: -2, to: random.exponential())
            let numbers = numbers(200, &random, wild: true).map { $0.isNaN ? 0 : $0 }
            for number in numbers { histogram.add(number) }
            #expect(counts(histogram).reduce(0, +) == 200)
            #expect(histogram.below == UInt64(numbers.count { $0 < -2 }))
            #expect(histogram.above == UInt64(numbers.count { !($0 < histogram.upper) }))
        }
    }

    @Test func aNumberBelowTheTopNeverLeavesTheLastBin() {
        // Ranges whose bins have a width that is not a binary fraction, so that
        // rounding could lift a number over the top.
        for seed in 0..<300 as Range<UInt64> {
            var random = stream(seed, 31)
            let lower = random.normal(deviation: 10)
            let upper = lower + random.exponential() + 1e-9
            var histogram = Histogram<49>(from: lower, to: upper)
            histogram.add(upper.nextDown)
            histogram.add(lower)
            #expect(histogram[48] == 1 && histogram[0] == 1 && histogram.above == 0)
        }
    }
}

@Suite struct CountTests {
    /// A count that began anew would be a wrong number, and where chunks end would decide which.
    @Test func aFullCountStaysFull() {
        var count = Count()
        count.add(UInt64.max - 1)
        count.add(false)
        #expect(count.value == UInt64.max - 1)
        count.add(true)
        for happened in [true, false, true] { count.add(happened) }
        #expect(count.value == .max)
        count.add(3)
        count.add(LaneMask(true))
        count.add(5 as UInt64)
        #expect(count.value == .max)
        var lanes = Count()
        lanes.add(UInt64.max - 3)
        lanes.add(LaneMask(true))
        #expect(lanes.value == .max)
    }
}

@Suite struct ExtremesTests {
    @Test func theOrderIsThatOfTheNumbers() {
        let ordered = [
            -Double.infinity, -.greatestFiniteMagnitude, -1, -.leastNormalMagnitude, -.leastNonzeroMagnitude, -0.0, 0,
            .leastNonzeroMagnitude, 1, 1.0.nextUp, .greatestFiniteMagnitude, .infinity,
        ]
        for (index, a) in ordered.enumerated() {
            for b in ordered[index...] {
                for pair in [[a, b], [b, a]] {
                    var (smallest, largest) = (Minimum(), Maximum())
                    for x in pair {
                        smallest.add(x)
                        largest.add(x)
                    }
                    #expect(smallest.value?.bitPattern == a.bitPattern && largest.value?.bitPattern == b.bitPattern)
                    #expect(!smallest.isSpoilt && !largest.isSpoilt)
                }
            }
        }
    }

    @Test func nothingYetIsNoNumber() {
        #expect(Minimum().value == nil && Maximum().value == nil && !Minimum().isSpoilt && !Maximum().isSpoilt)
    }

    @Test func keysThatNoNumberHasAreNone() {
        // Keys between infinity and the marks decode to NaN. No honest run produces
        // them, but a dishonest node may send them.
        for slot in [0x7ff0_0000_0000_0001, 0x7fff_ffff_ffff_fffe, 0x8000_0000_0000_0001, 0x800f_ffff_ffff_fffe]
            as [UInt64]
        {
            var slots = Everything().slots
            (slots[6], slots[7]) = (slot, slot)
            let tally = Everything(slots: slots)
            #expect(tally.smallest.value == nil && tally.largest.value == nil)
        }
    }
}
