import Testing

@testable import PotluckKit

/// Each call of all ranks against a plain loop, on 1 to 17 ranks, with messages that arrive in random order.
@Suite struct CollectiveTests {
    /// Numbers whose sum depends on the order.
    static func number(_ rank: Int, _ index: Int = 0) -> Double {
        var random = stream(7, UInt64(rank), lane: index)
        return random.real(in: -1..<1) * [1e-9, 1, 1e9][(rank + index) % 3]
    }

    @Test(arguments: sizes) func everyRankGetsTheRootsValues(_ size: Int) throws {
        for root in 0..<size {
            let results = try play(size, seed: UInt64(root)) { world in
                let one = world.broadcast(world.rank * 10, from: root)
                let many = world.broadcast(world.rank == root ? [1, root, 3] : [], from: root)
                return [one] + many
            }
            #expect(results == [[Int]](repeating: [root * 10, 1, root, 3], count: size))
        }
    }

    @Test(arguments: sizes) func noRankPassesABarrierBeforeAllReachIt(_ size: Int) throws {
        for seed in 0..<5 as Range<UInt64> {
            let played = Played(size, seed: seed) { world in
                for round in 0..<3 {
                    world.log("\(round) in")
                    world.barrier()
                    world.log("\(round) out")
                }
            }
            #expect(played.end == .finished)
            for round in 0..<3 {
                let last = try #require(played.log.lastIndex(of: "\(round) in"))
                let first = try #require(played.log.firstIndex(of: "\(round) out"))
                #expect(last < first)
            }
        }
    }

    @Test(arguments: sizes) func gatheringJoinsInTheOrderOfRanks(_ size: Int) throws {
        let lists = (0..<size).map { rank in (0..<rank % 4).map { rank * 100 + $0 } }
        for root in 0..<size {
            let results = try play(size, seed: UInt64(root)) { world in
                let one = world.gather(world.rank * 3, to: root)
                let joined = world.gather(lists[world.rank], to: root)
                let parts = world.gatherParts(lists[world.rank], to: root)
                #expect((one == nil) == (world.rank != root))
                return (one ?? [], joined ?? [], parts ?? [])
            }
            for (rank, result) in results.enumerated() {
                #expect(result.0 == (rank == root ? (0..<size).map { $0 * 3 } : []))
                #expect(result.1 == (rank == root ? Array(lists.joined()) : []))
                #expect(result.2 == (rank == root ? lists : []))
            }
        }
        let everywhere = try play(size, seed: 1) { world in
            let one = world.allGather(UInt8(world.rank))
            return (one, world.allGather(lists[world.rank]), world.allGatherParts(lists[world.rank]))
        }
        for result in everywhere {
            #expect(result.0 == (0..<size).map { UInt8($0) })
            #expect(result.1 == Array(lists.joined()) && result.2 == lists)
        }
    }

    @Test(arguments: sizes) func scatteringIsTheOppositeOfGathering(_ size: Int) throws {
        let parts = (0..<size).map { rank in (0..<(rank + 2) % 3).map { Float(rank * 10 + $0) } }
        for root in 0..<size {
            let results = try play(size, seed: UInt64(root)) { world in
                let all = world.rank == root ? Array(0..<2 * size) : []
                let equal = world.scatter(all, from: root)
                let unequal = world.scatter(parts: world.rank == root ? parts : [], from: root)
                return (equal, unequal)
            }
            for (rank, result) in results.enumerated() {
                #expect(result.0 == [2 * rank, 2 * rank + 1] && result.1 == parts[rank])
            }
        }
    }

    /// Many bytes go apart from their sizes, few together with them.
    @Test(arguments: sizes) func theLengthOfPartsDoesNotMatter(_ size: Int) throws {
        for seed in 0..<3 {
            let lists = (0..<size).map { rank in
                (0..<[0, 3, 511, 512, 513, 2000][(rank + seed) % 6]).map { rank * 10_000 + $0 }
            }
            let root = seed % size
            let results = try play(size, seed: UInt64(seed)) { world in
                let own = lists[world.rank]
                let parts = world.gatherParts(own, to: root)
                return (
                    world.gather(own, to: root), world.allGather(own), world.allGatherParts(own),
                    world.scatter(parts: parts ?? [], from: root), world.allToAll(parts: lists)
                )
            }
            for (rank, result) in results.enumerated() {
                #expect(result.0 == (rank == root ? Array(lists.joined()) : nil))
                #expect(result.1 == Array(lists.joined()) && result.2 == lists)
                #expect(result.3 == lists[rank])
                #expect(result.4 == [[Int]](repeating: lists[rank], count: size))
            }
        }
    }

    @Test(arguments: sizes) func everyoneSendsToEveryone(_ size: Int) throws {
        @Sendable func part(from: Int, to: Int) -> [Int] {
            [Int](repeating: from * 100 + to, count: (from + to) % 3)
        }
        let results = try play(size, seed: 3) { world in
            let own = world.rank
            let numbers: [Int] = (0..<2 * size).map { own * 1000 + $0 }
            let parts = world.allToAll(parts: (0..<size).map { part(from: own, to: $0) })
            return (world.allToAll(numbers), parts)
        }
        for (rank, result) in results.enumerated() {
            let expected: [[Int]] = (0..<size).map { other in
                let first = other * 1000 + 2 * rank
                return [first, first + 1]
            }
            #expect(result.0 == Array(expected.joined()))
            #expect(result.1 == (0..<size).map { part(from: $0, to: rank) })
        }
    }

    @Test(arguments: sizes) func reductionsHaveTheBracketsOfTheContract(_ size: Int) throws {
        let all = (0..<size).map { Self.number($0) }
        let expected = tree(all[...], +)
        for root in 0..<size {
            let results = try play(size, seed: UInt64(root)) { world in
                let own = all[world.rank]
                let sum = world.reduce(own, to: root, +)
                #expect((sum == nil) == (world.rank != root))
                return (sum ?? expected, world.allReduce(own, +), world.allReduce(own, min), world.allReduce(own, max))
            }
            for result in results {
                #expect(result.0.bitPattern == expected.bitPattern && result.1.bitPattern == expected.bitPattern)
                #expect(result.2 == all.min() && result.3 == all.max())
            }
        }
    }

    /// The order of what is combined is that of the ranks, also for operations that are not commutative.
    @Test(arguments: sizes) func reductionsKeepTheOrder(_ size: Int) throws {
        struct Range: BitwiseCopyable, Sendable {
            var first: Int
            var last: Int
            var isWhole = true
            static func join(_ one: Range, _ other: Range) -> Range {
                Range(
                    first: one.first, last: other.last,
                    isWhole: one.isWhole && other.isWhole && one.last + 1 == other.first)
            }
        }
        let results = try play(size, seed: 9) { world in
            let own = Range(first: world.rank, last: world.rank)
            let before = world.exclusiveScan(own, Range.join)
            #expect(before.map { $0.first == 0 && $0.last == world.rank - 1 && $0.isWhole } ?? (world.rank == 0))
            return [world.allReduce(own, Range.join), world.scan(own, Range.join)]
        }
        for (rank, result) in results.enumerated() {
            #expect(result[0].first == 0 && result[0].last == size - 1 && result[0].isWhole)
            #expect(result[1].first == 0 && result[1].last == rank && result[1].isWhole)
        }
    }

    @Test(arguments: sizes) func scansHaveTheBracketsOfAShorterReduction(_ size: Int) throws {
        let all = (0..<size).map { rank in (0..<3).map { Self.number(rank, $0) } }
        let results = try play(size, seed: 4) { world in
            (
                world.scan(all[world.rank], +), world.scan(all[world.rank][0], +),
                world.exclusiveScan(all[world.rank][0], +)
            )
        }
        for (rank, result) in results.enumerated() {
            for index in 0..<3 { #expect(result.0[index] == tree(all[...rank].map { $0[index] }[...], +)) }
            #expect(result.1 == result.0[0])
            #expect(result.2 == (rank == 0 ? nil : tree(all[..<rank].map { $0[0] }[...], +)))
        }
    }

    /// Long arrays go in segments, short ones through the tree.
    @Test(arguments: sizes) func theLengthOfAnArrayChangesNoBit(_ size: Int) throws {
        for length in [0, 1, 5, 700 * size, 513 * size + size / 2] {
            let all = (0..<size).map { rank in (0..<length).map { Self.number(rank, $0) } }
            let expected = (0..<length).map { index in tree(all.map { $0[index] }[...], +) }
            let root = length % size
            let results = try play(size, seed: UInt64(length)) { world in
                let own = all[world.rank]
                let reduced = world.reduce(own, to: root, +)
                #expect((reduced == nil) == (world.rank != root))
                return (
                    world.allReduce(own, +), reduced ?? expected, world.reduceScatter(own, +), world.share(of: length)
                )
            }
            for result in results {
                #expect(result.0 == expected && result.1 == expected)
                #expect(result.2 == Array(expected[result.3]))
            }
        }
    }

    @Test(arguments: sizes) func sharesAreWholeAndAboutEqual(_ size: Int) throws {
        for count in [0, 1, size, 3 * size + size / 2, 100] {
            let results = try play(size, seed: 2) { world in
                let counts = (0..<size).map { ($0 * 2) % 5 }
                let values = (0..<counts.reduce(0, +)).map { $0 + world.rank }
                return (world.share(of: count), world.reduceScatter(values, counts: counts, +), counts)
            }
            #expect(results.flatMap { Array($0.0) } == Array(0..<count))
            #expect(results.allSatisfy { $0.0.count >= count / size && $0.0.count <= count / size + 1 })
            let ranks = (0..<size).reduce(0, +)
            #expect(results.flatMap(\.1) == (0..<results[0].2.reduce(0, +)).map { $0 * size + ranks })
        }
    }

    @Test(arguments: sizes) func theRankOfTheLargestIsFound(_ size: Int) throws {
        let values = (0..<size).map { ($0 * 7) % 5 }
        let results = try play(size, seed: 5) { world in
            let own = Located(values[world.rank], at: world.rank)
            let (largest, smallest) = (world.allReduce(own, Located.max), world.allReduce(own, Located.min))
            let isSome = world.any(world.rank == size - 1)
            let isEach = world.all(world.rank < size - 1)
            return ([largest.place, smallest.place], [isSome, isEach])
        }
        for result in results {
            #expect(result.0 == [values.firstIndex(of: values.max()!), values.firstIndex(of: values.min()!)])
            #expect(result.1 == [true, false])
        }
    }
}
