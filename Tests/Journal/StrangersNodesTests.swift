import Testing

@testable import PotluckCore
@testable import PotluckMachine

/// The digest of a run does not cover its nodes, so a stranger's file may claim any numbers of them.
@Suite struct StrangersNodesTests {
    private func run(_ nodes: [(cores: Int, trials: UInt64)]) -> RunRecord {
        var run = Runs.many(1, seed: 31)[0]
        run.nodes = nodes.map { RecordedNode(name: "ana", cores: $0.cores, trials: $0.trials, rate: nil) }
        return run
    }

    @Test func impossibleNodesAreAProblem() {
        #expect(run([(RecordedNode.mostCores, 1), (0, Goal.mostTrials)]).problem == nil)
        for nodes in [[(Int.max, 1), (Int.max, 1)], [(-1, 1)], [(1, UInt64.max)]] as [[(cores: Int, trials: UInt64)]] {
            #expect(run(nodes).problem == "has a node with impossible numbers", "\(nodes)")
        }
    }

    @Test func aFileWithImpossibleNodesIsRefused() throws {
        let folder = try Folder()
        let theirs = try History.open(at: folder["theirs.db"])
        try theirs.record(run([(Int.max, 1), (Int.max, 1)]))
        let file = folder["runs.sqlite"]
        _ = try theirs.export(HistoryQuery(), to: file)
        let ours = try History.open(at: folder["ours.db"])
        let trouble = #expect(throws: StoreError.self) { try ours.importRuns(from: file) { _ in nil } }
        #expect(trouble?.detail == "run 1 has a node with impossible numbers; nothing was imported")
        #expect(try ours.count() == 0)
    }
}
