import PotluckKit
import Testing

/// Tallies take lanes as they take the numbers of lanes one by one, slot by slot.
@Suite struct LaneTallyTests {
    private struct Sums: SimulationTally {
        var count = Count()
        var sum = ExactSum()
        var moments = Moments()
        var least = Minimum()
        var most = Maximum()
        var bins = Histogram<7>(from: -3, to: 5)
        var whole = ExactSum()
        var integers = Moments()
        var counts = Counts<5>()
        var series = Series<3>()
        var cells = Histogram2D<3, 2>(x: -3..<5, y: -1..<2)

        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("count", &count)
            visitor.field("sum", &sum)
            visitor.field("moments", &moments)
            visitor.field("least", &least)
            visitor.field("most", &most)
            visitor.field("bins", &bins)
            visitor.field("whole", &whole)
            visitor.field("integers", &integers)
            visitor.field("counts", &counts)
            visitor.field("series", &series)
            visitor.field("cells", &cells)
        }

        mutating func add(_ x: Lane<Double>, _ n: Lane<Int32>) {
            count.add(x < 1)
            sum.add(x)
            moments.add(x)
            least.add(x)
            most.add(x)
            bins.add(x)
            whole.add(n)
            integers.add(n)
            counts.add(Lane { Self.category(n[$0]) })
            series.add(1, x)
            cells.add(x, x * x - 1)
        }

        mutating func add(_ x: Lane<Double>, _ n: Lane<Int32>, where mask: LaneMask) {
            count.add(x < 1 && mask)
            sum.add(x, where: mask)
            moments.add(x, where: mask)
            least.add(x, where: mask)
            most.add(x, where: mask)
            bins.add(x, where: mask)
            whole.add(n, where: mask)
            integers.add(n, where: mask)
            counts.add(Lane { Self.category(n[$0]) }, where: mask)
            series.add(1, x, where: mask)
            cells.add(x, x * x - 1, where: mask)
        }

        mutating func add(_ x: Double, _ n: Int32) {
            count.add(x < 1)
            sum.add(x)
            moments.add(x)
            least.add(x)
            most.add(x)
            bins.add(x)
            whole.add(Int(n))
            integers.add(Int(n))
            counts.add(Int(Self.category(n)))
            series.add(1, x)
            cells.add(x, x * x - 1)
        }

        static func category(_ n: Int32) -> Int32 { abs(n % 5) }
    }

    /// A number of a kind: usual, whole, zero, minute, huge, or NaN.
    private func number(_ kind: Int, _ random: inout RandomStream) -> Double {
        switch kind {
        case 0: random.normal(deviation: 100)
        case 1: Double(random.below(100) - 50)
        case 2: random.coin() ? 0 : -0.0
        case 3: random.normal() * 0x1p-11
        case 4: random.normal() * [0x1p21, 0x1p24, 0x1p28][random.below(3)]
        case 5: random.normal() * 0x1p-70
        case 6: random.normal() * 0x1p31
        case 7: random.normal() * 0x1p62
        case 8:
            [0x1p-12, -0x1p-12, 0x1p22, 0x1p31, -0x1p31, 0x1p63].map { random.coin() ? $0 : $0.nextDown }[
                random.below(6)]
        default: Double(bitPattern: random.next64())
        }
    }

    /// Each run has numbers up to a kind, so that some runs are never spoilt. Numbers one by one come in between.
    @Test(arguments: 1...10) func lanesAreNumbersOfLanes(kinds: Int) {
        let layout = TallyLayout(of: Sums.self)
        for run in 0..<40 as Range<UInt64> {
            var random = stream(run, UInt64(kinds))
            var (byLanes, plain) = (Sums(), Sums())
            for _ in 0..<60 {
                let x = Lane<Double> { _ in number(random.below(kinds), &random) }
                let n = Lane<Int32> { _ in
                    random.coin() ? Int32(random.below(1000)) - 500 : Int32(bitPattern: random.next())
                }
                let mask = random.chance(0.3) ? x < 0 : n < 100
                let isMasked = random.coin()
                if isMasked { byLanes.add(x, n, where: mask) } else { byLanes.add(x, n) }
                for lane in 0..<16 where !isMasked || mask[lane] { plain.add(x[lane], n[lane]) }
                for _ in 0..<random.below(3) {
                    let single = number(random.below(kinds), &random)
                    byLanes.add(single, 5)
                    plain.add(single, 5)
                }
            }
            #expect(byLanes.slots(layout.slots) == plain.slots(layout.slots), "run \(run)")
        }
    }

    /// All lanes have the largest number below a power of two, so that sums of digits are as large as they can be.
    @Test func powersOfTwoAreLimits() {
        let layout = TallyLayout(of: Sums.self)
        for exponent in -70...64 {
            for sign in [1, -1] as [Double] {
                let limit = sign * Maths.pow(2, Double(exponent))
                for x in [limit, limit.nextDown, limit.nextUp] {
                    var (byLanes, plain) = (Sums(), Sums())
                    for _ in 0..<3 {
                        byLanes.add(Lane(x), Lane(Int32.max))
                        for _ in 0..<16 { plain.add(x, .max) }
                    }
                    #expect(byLanes.slots(layout.slots) == plain.slots(layout.slots), "\(x)")
                }
            }
        }
    }
}
