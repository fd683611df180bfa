import Testing

@testable import PotluckKit

/// Messages between two ranks, requests, and what happens to wrong calls.
@Suite struct MessageTests {
    @Test(arguments: 0..<20 as Range<UInt64>) func messagesOfOneSenderDoNotOvertake(_ seed: UInt64) throws {
        let results = try play(4, seed: seed) { world -> [[Int]] in
            if world.rank > 0 {
                for number in 0..<10 { world.send(number, to: 0, tag: 5) }
                return []
            }
            var received = [[Int]](repeating: [], count: 4)
            for _ in 0..<30 {
                var number = 0
                let status = world.receive(into: &number, from: .any, tag: .any)
                #expect(status.tag == 5 && status.count(of: Int.self) == 1)
                received[status.source].append(number)
            }
            return received
        }
        for source in 1..<4 { #expect(results[0][source] == Array(0..<10)) }
    }

    @Test func theOrderOfArrivalDependsOnTheSeedAlone() throws {
        func order(_ seed: UInt64) throws -> [Int] {
            try play(6, seed: seed) { world -> [Int] in
                if world.rank > 0 { world.send(world.rank, to: 0) }
                return world.rank > 0 ? [] : (1..<6).map { _ in world.receive(from: .any) }
            }[0]
        }
        let orders = try (0..<10 as Range<UInt64>).map(order)
        #expect(try orders == (0..<10 as Range<UInt64>).map(order))
        #expect(Set(orders).count > 5)
    }

    @Test func aTagChoosesAMessage() throws {
        let results = try play(2, seed: 1) { world -> [Int] in
            if world.rank == 1 {
                world.send([1, 2, 3], to: 0, tag: 1)
                world.send(Int8(4), to: 0, tag: 2)
                return []
            }
            let second = world.receive(Int8.self, from: 1, tag: 2)
            let next = world.probe(from: .any, tag: .any)
            #expect(next == Status(source: 1, tag: 1, bytes: 3 * MemoryLayout<Int>.stride))
            #expect(world.iprobe(from: 1, tag: 9) == nil)
            return world.receive([Int].self, from: next.source, tag: next.tag) + [Int(second)]
        }
        #expect(results[0] == [1, 2, 3, 4])
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func waitAnySeesEachRequestOnce(_ seed: UInt64) throws {
        let results = try play(5, seed: seed) { world -> [Int] in
            if world.rank > 0 {
                world.send(world.rank * 11, to: 0)
                return []
            }
            let incoming = (1..<5).map { world.ireceive(Int.self, from: $0) }
            var seen: [Int] = []
            while let index = world.waitAny(incoming) {
                #expect(incoming[index].isComplete && incoming[index].value == (index + 1) * 11)
                seen.append(index)
            }
            #expect(world.waitAny([]) == nil)
            return seen
        }
        #expect(results[0].sorted() == [0, 1, 2, 3])
    }

    @Test(arguments: 0..<10 as Range<UInt64>) func receivesThatWerePostedFirstGetTheFirstMessages(_ seed: UInt64) throws
    {
        let results = try play(2, seed: seed) { world -> [[Double]] in
            if world.rank == 1 {
                let requests = (0..<3).map { world.isend([Double($0), 0.5], to: 0, mode: .synchronous) }
                world.waitAll(requests)
                return []
            }
            let incoming = (0..<3).map { _ in world.ireceive(most: 4, of: Double.self, from: 1) }
            #expect(incoming[2].wait() == Status(source: 1, tag: 0, bytes: 16))
            world.waitAll(incoming)
            return incoming.map(\.values)
        }
        #expect(results[0] == [[0, 0.5], [1, 0.5], [2, 0.5]])
    }

    @Test func testReturnsAtOnce() throws {
        let results = try play(2, seed: 3) { world -> Int in
            let other = 1 - world.rank
            let incoming = world.ireceive(Int.self, from: other)
            var tries = 1
            if world.rank == 0 {
                #expect(incoming.test() == nil)
                world.send(7, to: other)
            } else {
                world.send(world.receive(Int.self, from: 0, tag: 1) + incoming.value, to: other)
            }
            if world.rank == 0 {
                world.send(1, to: other, tag: 1)
                while incoming.test() == nil { tries += 1 }
                #expect(incoming.test()?.source == 1, "it stays complete")
            }
            return incoming.value
        }
        #expect(results == [8, 7])
    }

    /// A synchronous send in a ring without a receive never ends; the other modes do.
    @Test func onlyASynchronousSendWaitsForTheReceiver() {
        for mode in [SendMode.standard, .buffered, .synchronous] {
            let played = Played(3, seed: 1) { world -> Int in
                world.send(world.rank, to: (world.rank + 1) % 3, mode: mode)
                return world.receive(from: (world.rank + 2) % 3)
            }
            #expect(played.end == (mode == .synchronous ? .deadlocked : .finished))
            if mode != .synchronous { #expect(played.results == [2, 0, 1]) }
        }
    }

    @Test func sendReceiveSwapsAndAcceptsNoNeighbour() throws {
        let results = try play(3, seed: 1) { world -> [Int] in
            let (next, previous) = ((world.rank + 1) % 3, (world.rank + 2) % 3)
            let one = world.sendReceive(world.rank, to: next, from: previous)
            let many = world.sendReceive([world.rank, 9], to: next, from: previous)
            let after = world.rank < 2 ? world.rank + 1 : nil
            let before = world.rank > 0 ? world.rank - 1 : nil
            return [one] + many + (world.sendReceive([world.rank], to: after, from: before) ?? [-1])
        }
        #expect(results == [[2, 2, 9, -1], [0, 0, 9, 0], [1, 1, 9, 1]])
    }

    /// Structures, SIMD vectors and empty arrays travel, too.
    @Test func anyPlainValueTravels() throws {
        struct Body: BitwiseCopyable, Equatable, Sendable {
            var place = SIMD2<Double>(1, 2)
            var isFixed = true
        }
        let results = try play(2, seed: 1) { world -> [Body] in
            let other = 1 - world.rank
            let empty = world.sendReceive([Body](), to: other, from: other)
            let bodies = world.sendReceive([Body(), Body(isFixed: false)], to: other, from: other)
            var place = [Body](repeating: Body(), count: 3)
            world.send(Body(place: [3, 4]), to: other)
            let status = world.receive(into: &place, from: other)
            #expect(status.count(of: Body.self) == 1 && place[0].place == [3, 4] && place[1] == Body())
            return empty + bodies
        }
        #expect(results == [[Body]](repeating: [Body(), Body(isFixed: false)], count: 2))
    }

    @Test func everyRankHasItsOwnRandomStream() throws {
        let results = try play(4, seed: 11) { world -> [UInt32] in
            var (one, other) = (world.random(), world.random(1))
            #expect(one.state == world.random().state && world.seed == 11)
            return [one.next(), other.next()]
        }
        #expect(Set(results.joined()).count == 8)
    }

    @Test(arguments: [1, 2, 3, 5, 8, 17]) func noCallDependsOnTheOrderOfMessages(_ size: Int) throws {
        let outputs = (0..<4 as Range<UInt64>).map { order in
            let played = Played(size, seed: 42, order: order, arguments: ["one", "two"]) { world in
                var output = Output()
                EveryCall().run(world, &output)
                return output.octets
            }
            #expect(played.end == .finished, "\(played.log)")
            return played.results
        }
        for output in outputs { #expect(output == outputs[0]) }
    }
}
