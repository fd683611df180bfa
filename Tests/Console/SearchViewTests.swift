import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

/// The points of a search are shown as parts of its tree, and it has no trials, no speed and no seed.
@Suite struct SearchViewTests {
    private static let whole = SearchSpace.points
    private static let canvas = Canvas(columns: 100, unicode: true, colour: false)
    private static let cost = Reading(name: "distance", kind: .derived, value: 3057.5)

    private static let spec = JobSpec(
        JobRecipe(
            experiment: Experiment(
                simulation: SimulationIdentity(name: "tsp", source: "", streams: 1), parameters: [], seed: 0,
                blockSize: 1), goal: Goal(trials: whole)))

    private static let nodes = [
        Sample.node(1, "ana", trials: whole / 8 * 5), Sample.node(2, "bob", trials: whole / 8 * 3),
        Sample.node(3, "eve", trials: 1, effort: SearchEffort(expanded: 1_000_000, inVain: 4000)),
    ]

    private static func run(_ trials: UInt64 = whole, simulation: String = "tsp", digest: String = "a") -> RunRecord {
        RunRecord(
            key: "", simulation: SimulationIdentity(name: simulation, source: "", streams: 1), parameters: [], seed: 0,
            blockSize: 1, goal: Goal(trials: whole, duration: .seconds(90)), trials: trials, tally: [], counts: [],
            readings: [cost], course: [], digest: digest, completion: trials == whole ? .trials : .duration,
            startedAt: 0, elapsed: .seconds(3),
            nodes: [RecordedNode(name: "ana", cores: 4, trials: trials, rate: nil)])
    }

    private func text(_ lines: [StyledLine]) -> String { lines.map { $0.rendered(on: Self.canvas) + "\n" }.joined() }

    private func hasNoTrials(_ text: String) -> Bool {
        !text.contains("trial") && !text.contains("seed") && !text.contains("/s") && !text.contains("4 503")
    }

    @Test func partsOfTheTreeAreNeverRoundedToNothingOrAll() {
        let parts: [UInt64] = [0, 1, Self.whole / 8, Self.whole - 1, Self.whole]
        #expect(parts.map(Figures.percent(ofSpace:)) == ["0.0 %", "< 0.1 %", "12.5 %", "99.9 %", "100 %"])
    }

    @Test func aNodeLeavesItsPartOfTheTree() {
        let words = ShareView.words(Self.nodes, own: Self.nodes[0].node, .point)
        #expect(words == "ana searched 62.5 % of the tree")
    }

    @Test func aResultNamesTheShareOfEachNode() {
        let result = JobResult(
            spec: Self.spec, trials: Self.whole, tally: [], readings: [Self.cost], completion: .trials,
            elapsed: .seconds(3), nodes: Self.nodes)
        let shown = text(ResultView(isBuiltIn: true).lines(result, digest: "d", on: Self.canvas))
        #expect(shown.hasPrefix("tsp: the whole tree in 3.0 s on 12 cores of 3 nodes"))
        #expect(shown.contains("  nodes    ana 62.5 %   bob 37.5 %   eve < 0.1 %"), "\(shown)")
        #expect(shown.contains("  tree     1 000 000 nodes expanded, 0.4 % of them in vain"), "\(shown)")
        #expect(hasNoTrials(shown))
    }

    @Test func theScreenAndTheLogNameNoSeedAndNoTrials() {
        let snapshot = JobSnapshot(
            Self.spec,
            JobPicture(
                id: JobID(1), submitter: "ana", state: .running, trials: Self.whole / 4, readings: [Self.cost],
                elapsed: .seconds(7), nodes: Self.nodes))
        let shown = text(
            ClusterView(ClusterPicture(jobs: [snapshot], takesKeys: true), now: .start, on: Self.canvas).lines())
        #expect(shown.contains("25.0 % of the tree") && shown.contains("distance   3057.5"), "\(shown)")
        #expect(hasNoTrials(shown))
        var progress = ProgressLine()
        let lines = progress.lines(snapshot).joined(separator: "\n")
        #expect(lines.contains("25.0 % of the tree") && hasNoTrials(lines), "\(lines)")
    }

    /// The best so far and that of a result are on the screen, as a picture in the height that is left.
    @Test(arguments: [(60, 15), (16, 5), (9, 0)]) func theScreenDrawsTheBestSoFar(rows: Int, most: Int) {
        let canvas = Canvas(columns: 80, rows: rows, unicode: true, colour: false)
        let solution = Solution(Array("1 2 3 4\n0 0\n9 9\n9 0\n0 9\n0 0\n".utf8))
        let snapshot = JobSnapshot(
            Self.spec,
            JobPicture(
                id: JobID(1), submitter: "ana", state: .running, trials: 1, readings: [Self.cost], elapsed: .seconds(7),
                nodes: Self.nodes))
        let result = JobResult(
            spec: Self.spec, trials: Self.whole, tally: [], readings: [Self.cost], completion: .trials,
            elapsed: .seconds(3), nodes: Self.nodes)
        let outcome = ClusterPicture.Outcome(id: JobID(1), result: result, digest: "d", isBuiltIn: true)
        for var picture in [ClusterPicture(jobs: [snapshot]), ClusterPicture(outcomes: [outcome])] {
            func drawn() -> [String] {
                ClusterView(picture, now: .start, on: canvas).lines().map { $0.rendered(on: canvas) }
            }
            func dots(_ lines: [String]) -> Int {
                lines.count { $0.unicodeScalars.contains { (0x2801...0x28ff).contains($0.value) } }
            }
            #expect(dots(drawn()) == 0)
            picture.solutions = [JobID(1): solution]
            let lines = drawn()
            #expect(lines.count < rows && dots(lines) <= most && (dots(lines) > 0) == (most > 0), "\(lines)")
            #expect(lines.contains("  1 2 3 4"))
        }
    }

    @Test func theHistoryNamesNoSeedAndNoTrials() {
        let (done, cut) = (Self.run(), Self.run(Self.whole / 4, digest: "b"))
        let summaries = [done, cut].enumerated().map { id, run in
            RunSummary(
                id: Int64(id), startedAt: 0, simulation: "tsp", parameters: [], trials: run.trials,
                elapsed: run.elapsed, rate: run.rate, cores: 4, nodes: 1, completion: run.completion,
                digest: run.digest, hasNote: false, reading: Self.cost)
        }
        let list = text(HistoryView.lines(summaries, date: { _ in "then" }, on: Self.canvas))
        #expect(list.contains("searched") && list.contains("100 % of tree") && list.contains("25.0 % of tree"))
        let shown = [done, cut].map { run in
            text(RunView(run, id: 1, isBuiltIn: true) { _ in "then" }.lines(on: Self.canvas))
        }
        #expect(shown[0].hasSuffix("repeat   potluck run tsp\n") && shown[0].contains("wanted   1 min 30 s"))
        #expect(!shown[1].contains("repeat") && shown[1].contains("ana 4 cores 25.0 %"))
        let both = text(CompareView((1, done), (2, cut)) { _ in "then" }.lines(on: Self.canvas))
        #expect(both.contains("25.0 % of the tree") && both.contains("A run that ended before the whole tree"))
        let many = text(CompareManyView([(1, done), (2, cut), (3, done)]).lines(on: Self.canvas))
        #expect(many.contains("100 % of the tree"))
        for text in [list, both, many] + shown { #expect(hasNoTrials(text), "\(text)") }
    }

    @Test func searchesAreRelatedByTheirTreesAndNotByTheirSeeds() {
        let (done, cut) = (Self.run(), Self.run(1, digest: "b"))
        #expect(RunRelation(done, cut) == .unfinished && RunRelation(done, done) == .same)
        #expect(RunRelation(done, Self.run(digest: "b")) == .contradictory)
        #expect(RunRelation(done, Self.run(simulation: "golomb", digest: "c")) == .otherSearch)
    }

    @Test func aStoppedSearchIsListedByItsPartOfTheTree() {
        let row = KeptRunRow(
            id: JobID(1), simulation: "tsp", trials: Self.whole / 4, goal: Goal(trials: Self.whole), unit: .point,
            elapsed: .seconds(3), startedAt: 0)
        let shown = text(KeptRunsView.lines([row], date: { _ in "then" }, on: Self.canvas))
        #expect(shown.contains("25.0 %  the tree") && hasNoTrials(shown), "\(shown)")
    }
}
