import PotluckKit

/// Conway's game of life on a field whose edges touch. Each rank has some of the rows, and swaps its first and last row
/// with its neighbours before every generation. A row's cells depend only on the seed and the row, so the result is the
/// same for every number of ranks.
struct Life: RankProgram {
    static let name: StaticString = "life"
    static let summary: StaticString = "The game of life, with rows on each rank"
    @Parameter("height", "rows", in: 1...2000) var height = 24
    @Parameter("width", "columns", in: 1...2000) var width = 64
    @Parameter("generations", "how many", in: 0...100_000) var generations = 100

    func run(_ everyone: Communicator, _ output: inout Output) {
        // Ranks without a row do not take part.
        guard let world = everyone.split(color: everyone.rank < height ? 0 : nil) else { return }
        let above = (world.rank + world.size - 1) % world.size
        let below = (world.rank + 1) % world.size
        var rows = world.share(of: height).map { row in
            var random = RandomStream(seed: world.seed, block: UInt64(row), lane: 0)
            return (0..<width).map { _ in random.chance(0.3) ? 1 : 0 as UInt8 }
        }

        for _ in 0..<generations {
            let upper = world.sendReceive(rows[rows.count - 1], to: below, from: above, tag: 1)
            let lower = world.sendReceive(rows[0], to: above, from: below, tag: 2)
            let field = [upper] + rows + [lower]
            for row in rows.indices {
                rows[row] = next(field[row], field[row + 1], field[row + 2])
            }
        }

        let alive = world.allReduce(rows.reduce(0) { sum, row in sum + row.reduce(0) { $0 + Int($1) } }, +)
        var cells: [UInt8] = []
        for row in rows { cells += row }
        guard let field = world.gather(cells) else { return }
        for (index, cell) in field.enumerated() {
            output.write(cell == 1 ? "#" : ".")
            if index % width == width - 1 { output.write("\n") }
        }
        output.write(alive)
        output.line(" cells are alive")
    }

    /// The next state of a row. A cell lives if it has three neighbours, or if it lives already and has two.
    func next(_ upper: [UInt8], _ row: [UInt8], _ lower: [UInt8]) -> [UInt8] {
        (0..<width).map { column in
            let (left, right) = ((column + width - 1) % width, (column + 1) % width)
            let neighbours =
                upper[left] + upper[column] + upper[right] + row[left] + row[right]
                + lower[left] + lower[column] + lower[right]
            return neighbours == 3 || neighbours == 2 && row[column] == 1 ? 1 : 0
        }
    }
}
