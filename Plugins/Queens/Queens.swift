import PotluckKit

/// All ways to place queens on a board so that none attacks another. A unit is a placement in the first three rows; most
/// of them end at once.
struct Queens: Gathering {
    static let name: StaticString = "queens"
    static let summary: StaticString = "In how many ways can queens stand on a board in peace?"
    @Parameter("queens", "queens, and rows and columns of the board", in: 4...18) var queens = 12
    @Parameter("list", "write each solution: the queen's column in every row") var list = false

    struct Tally: SimulationTally {
        var solutions = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("solutions", &solutions) }
    }

    var units: UInt64 { UInt64(queens * queens * queens) }
    var writes: OutputKind { list ? .text : .nothing }
    /// A unit of 16 queens takes some milliseconds, one of eight less than a microsecond.
    var blockSize: Int { queens > 14 ? 1 : queens > 10 ? 16 : 256 }

    /// The columns, and the diagonals in both directions, that are attacked in the next row.
    private struct Attacks {
        var columns: UInt32 = 0
        var left: UInt32 = 0
        var right: UInt32 = 0

        var all: UInt32 { columns | left | right }

        func with(_ queen: UInt32) -> Attacks {
            Attacks(columns: columns | queen, left: (left | queen) &<< 1, right: (right | queen) &>> 1)
        }
    }

    func block(_ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally) {
        var columns = [Int](repeating: 0, count: queens)
        for unit in units {
            let number = Int(unit)
            var attacks = Attacks()
            var isPeaceful = true
            for (row, column) in [number / (queens * queens), number / queens % queens, number % queens].enumerated() {
                let queen = UInt32(1) << UInt32(column)
                isPeaceful = isPeaceful && attacks.all & queen == 0
                attacks = attacks.with(queen)
                columns[row] = column
            }
            if isPeaceful { place(3, attacks, &columns, &output, &tally) }
        }
    }

    private func place(
        _ row: Int, _ attacks: Attacks, _ columns: inout [Int], _ output: inout Output, _ tally: inout Tally
    ) {
        if row == queens {
            tally.solutions.add()
            guard list else { return }
            for row in 0..<queens {
                if row > 0 { output.write(" ") }
                output.write(columns[row] + 1)
            }
            return output.line("")
        }
        var free = ~attacks.all & (UInt32(1) << UInt32(queens) &- 1)
        while free != 0 {
            let queen = free & (0 &- free)
            free &= free &- 1
            columns[row] = queen.trailingZeroBitCount
            place(row + 1, attacks.with(queen), &columns, &output, &tally)
        }
    }

    static var readings: [ReadingRule<Queens>] {
        derived("solutions", { _, tally, _ in Double(tally.solutions.value) }, exact: { $0.exact })
    }

    /// The numbers of solutions for 4 to 18 queens.
    private var exact: Double {
        let counts: [Double] = [
            2, 10, 4, 40, 92, 352, 724, 2680, 14_200, 73_712, 365_596, 2_279_184, 14_772_512, 95_815_104, 666_090_624,
        ]
        return counts[queens - 4]
    }
}
