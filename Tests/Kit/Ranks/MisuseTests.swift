import Testing

@testable import PotluckKit

/// Wrong calls end the program on all ranks with a sentence that names the rank and the call.
@Suite struct MisuseTests {
    struct Wrong: Sendable, CustomTestStringConvertible {
        let sentence: String
        let program: @Sendable (Communicator) -> Void
        var testDescription: String { sentence }
    }

    static let wrong: [Wrong] = [
        Wrong(sentence: "rank 1: send: there is no rank 4; ranks are from 0 to 3") { world in
            if world.rank == 1 { world.send(1, to: 4) }
        },
        Wrong(sentence: "rank 0: receive: there is no rank -1; ranks are from 0 to 3") { world in
            if world.rank == 0 { _ = world.receive(Int.self, from: world.rank - 1) }
        },
        Wrong(sentence: "rank 2: isend: the tag must be at least 0 and is -1") { world in
            if world.rank == 2 { world.isend(1, to: 0, tag: -1).wait() }
        },
        Wrong(sentence: "rank 0: receive: the message has 4 bytes instead of the 8 of one value") { world in
            if world.rank == 1 { world.send(Float(1), to: 0) }
            if world.rank == 0 { _ = world.receive(Double.self, from: 1) }
        },
        Wrong(sentence: "rank 0: receive: the message has 3 bytes, and one value has 2") { world in
            if world.rank == 1 { world.send([1, 2, 3] as [UInt8], to: 0) }
            if world.rank == 0 { _ = world.receive([Int16].self, from: 1) }
        },
        Wrong(
            sentence:
                "rank 2: scatter: the root has 10 values, which 4 ranks cannot share equally; use scatter(parts:)"
        ) { world in
            _ = world.scatter(Array(0..<10), from: 2)
        },
        Wrong(sentence: "rank 0: scatter: there must be one array for each of 4 ranks, and there are 1") { world in
            _ = world.scatter(parts: world.rank == 0 ? [[1]] : [])
        },
        Wrong(
            sentence: "rank 0: allToAll: there are 6 values, which 4 ranks cannot share equally; use allToAll(parts:)"
        ) { world in
            if world.rank == 0 { _ = world.allToAll(Array(0..<6)) }
        },
        Wrong(
            sentence: "rank 0: reduce: this rank expects 16 bytes and was sent 8; all ranks must give as many values"
        ) { world in
            _ = world.reduce([UInt64](repeating: 1, count: world.rank == 1 ? 1 : 2), +)
        },
        Wrong(
            sentence:
                "rank 0: reduce: rank 1 called gather instead; all ranks must make the same calls in the same order"
        ) { world in
            if world.rank == 1 { _ = world.gather(1) } else { _ = world.reduce(1, +) }
        },
        Wrong(sentence: "rank 3: broadcast: there is no rank 9; ranks are from 0 to 3") { world in
            if world.rank == 3 { _ = world.broadcast(1, from: 9) }
        },
        Wrong(sentence: "rank 0: reduceScatter: the counts add up to 3, and there are 4 values") { world in
            if world.rank == 0 { _ = world.reduceScatter([1, 2, 3, 4], counts: [1, 1, 1, 0], +) }
        },
        Wrong(sentence: "rank 0: grid: it has 6 places, and there are 4 ranks") { world in
            if world.rank == 0 { _ = world.grid(dimensions: [2, 3]) }
        },
        Wrong(sentence: "rank 0: grid: a dimension must not be -2") { world in
            if world.rank == 0 { _ = world.grid(dimensions: [-2, -2]) }
        },
        Wrong(sentence: "rank 1: shift: there is no axis 2; the grid has 2") { world in
            let grid = world.grid(dimensions: [2, 2])
            if world.rank == 1 { _ = grid.shift(along: 2) }
        },
    ]

    @Test(arguments: wrong) func aWrongCallEndsTheProgram(_ wrong: Wrong) {
        for seed in 0..<5 as Range<UInt64> {
            let played = Played(4, seed: seed) { wrong.program($0) }
            #expect(played.end == .aborted(1) && played.log == [wrong.sentence])
        }
    }

    @Test func abortEndsAllRanks() {
        let played = Played(3, seed: 1) { world in
            if world.rank == 2 { world.abort(7) }
            world.barrier()
        }
        #expect(played.end == .aborted(7) && played.results.allSatisfy { $0 == nil })
    }
}
