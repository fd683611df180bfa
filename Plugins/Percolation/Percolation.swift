import PotluckKit

/// Water is poured on a block of porous rock, a grid in which each site is open with probability `p`. It runs from an open
/// site to the open sites beside, above and below it. Does it get from the top to the bottom?
///
/// The draws of one grid: whether a site is open, a chance of `p`, when the water first touches it. It touches the top row
/// from left to right; then it continues from the open site that it reached last: above, left, right, below. It stops at
/// the bottom.
struct Percolation: Simulation {
    static let name: StaticString = "percolation"
    static let summary: StaticString = "Does water find its way through porous rock from top to bottom?"

    @Parameter("n", "rows and columns of the grid", in: 1...256) var n = 50
    @Parameter("p", "probability that a site is open", in: 0...1) var p = 0.6

    struct Tally: SimulationTally {
        var through = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("through", &through) }
    }

    var blockSize: Int { Block.size(forTrialsOf: n * n) }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) { lane(&random, &tally, trials: 1) }

    func lane(_ random: inout RandomStream, _ tally: inout Tally, trials: Int) {
        // The last grid in which each site was touched. The rim always counts as touched.
        let width = n + 2
        var lastGrid = [Int32](repeating: .max, count: width * width)
        for row in 1...n { for column in 1...n { lastGrid[row * width + column] = -1 } }
        let isDrawn = LogBook.isOn
        // The open sites from which the water has not continued yet.
        var wet = [Int](repeating: 0, count: n * n)
        for grid in 0..<Int32(trials) {
            var count = 0
            func touch(_ site: Int) {
                if lastGrid[site] >= grid { return }
                lastGrid[site] = grid
                wet[count] = site
                let isOpen = random.chance(p)
                count += isOpen ? 1 : 0
                if isDrawn { draw(site, isOpen) }
            }
            if isDrawn { drawGrid() }
            for column in 1...n { touch(width + column) }
            var isThrough = false
            while count > 0 {
                count -= 1
                let site = wet[count]
                if site >= n * width {
                    isThrough = true
                    break
                }
                touch(site - width)
                touch(site - 1)
                touch(site + 1)
                touch(site + width)
            }
            tally.through.add(isThrough)
            if isDrawn { note(isThrough ? "the water gets through" : "the water stops") }
        }
    }

    @inline(never)
    private func drawGrid() {
        sketch(width: Double(n), height: Double(n)) { $0.box(0, 0, Double(n), Double(n), .faint) }
    }

    /// Draws a site that the water has touched: it is wet, or it is rock.
    @inline(never)
    private func draw(_ site: Int, _ isOpen: Bool) {
        let (right, bottom) = (Double(site % (n + 2)), Double(n - site / (n + 2)))
        sketch { $0.box(right - 1, bottom, right, bottom + 1, isOpen ? .marked : .faint, isFilled: true) }
    }

    static var readings: [ReadingRule<Percolation>] {
        proportion("through", { $0.through }, exact: { $0.exact })
    }

    /// For small grids: how many grids with 0, 1, 2 … open sites let water through, from an enumeration.
    private var exact: Double? {
        let grids: [Double]
        switch n {
        case 1: grids = [0, 1]
        case 2: grids = [0, 0, 2, 4, 1]
        case 3: grids = [0, 0, 0, 3, 22, 59, 67, 36, 9, 1]
        case 4: grids = [0, 0, 0, 0, 4, 60, 390, 1452, 3416, 5272, 5414, 3736, 1752, 560, 120, 16, 1]
        default: return nil
        }
        var probability = 0.0
        for open in grids.indices {
            var term = grids[open]
            for site in 0..<n * n { term *= site < open ? p : 1 - p }
            probability += term
        }
        return probability
    }
}
