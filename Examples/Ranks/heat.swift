import PotluckKit

/// Heat spreads over a square plate. Its upper edge is hot and the others are cold. Each rank has a block of the plate, and
/// swaps the block's edges with its neighbours on a grid before every step. The output is a picture in the PGM format.
///
/// A cell becomes the mean of its four neighbours, which is the same sum wherever the cell is. So the picture is the same
/// for every number of ranks.
struct Heat: RankProgram {
    static let name: StaticString = "heat"
    static let summary: StaticString = "Heat spreads over a plate; a picture of it"
    @Parameter("size", "cells along an edge", in: 4...1000) var size = 64
    @Parameter("steps", "the most steps", in: 1...1_000_000) var steps = 500
    @Parameter("least", "stop when no cell changes by more", in: 0...1) var least = 1e-6
    @Parameter("checkpoint", "steps between checkpoints", in: 1...1_000_000) var every = 100

    func run(_ world: Communicator, _ output: inout Output) {
        let grid = world.grid(dimensions: world.balancedDimensions(2))
        let all = grid.communicator
        let rows = all.split(color: grid.coordinates[1]).share(of: size)
        let columns = all.split(color: grid.coordinates[0]).share(of: size)
        // Every rank must have a cell.
        if world.any(rows.isEmpty || columns.isEmpty) {
            if world.rank > 0 { return }
            world.log("the plate is too small for so many ranks")
            world.abort(2)
        }
        // The block with a border for the neighbours' edges.
        let (height, width) = (rows.count, columns.count)
        let line = width + 2
        var plate = [Double](repeating: 0, count: (height + 2) * line)
        var step = 0
        if let (kept, cells) = world.restore(Int.self, [Double].self) { (step, plate) = (kept, cells) }
        if rows.lowerBound == 0 { for column in 0..<line { plate[column] = 1 } }

        let (up, down) = grid.shift(along: 0)
        let (left, right) = grid.shift(along: 1)
        func row(_ row: Int) -> [Double] { Array(plate[row * line..<(row + 1) * line]) }
        func column(_ column: Int) -> [Double] { (0..<height + 2).map { plate[$0 * line + column] } }
        func set(row: Int, _ cells: [Double]?) {
            if let cells { plate.replaceSubrange(row * line..<(row + 1) * line, with: cells) }
        }
        func set(column: Int, _ cells: [Double]?) {
            if let cells { for row in 1...height { plate[row * line + column] = cells[row] } }
        }
        while step < steps {
            set(row: height + 1, all.sendReceive(row(1), to: up, from: down))
            set(row: 0, all.sendReceive(row(height), to: down, from: up))
            set(column: width + 1, all.sendReceive(column(1), to: left, from: right))
            set(column: 0, all.sendReceive(column(width), to: right, from: left))
            let old = plate
            var change = 0.0
            for row in 1...height {
                for place in row * line + 1...row * line + width {
                    plate[place] = (old[place - line] + old[place + line] + (old[place - 1] + old[place + 1])) / 4
                    change = max(change, abs(plate[place] - old[place]))
                }
            }
            step += 1
            if step % every == 0 { world.checkpoint(step, plate) }
            if world.allReduce(change, max) <= least { break }
        }

        // Each rank sends where its block is, and its cells as shades of gray.
        var block = [rows.lowerBound, columns.lowerBound, width]
        for row in 1...height { for column in 1...width { block.append(Int(plate[row * line + column] * 255)) } }
        guard let blocks = world.gatherParts(block) else { return }
        var picture = [Int](repeating: 0, count: size * size)
        for block in blocks {
            for (index, shade) in block.dropFirst(3).enumerated() {
                picture[(block[0] + index / block[2]) * size + block[1] + index % block[2]] = shade
            }
        }
        output.line("P2 \(size) \(size) 255")
        for shade in picture { output.line(shade) }
    }
}
