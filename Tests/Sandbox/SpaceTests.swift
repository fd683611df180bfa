import PotluckCatalogue
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// Searches of a space of points as modules.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps")) struct SpaceTests {
    private static let golomb = Result { try Made.plugin("Plugins/Golomb/Golomb.swift") }

    /// Short calls that continue each other give what one call gives, natively and as a module.
    @Test func aModuleSearchesLikeItsSource() throws {
        let native = try #require(catalogue.first { $0.name == "golomb" }).prepared([7])
        let module = try Self.golomb.get().simulation.prepared([7])
        #expect(module.units == SearchSpace.points && module.layout == native.layout)
        let (ours, theirs) = (try #require(module.search), try #require(native.search))
        var replies: [[SearchReply]] = []
        for search in [ours, theirs] {
            var asked = SearchRequest(points: 0..<SearchSpace.points, budget: 1000)
            var seen: [SearchReply] = []
            let failure = search.walk { call in
                while !asked.points.isEmpty, case .success(let reply) = call(asked) {
                    seen.append(reply)
                    (asked.points, asked.path) = (reply.end..<SearchSpace.points, reply.path)
                    asked.bound = min(asked.bound, reply.best)
                }
            }
            #expect(failure == nil && asked.points.isEmpty && asked.bound.key == 25)
            replies.append(seen)
        }
        #expect(replies[0] == replies[1] && replies[0].count > 5)
        let best = Best(key: 25, point: try #require(replies[0].map(\.best).min()).point)
        let shown = try #require(ours.show(best))
        #expect(String(decoding: shown.octets, as: UTF8.self) == "0 1 4 10 18 23 25")
        #expect(theirs.show(best)?.octets == shown.octets)
        #expect(ours.show(Best(key: 24, point: best.point)) == nil)
    }

    /// Preparing may take longer than a chunk, so it happens once; but nothing is left of the chunks before.
    @Test func chunksShareOnePreparation() throws {
        let plugin = try Made.plugin("Tests/Sandbox/Hostile/Hoarder.swift")
        let configuration = ModuleConfiguration(parameters: [])
        let ready = PluginWorker.Ready(blockSize: 1, units: SearchSpace.points)
        let memory = ReadyMemory()
        let search = plugin.worker.search(configuration, ready, memory)
        for _ in 0..<3 {
            var keys: [Int64] = []
            let failure = search.walk { call in
                for _ in 0..<2 {
                    let asked = SearchRequest(points: 0..<SearchSpace.points)
                    if case .success(let reply) = call(asked) { keys.append(reply.best.key) }
                }
            }
            #expect(failure == nil && keys == [99, 98])
        }
        #expect(memory.count == 1)
    }

    @Test func theReplyOfASearchIsChecked() throws {
        let nothing = RunReply.nothing
        let none = UInt64.max
        let asked = RunRequest(SearchRequest(points: 10..<20, bound: Best(key: 5, point: 3), budget: 100))
        func reply(_ record: [UInt64]) throws(SandboxError) -> SearchReply {
            try RunReply(record, to: asked, slots: 2).reply(to: asked)
        }
        #expect(
            try reply([4, 4, 1, 4, 2, 4, 12, 0, 16, 7, 1, 100])
                == SearchReply(end: 14, path: [7, 1], best: Best(key: 4, point: 12), expanded: 100))
        #expect(try reply([4, 10, 0, nothing, 2, nothing, none, 0, 0, 9]).best.isEmpty)
        let wrong: [(String, [UInt64])] = [
            ("two bests", [4, 10, 0, 4, 2, 3, 12, 0, 0, 9]), ("no better", [4, 10, 0, 5, 2, 5, 12, 0, 0, 9]),
            ("elsewhere", [4, 10, 0, 4, 2, 4, 20, 0, 0, 9]), ("too many nodes", [4, 10, 0, 4, 2, 4, 12, 0, 0, 101]),
            ("too many points", [4, 11, 0, 4, 2, 4, 12, 0, 0, 9]),
            ("done, with more", [4, 10, 1, 4, 2, 4, 12, 0, 0, 9]),
            ("done, with a rest", [4, 10, 0, 4, 2, 4, 12, 0, 8, 1, 9]),
            ("half a step", [4, 4, 1, 4, 2, 4, 12, 0, 4, 1, 9]),
            ("nothing done", [4, 4, 1, nothing, 2, nothing, none, 0, 0, 0]),
            ("output", [4, 10, 0, 4, 2, 4, 12, 1, 65, 0, 9]), ("too long", [4, 10, 0, 4, 2, 4, 12, 0, 0, 9, 1]),
        ]
        for (what, record) in wrong { #expect(throws: SandboxError.self, "\(what)") { try reply(record) } }
    }

    /// A search whose bound is too strict is found.
    @Test func aWrongBoundIsFound() throws {
        let plugin = try Made.plugin("Tests/Sandbox/Hostile/Strict.swift")
        let check = LawCheck(try plugin.simulation.prepared([8]), depth: .quick)
        #expect(!check.isKept, "\(check.findings)")
        let golomb = LawCheck(try Self.golomb.get().simulation.prepared([8]), depth: .quick)
        #expect(golomb.isKept && golomb.findings.count > 3, "\(golomb.findings)")
    }
}
