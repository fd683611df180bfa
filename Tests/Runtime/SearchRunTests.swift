import Foundation
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckMachine
import Testing

@testable import Potluck

/// The best of a search, and which of equally good ones it is, does not depend on cores, chunks, or interruptions.
@Suite struct SearchRunTests {
    private func simulation(_ name: String) throws -> AnySimulation {
        try #require(catalogue.first { $0.name == name })
    }

    private func run(_ name: String, _ parameters: [UInt64], cores: Int) async throws -> JobResult {
        try await LocalRun(try simulation(name), parameters: parameters, seed: 0, goal: Goal(), cores: cores).result
    }

    /// A ruler and its length; the tree has many rulers that are equally good.
    @Test(arguments: [(2, 1.0), (6, 17), (7, 25), (8, 34)])
    func theResultIsTheSameForEveryNumberOfCores(marks: UInt64, length: Double) async throws {
        var digests: Set<String> = []
        for cores in [1, 2, 3, 7] {
            let result = try await run("golomb", [marks], cores: cores)
            #expect(result.completion == .trials && result.spec.isSearch)
            #expect(result.readings.map(\.value) == [length])
            digests.insert(result.digest)
        }
        #expect(digests.count == 1)
    }

    /// While a search runs, the best that it knows can be shown, and at the end it is that of the result.
    @Test func theBestSoFarCanBeShown() async throws {
        let golomb = try simulation("golomb")
        let run = try LocalRun(golomb, parameters: [12], seed: 0, goal: Goal(), cores: 2)
        var search: RunningSearch?
        for await picture in run.snapshots {
            search = search ?? run.search(of: picture.id)
            guard let search, !search.best.isEmpty else { continue }
            let marks = try #require(search.show(search.best)).split(separator: UInt8(ascii: " "))
            #expect(marks.count == 12)
            break
        }
        run.stop()
        let result = try await run.result
        let best = try #require(golomb.layout.best(in: result.tally))
        #expect(search?.best == best)
        #expect(search?.show(best) != nil)
    }

    /// A search of a hundred places that is stopped at once has a round trip, which it did not look for.
    @Test func aSearchThatIsStoppedAtOnceHasATour() async throws {
        let tsp = try simulation("tsp")
        var generator = SeededGenerator(seed: 1)
        let places = (0..<200).map { _ in Double(generator.next(below: 1000)) }
        let run = try LocalRun(
            tsp, parameters: tsp.standardParameters, tables: [Table(rows: 100, columns: 2, numbers: places)], seed: 0,
            goal: Goal(), cores: 2)
        for await picture in run.snapshots {
            guard let search = run.search(of: picture.id), !search.best.isEmpty else { continue }
            #expect(search.show(search.best)?.isEmpty == false)
            break
        }
        run.stop()
        let result = try await run.result
        #expect(result.completion == .stopped)
        #expect(try #require(tsp.layout.best(in: result.tally)).point < SearchSpace.points)
        #expect(try #require(result.readings.first?.value) < 9000)
    }

    /// Both bounds find the same round trip, in one direction or the other.
    @Test func bothBoundsFindTheSame() async throws {
        for draw in [1, 2, 3] as [UInt64] {
            let byCost = try await run("tsp", [8, draw, 0, 0, 0], cores: 2).readings[0].value
            let byTree = try await run("tsp", [8, draw, 1, 0, 0], cores: 2).readings[0].value
            let (one, other) = (try #require(byCost), try #require(byTree))
            #expect((one - other).magnitude < 1e-6)
        }
    }

    /// A search that is stopped says the best so far, which is the best of all when it is resumed often enough.
    @Test func aStoppedSearchIsResumed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-kept-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let runs = KeptRuns(in: folder, modules: nil)
        let golomb = try simulation("golomb")
        let whole = try await run("golomb", [9], cores: 2)
        var keeper = RunKeeper("golomb", module: nil, passing: .zero) { runs }
        var current = try LocalRun(golomb, parameters: [9], seed: 0, goal: Goal(), cores: 2, keeper: keeper)
        var best = Best()
        for round in 0..<8 {
            if round < 7 {
                for await picture in current.snapshots where picture.trials > 0 { break }
                current.stop()
            }
            let result = try await current.result
            let found = try #require(golomb.layout.best(in: result.tally))
            // What was found once is never lost.
            #expect(found <= best)
            best = found
            guard result.completion == .stopped else {
                #expect(result.digest == whole.digest)
                #expect(keeper.end(isOver: true) == .nothing)
                return
            }
            guard case .kept(let id) = keeper.end(isOver: false) else {
                Issue.record("it is not kept")
                return
            }
            keeper = try #require(try runs.open(id)).keeper
            current = try LocalRun(golomb, resuming: keeper, cores: 1 + round % 3)
        }
        Issue.record("it never ended")
    }
}
