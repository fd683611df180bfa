import PotluckKit

/// Prints how long messages, barriers and reductions take. `measure.c` measures the same for MPI.
struct Measure: RankProgram {
    static let name: StaticString = "measure"
    static let summary: StaticString = "How long messages take"
    @Parameter("turns", "how often each is done", in: 1...1_000_000) var turns = 2000
    @Parameter("size", "rows of the matrices of the product; 0 for none", in: 0...2000) var size = 0

    func run(_ world: Communicator, _ output: inout Output) {
        func time(_ name: StaticString, _ turns: Int, _ scale: Double, _ body: () -> Void) {
            world.barrier()
            let begin = world.time
            for _ in 0..<turns { body() }
            let each = (world.time - begin) / Double(turns) * scale
            guard world.rank == 0 else { return }
            output.write(name)
            output.write(" ")
            output.line(each)
        }
        if size > 0 { return time("product", 1, 1) { multiply(world) } }
        if world.size == 2 {
            let small = [UInt64](repeating: 7, count: 1)
            let large = [UInt64](repeating: 7, count: 1 << 17)
            var place: [UInt64] = []
            func exchange(_ values: [UInt64]) {
                if world.rank == 0 { world.send(values, to: 1) }
                _ = world.receive(into: &place, from: 1 - world.rank)
                if world.rank == 1 { world.send(values, to: 0) }
            }
            place = small
            time("small", turns * 10, 0.5) { exchange(small) }
            place = large
            time("large", max(1, turns / 10), 0.5) { exchange(large) }
        }
        time("barrier", turns, 1) { world.barrier() }
        let values = [Double](repeating: 1.5, count: 1 << 17)
        time("reduce", max(1, turns / 50), 1) { _ = world.allReduce(values, +) }
    }

    /// The product of two matrices, whose rows the ranks share.
    func multiply(_ world: Communicator) {
        let b = world.broadcast((0..<size * size).map { Double($0 % 7) })
        var product = [Double](repeating: 0, count: world.share(of: size).count * size)
        for (place, row) in world.share(of: size).enumerated() {
            for inner in 0..<size {
                let factor = Double((row + inner) % 5)
                for column in 0..<size { product[place * size + column] += factor * b[inner * size + column] }
            }
        }
        _ = world.gather(product)
    }
}
