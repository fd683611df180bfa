import PotluckKit

/// Each packet holds one of several kinds of pictures. How many packets until the collection is complete?
///
/// The draws of one collection: the kind in each packet, a whole number below `kinds`, until all have been seen.
struct CouponCollector: Simulation {
    static let name: StaticString = "coupon-collector"
    static let summary: StaticString = "How many packets do you open until you have a picture of every kind?"

    @Parameter("kinds", "kinds of pictures", in: 1...10_000) var kinds = 50

    struct Tally: SimulationTally {
        var packets = Moments()
        /// Packets for each kind, so that one range fits any number of kinds.
        var perKind = Histogram<40>(from: 0, to: 20)
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("packets", &packets)
            visitor.field("packets per kind", &perKind)
        }
    }

    var blockSize: Int { Block.size(forTrialsOf: Int(mean)) }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) { lane(&random, &tally, trials: 1) }

    func lane(_ random: inout RandomStream, _ tally: inout Tally, trials: Int) {
        if LogBook.isOn {
            drawn(&random, &tally, trials)
        } else {
            collect(&random, &tally, trials, isDrawn: false)
        }
    }

    @inline(never)
    private func drawn(_ random: inout RandomStream, _ tally: inout Tally, _ trials: Int) {
        collect(&random, &tally, trials, isDrawn: true)
    }

    /// Compiled twice: what only a picture needs would slow the loop down.
    @inline(__always)
    private func collect(_ random: inout RandomStream, _ tally: inout Tally, _ trials: Int, isDrawn: Bool) {
        // The collection that last had each kind, so that nothing has to be cleared between collections.
        var lastHad = [Int32](repeating: -1, count: kinds)
        for collection in 0..<Int32(trials) {
            var missing = kinds
            var packets = 0
            if isDrawn { drawAlbum() }
            while missing > 0 {
                let kind = random.below(kinds)
                let isNew = lastHad[kind] != collection
                missing -= isNew ? 1 : 0
                lastHad[kind] = collection
                packets += 1
                if isDrawn && isNew { draw(kind) }
            }
            if isDrawn { tell(packets) }
            tally.packets.add(packets)
            tally.perKind.add(Double(packets) / Double(kinds))
        }
    }

    /// The album is a square with room for all kinds.
    private var side: Double { Double(Int(Double(kinds - 1).squareRoot()) + 1) }

    @inline(never)
    private func tell(_ packets: Int) { note("packets: \(packets), kinds: \(kinds)") }

    @inline(never)
    private func drawAlbum() { sketch(width: side, height: side) { $0.box(0, 0, side, side, .faint) } }

    /// Draws the picture of a new kind in the album.
    @inline(never)
    private func draw(_ kind: Int) {
        let row = kind / Int(side)
        let (x, y) = (Double(kind - row * Int(side)), side - Double(row))
        sketch { $0.box(x, y - 1, x + 1, y, .good, isFilled: true) }
    }

    static var readings: [ReadingRule<CouponCollector>] {
        mean("packets", { $0.packets }, exact: { $0.mean })
        variance("variance", { $0.packets }, exact: { $0.variance })
        histogram("packets per kind") { $0.perKind }
    }

    // With k kinds missing of n, a new one comes after n/k packets on average, with a variance of (n/k)² − n/k.
    private var mean: Double { waits { $0 } }
    private var variance: Double { waits { $0 * $0 - $0 } }

    private func waits(_ value: (Double) -> Double) -> Double {
        var sum = 0.0
        for missing in 1...kinds { sum += value(Double(kinds) / Double(missing)) }
        return sum
    }
}
