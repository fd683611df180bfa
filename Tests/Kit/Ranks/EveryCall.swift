import PotluckKit

/// Makes every call of a communicator, and writes the results. Tests compile it natively and as a module, which must write
/// the same.
struct EveryCall: RankProgram {
    static let name: StaticString = "every-call"
    static let summary: StaticString = "Makes every call of a communicator"
    @Parameter("length", "elements of the arrays", in: 0...100_000) var length = 1000

    func run(_ world: Communicator, _ output: inout Output) {
        let next = (world.rank + 1) % world.size
        let previous = (world.rank + world.size - 1) % world.size
        var random = world.random()
        let own = (0..<length).map { _ in random.real(in: -1..<1) }
        var sums: [Double] = []

        messages(world, next, previous, &sums)
        world.barrier()
        sums += world.broadcast(own, from: world.size - 1)
        sums += world.allReduce(own, +)
        sums += world.broadcast(world.reduce(own, to: world.size - 1, max) ?? [], from: world.size - 1)
        sums += world.allGather(world.reduceScatter(own, +))
        sums += world.allGatherParts(world.scan(own, +)).map { $0.reduce(0, +) }
        sums += world.allGather(world.exclusiveScan(Double(world.rank), +) ?? -1)
        let parts = (0..<world.size).map { [Double](repeating: Double(world.rank), count: $0) }
        sums += world.allToAll(parts: parts).map { $0.reduce(0, +) }
        sums += world.allToAll((0..<world.size).map { Double($0 * world.rank) })
        sums += world.scatter(parts: world.rank == 0 ? parts : [])
        sums += world.scatter(world.rank == 0 ? Array(sums.suffix(world.size)) : [])
        let worst = world.allReduce(Located(abs(own.first ?? 0), at: world.rank), Located.max)
        sums += [worst.value, Double(worst.place), world.any(world.rank == 0) ? 1 : 0, world.all(true) ? 1 : 0]

        groups(world, &sums)
        if world.restore(Double.self) == nil { world.checkpoint(sums[0]) }
        if world.restore([Double].self) == nil { world.checkpoint(sums) }
        if world.restore(Int.self, [Double].self) == nil { world.checkpoint(1, sums) }
        sums.append(Double(world.arguments.count) + (world.time >= 0 ? 0 : 1))
        for part in world.gatherParts(sums) ?? [] {
            for sum in part { output.line(sum.bitPattern) }
        }
    }

    private func messages(_ world: Communicator, _ next: Int, _ previous: Int, _ sums: inout [Double]) {
        let incoming: Incoming<Double> = world.ireceive(from: previous, tag: 1)
        let many: Incoming<Float> = world.ireceive(most: 3, from: previous, tag: 2)
        let requests = [
            incoming, many, world.isend(Double(world.rank) / 3, to: next, tag: 1, mode: .synchronous),
            world.isend([1, 2, Float(world.rank)], to: next, tag: 2),
        ]
        while let index = world.waitAny(requests) { sums.append(index < 4 ? 0 : 1) }
        world.waitAll(requests)
        sums += [incoming.value] + many.values.map { Double($0) }
        let swapped = world.isend(Int64(world.rank), to: next, mode: .buffered)
        while world.iprobe(from: .any) == nil {}
        var number: Int64 = 0
        sums.append(Double(world.receive(into: &number, from: .any).source + Int(number)))
        while swapped.test() == nil {}
        sums += [world.sendReceive(Double(world.rank), to: next, from: previous)]
    }

    private func groups(_ world: Communicator, _ sums: inout [Double]) {
        let group = world.split(color: world.rank % 2, key: -world.rank)
        sums += group.allGather(Double(world.rank))
        if let some = group.split(color: group.rank == 0 ? 0 : nil) { sums.append(Double(some.size)) }
        let grid = world.duplicate().grid(dimensions: world.balancedDimensions(2), periodic: [true, false])
        let (up, down) = grid.shift(along: 0)
        let (left, right) = grid.shift(along: 1)
        sums += grid.communicator.sendReceive(grid.coordinates.map { Double($0) }, to: up, from: down) ?? [-1]
        sums += grid.communicator.sendReceive(grid.neighbours.map { Double($0) }, to: left, from: right) ?? [-1]
        var place = [Double](repeating: 0, count: 4)
        grid.communicator.send([0.5, 1.5], to: world.rank)
        sums.append(Double(grid.communicator.receive(into: &place, from: world.rank).count(of: Double.self)) + place[1])
    }
}
