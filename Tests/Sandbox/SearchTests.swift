import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// Shows with a prototype that the record format suffices for searches: several instances share the best known
/// solution, each receives another's with its next call, and any instance can continue another's work. Nodes do not
/// share out searches yet.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps")) struct SearchTests {
    /// The best way: the shortest one; among equal ones that of the lowest block, and within a block the one found
    /// first.
    struct Best: Equatable {
        var key = Int64.max
        var block: UInt64 = .max
        var way = ""

        mutating func merge(_ other: Best) {
            if (other.key, other.block) < (key, block) { self = other }
        }
    }

    /// The progress of a worker, and the bound that it received with its current request.
    private struct Work {
        var block: UInt64
        var rest: [UInt8] = []
        var bound: UInt64?
    }

    private struct Outcome {
        var best = Best()
        var improvements = 0
        var resumed = 0
    }

    private static let module = Result { () throws in
        try Module(Made.c("Tests/Sandbox/Version1/salesman.c", name: "salesman"), cache: nil)
    }

    private func configured<Value>(
        _ cities: UInt64, _ map: UInt64, _ body: (Instance, _ blocks: UInt64) throws(SandboxError) -> Value
    ) throws -> Value {
        try Self.module.get().withInstance(PluginLimits()) { instance throws(SandboxError) in
            let verdict = try instance.record(
                "potluck_configure", ModuleConfiguration(parameters: [cities, map]).record)
            guard verdict.count == 4, verdict[0] == 0, verdict[1] == 1, verdict[3] == 1 else {
                throw .answer(function: "potluck_configure", "\(verdict)")
            }
            return try body(instance, verdict[2])
        }
    }

    /// Searches with several workers, in an order of requests and replies that depends on `seed`. Sometimes a worker is
    /// lost with its work, and its block begins again.
    private func search(_ cities: UInt64, map: UInt64, workers: Int, seed: UInt64) throws -> Outcome {
        var chance = SeededGenerator(seed: seed)
        var outcome = Outcome()
        let blocks = try configured(cities, map) { $1 }
        var waiting = (0..<blocks).map { Work(block: $0) }
        for index in waiting.indices { waiting.swapAt(index, Int(chance.next(below: UInt64(waiting.count)))) }
        var hands = [Work?](repeating: nil, count: workers)
        while !waiting.isEmpty || hands.contains(where: { $0 != nil }) {
            let index = Int(chance.next(below: UInt64(workers)))
            guard var work = hands[index] else {
                hands[index] = waiting.popLast()
                continue
            }
            guard let bound = work.bound else {
                hands[index]?.bound = UInt64(bitPattern: outcome.best.key)
                continue
            }
            hands[index] = nil
            if chance.next(below: 20) == 0 {
                waiting.append(Work(block: work.block))
                continue
            }
            let asked = RunRequest(
                shape: .search, seed: 0, first: work.block, blocks: 1, trials: 1, bound: bound, payload: work.rest)
            // Each call has a fresh instance, because `rest` contains the whole state of a search.
            let reply = try configured(cities, map) { instance, _ throws(SandboxError) in
                try RunReply(try instance.record("potluck_run", asked.record), to: asked, slots: 1)
            }
            if !reply.output.isEmpty {
                outcome.improvements += 1
                outcome.best.merge(
                    Best(
                        key: Int64(bitPattern: reply.best), block: work.block,
                        way: String(decoding: reply.output, as: UTF8.self)))
            }
            guard reply.hasMore else { continue }
            outcome.resumed += 1
            (work.rest, work.bound) = (reply.rest, nil)
            // Any free worker continues it.
            waiting.append(work)
        }
        return outcome
    }

    /// Finds the best way by trying all of them.
    private func shortest(_ cities: Int, map: UInt64) -> Best {
        var state = map
        var distance = [[Int]](repeating: [Int](repeating: 0, count: cities), count: cities)
        for a in 0..<cities {
            for b in 0..<a {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                distance[a][b] = 1 + Int(UInt32(truncatingIfNeeded: state >> 33) % 5)
                distance[b][a] = distance[a][b]
            }
        }
        var best: (length: Int, way: [Int]) = (.max, [])
        func go(_ way: [Int], _ length: Int) {
            if way.count == cities {
                let whole = length + distance[way[cities - 1]][0]
                if whole < best.length { best = (whole, way) }
            }
            for next in 1..<cities where !way.contains(next) {
                go(way + [next], length + distance[way[way.count - 1]][next])
            }
        }
        go([0], 0)
        let second = best.way[1]
        let third = best.way[2] - (best.way[2] > second ? 1 : 0)
        return Best(
            key: Int64(bitPattern: Double(best.length).bitPattern),
            block: UInt64((second - 1) * (cities - 2) + third - 1),
            way: best.way.map(String.init).joined(separator: " ") + "\n")
    }

    @Test(arguments: [4, 5, 7, 8]) func theBestIsTheSameWhateverTheOrder(cities: Int) throws {
        for map: UInt64 in 1...3 {
            let expected = shortest(cities, map: map)
            for (workers, seed) in [(1, 1), (2, 2), (3, 3), (5, 4), (5, 5)] as [(Int, UInt64)] {
                let outcome = try search(UInt64(cities), map: map, workers: workers, seed: seed)
                #expect(outcome.best == expected, "map \(map), \(workers) workers")
            }
        }
    }

    /// A better way ends its call, so that all workers learn of it a round trip later. A bound saves work.
    @Test func aBoundIsSharedAndSavesWork() throws {
        let outcome = try search(8, map: 1, workers: 3, seed: 9)
        #expect(outcome.improvements > 0 && outcome.resumed >= outcome.improvements)
        func steps(_ bound: UInt64) throws -> UInt64 {
            let asked = RunRequest(shape: .search, seed: 0, first: 40, blocks: 1, trials: 1, bound: bound)
            return try configured(8, 1) { instance, _ throws(SandboxError) in
                var asked = asked
                var steps: UInt64 = 0
                while true {
                    let reply = try RunReply(try instance.record("potluck_run", asked.record), to: asked, slots: 1)
                    steps += reply.slots[0]
                    guard reply.hasMore else { return steps }
                    asked.payload = reply.rest
                }
            }
        }
        #expect(try steps(UInt64(bitPattern: outcome.best.key)) < steps(RunReply.nothing))
    }

    /// A search describes itself properly, but is refused with a line because nodes cannot share it out.
    @Test func aSearchIsNotRunYet() throws {
        let octets = try Made.c("Tests/Sandbox/Version1/salesman.c", name: "salesman")
        #expect(throws: SandboxError.shape(3)) { try Plugin(octets, label: "salesman") }
    }

    @Test func theReplyOfASearchIsChecked() throws {
        let asked = RunRequest(shape: .search, seed: 0, first: 0, blocks: 1, trials: 1, bound: 5)
        #expect(try RunReply([3, 1, 0, 4, 0, 1, 65, 0], to: asked, slots: 0).best == 4)
        let wrong: [(String, [UInt64])] = [
            ("worse than the bound", [3, 1, 0, 6, 0, 1, 65, 0]), ("a best without a look", [3, 1, 0, 4, 0, 0, 0]),
            ("a look without a best", [3, 1, 0, RunReply.nothing, 0, 1, 65, 0]),
            ("done, and more to do", [3, 1, 1, RunReply.nothing, 0, 0, 1, 65]),
            ("not done, and nothing to do", [3, 0, 0, RunReply.nothing, 0, 0, 0]),
            ("done, and something left", [3, 1, 0, RunReply.nothing, 0, 0, 1, 65]),
            ("more than was asked", [3, 2, 0, RunReply.nothing, 0, 0, 0]),
        ]
        for (what, record) in wrong {
            #expect(throws: SandboxError.self, "\(what)") { try RunReply(record, to: asked, slots: 0) }
        }
    }
}
