import Testing

@testable import PotluckKit

/// Groups, grids and checkpoints.
@Suite struct GroupTests {
    @Test(arguments: sizes) func colorsDivideAndKeysSort(_ size: Int) throws {
        let keys = (0..<size).map { ($0 * 7) % 5 }
        let results = try play(size, seed: 6) { world in
            let group = world.split(color: world.rank % 3, key: keys[world.rank])
            #expect(group.size == group.allReduce(1, +))
            // A message by the ranks of the group, and its sender by the same.
            let next = (group.rank + 1) % group.size
            group.send(world.rank, to: next)
            var left = 0
            let status = group.receive(into: &left, from: .any)
            #expect(status.source == (group.rank + group.size - 1) % group.size)
            let inner = group.split(color: group.rank == 0 ? nil : 1)
            #expect((inner == nil) == (group.rank == 0))
            return (group.allGather(world.rank), group.rank, left, inner?.allReduce(world.rank, +))
        }
        for color in 0..<min(3, size) {
            let members = (0..<size).filter { $0 % 3 == color }.sorted { (keys[$0], $0) < (keys[$1], $1) }
            for (place, rank) in members.enumerated() {
                #expect(results[rank].0 == members && results[rank].1 == place)
                #expect(results[rank].2 == members[(place + members.count - 1) % members.count])
                #expect(results[rank].3 == (place == 0 ? nil : members.dropFirst().reduce(0, +)))
            }
        }
    }

    /// The receive names any rank and any tag, and gets only messages of its own communicator.
    @Test(arguments: 0..<10 as Range<UInt64>) func aDuplicateSeparatesMessages(_ seed: UInt64) throws {
        let results = try play(3, seed: seed) { world -> [Int] in
            let other = world.duplicate()
            let third = other.duplicate()
            #expect(other.rank == world.rank && Set([world.number, other.number, third.number]).count == 3)
            if world.rank == 1 {
                world.send(1, to: 0)
                other.send(2, to: 0)
                third.send(3, to: 0)
            }
            let sum = third.allReduce(1, +)
            guard world.rank == 0 else { return [] }
            return [third, other, world].map { $0.receive(Int.self, from: .any, tag: .any) } + [sum]
        }
        #expect(results[0] == [3, 2, 1, 3])
    }

    @Test(arguments: [false, true]) func aGridShifts(_ isPeriodic: Bool) throws {
        let results = try play(12, seed: 8) { world in
            let grid = world.grid(dimensions: [3, 4], periodic: [isPeriodic, false])
            let (up, down) = grid.shift(along: 0)
            let (left, right) = grid.shift(along: 1, by: 2)
            let above = grid.communicator.sendReceive([world.rank], to: down, from: up)
            #expect(grid.rank(at: grid.coordinates) == world.rank)
            #expect(grid.coordinates(of: 7) == [1, 3])
            return (grid.coordinates, [up, down, left, right], above, grid.neighbours)
        }
        for (rank, result) in results.enumerated() {
            let (row, column) = (rank / 4, rank % 4)
            #expect(result.0 == [row, column])
            let up = row > 0 ? rank - 4 : isPeriodic ? rank + 8 : nil
            let down = row < 2 ? rank + 4 : isPeriodic ? rank - 8 : nil
            #expect(result.1 == [up, down, column > 1 ? rank - 2 : nil, column < 2 ? rank + 2 : nil])
            #expect(result.2 == up.map { [$0] })
            let (left, right) = (column > 0 ? rank - 1 : nil, column < 3 ? rank + 1 : nil)
            #expect(result.3 == [up, down, left, right].compactMap { $0 })
        }
    }

    @Test func dimensionsAreBalanced() throws {
        let expected = [1: [1, 1], 2: [2, 1], 6: [3, 2], 7: [7, 1], 12: [4, 3], 16: [4, 4]]
        for (size, dimensions) in expected {
            #expect(try play(size, seed: 1) { $0.balancedDimensions() }[0] == dimensions)
        }
        #expect(try play(16, seed: 1) { $0.balancedDimensions(3) }[0] == [4, 2, 2])
        #expect(try play(12, seed: 1) { $0.balancedDimensions(1) }[0] == [12])
    }

    @Test(arguments: sizes) func aStartContinuesFromItsCheckpoint(_ size: Int) throws {
        @Sendable func steps(_ world: Communicator, until last: Int) -> [Double] {
            var (step, values) = world.restore(Int.self, [Double].self) ?? (0, [Double(world.rank)])
            while step < last {
                values.append(world.allReduce(values[step] + 0.1, +))
                step += 1
                world.checkpoint(step, values)
            }
            return values
        }
        let whole = try play(size, seed: 1) { steps($0, until: 7) }
        let first = Played(size, seed: 2) { steps($0, until: 4) }
        let states = try first.stage.seats.map { try #require($0.checkpoints.last) }
        let second = Played(size, seed: 3, restored: states) { steps($0, until: 7) }
        #expect(second.results == whole.map { Optional($0) })
        #expect(second.stage.seats.allSatisfy { $0.checkpoints.count == 3 })
    }

    @Test func statesOfOnePartAreRestored() throws {
        let first = Played(2, seed: 1) { world in
            #expect(world.restore(Int.self) == nil && world.restore([Int].self) == nil)
            world.checkpoint(SIMD4<Float>(1, 2, 3, 4))
            world.checkpoint([Int16(world.rank), 5])
            world.checkpoint([UInt8]())
        }
        func restored(_ index: Int) -> [[UInt8]] { first.stage.seats.map { $0.checkpoints[index] } }
        let one = Played(2, seed: 1, restored: restored(0)) { $0.restore(SIMD4<Float>.self) }
        #expect(one.results == [[1, 2, 3, 4], [1, 2, 3, 4]])
        let many = Played(2, seed: 1, restored: restored(1)) { $0.restore([Int16].self) }
        #expect(many.results == [[0, 5], [1, 5]])
        #expect(Played(2, seed: 1, restored: restored(2)) { $0.restore([Int].self) }.results == [[], []])
        let wrong = Played(2, seed: 1, restored: restored(1)) { $0.restore(Int64.self) }
        #expect(wrong.end == .aborted(1))
        #expect(wrong.log.first?.hasSuffix(": restore: the state has 4 bytes, and the value has 8") == true)
    }

    /// Shape 5, the stream's version, three texts, one parameter, and no tally, readings or inputs.
    @Test func aDescriptionHasNoTally() {
        var (record, parameter) = (RecordWriter(), RecordWriter())
        record.describe(EveryCall.self, source: "")
        for described in ParameterReader.make(EveryCall.self).reader.declared { parameter.put(described) }
        #expect(record.slots.starts(with: [5, UInt64(RandomStream.version), 10]))
        #expect(record.slots.suffix(parameter.slots.count + 4) == [1] + parameter.slots + [0, 0, 0])
    }
}
