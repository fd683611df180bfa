import PotluckCore
import Testing

@testable import PotluckMachine

/// Runs by the nodes that computed them.
@Suite struct NodeTermTests {
    private static func runs() -> [RunRecord] {
        var chance = SeededGenerator(seed: 41)
        return (0..<120).map { index in
            var run = Runs.random(&chance)
            for place in run.nodes.indices { run.nodes[place].trials = chance.next(below: 1000) }
            // The nodes of some runs computed nothing, and a session may have two nodes of one name.
            if index % 10 == 0 { for place in run.nodes.indices { run.nodes[place].trials = 0 } }
            if index % 7 == 0 { run.nodes.append(run.nodes[0]) }
            return run
        }
    }

    private static func numbers(_ text: String, in history: History) throws -> Set<Int64> {
        let names = try history.names(withNodes: true).terms
        var query = HistoryQuery()
        query.choice = .matching(try Condition(text, names: names) { _ in nil })
        #expect(query.isAboutNodes)
        return Set(try history.numbers(query))
    }

    /// A condition finds the runs that one finds by reading all records.
    @Test func aConditionFindsTheRunsOfANode() throws {
        let folder = try Folder()
        let history = try History.open(at: folder["history.db"])
        let runs = Self.runs()
        try history.record(runs)
        func took(_ run: RunRecord, _ name: String) -> Bool { run.nodes.contains { $0.name == name } }
        let conditions: [(String, (RunRecord) -> Bool)] = [
            ("node='laptop 2'", { took($0, "laptop 2") }), ("node='LAPTOP 2'", { took($0, "laptop 2") }),
            ("node!='laptop 2'", { !took($0, "laptop 2") }), ("node~Top", { !$0.nodes.isEmpty }),
            ("node~' 3'", { took($0, "laptop 3") }), ("node=laptop", { _ in false }),
            ("share.'laptop 1'>40%", { ($0.share(of: "laptop 1") ?? 0) > 0.4 }),
            ("not share.\"Laptop 1\">40%", { ($0.share(of: "laptop 1") ?? 0) <= 0.4 }),
            ("share.'laptop 0'=1 and node='laptop 0'", { $0.share(of: "laptop 0") == 1 }),
            ("node='laptop 1' and share.'laptop 1'<=0.5", { ($0.share(of: "laptop 1") ?? 1) <= 0.5 }),
        ]
        for (text, holds) in conditions {
            let expected = runs.indices.filter { holds(runs[$0]) }.map { Int64($0 + 1) }
            #expect(try Self.numbers(text, in: history) == Set(expected), "\(text)")
        }
        var query = HistoryQuery()
        query.sort = try Term("share.laptop 1", among: history.names(withNodes: true).terms)
        let sorted = try history.list(query, withShares: true)
        let shares = sorted.compactMap { runs[Int($0.id) - 1].share(of: "laptop 1") }
        #expect(shares == shares.sorted(by: >) && shares.count > 20 && sorted.count == runs.count)
        for run in sorted {
            let expected = runs[Int(run.id) - 1].nodeShares
            #expect(run.nodeShares.map(\.name) == expected.map(\.name))
            // SQLite may read the last bit of a number differently.
            #expect(zip(run.nodeShares, expected).allSatisfy { abs($0.share - $1.share) < 1e-15 })
        }
    }

    /// A store of an earlier version has the nodes only in its pieces, or in a table of another form.
    @Test(arguments: 1..<HistorySchema.kind.newest) func anOlderHistoryKnowsTheNodes(version: Int) throws {
        let source = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let folder = try Folder()
        try folder.write(Folder.octets(at: "\(source)/Fixtures/history-\(version).db"), "history.db")
        let history = try History.open(at: folder["history.db"])
        let runs = Runs.many(20, seed: 1)
        let expected = runs.indices.filter { (runs[$0].share(of: "laptop 0") ?? 0) >= 0.5 }.map { Int64($0 + 1) }
        #expect(try Self.numbers("share.'laptop 0'>=50%", in: history) == Set(expected) && !expected.isEmpty)
    }

    /// A run that cannot be read does not keep the others from being found.
    @Test func aDamagedRunDoesNotStopTheUpgrade() throws {
        let source = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let folder = try Folder()
        try folder.write(Folder.octets(at: "\(source)/Fixtures/history-4.db"), "history.db")
        try {
            let database = try Database(folder["history.db"], .writing, seals: .all)
            try database.run("UPDATE piece SET seal = ~seal WHERE run = 3")
        }()
        let history = try History.open(at: folder["history.db"])
        let expected = Set(Int64(1)...20).subtracting([3])
        #expect(try Self.numbers("node~laptop", in: history) == expected)
        #expect(throws: StoreError.self) { try history.run(3) }
    }

    @Test func anUnknownNodeHasAnError() {
        let names = Term.Names(parameters: [], readings: [], nodes: ["ana", "ben"])
        #expect(throws: TermError("no run was computed by a node called 'anna'; did you mean 'ana'?")) {
            try Term("share.anna", among: names)
        }
        #expect(throws: TermError("no run was computed by a node called 'zoe'; nodes: ana, ben")) {
            try Term("share.zoe", among: names)
        }
        // A reading may be called so.
        let shared = Term.Names(parameters: [], readings: ["share"], nodes: ["low"])
        #expect((try? Term("share.low", among: shared).kind) == .reading("share", .low))
    }
}
