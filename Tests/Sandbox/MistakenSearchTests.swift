import Foundation
import PotluckKit
import Testing

@testable import PotluckMachine

/// A knapsack whose best load is worth 53, and whose author may be wrong.
private struct Knapsack: Search {
    static let name: StaticString = "knapsack"
    static let summary: StaticString = "The most valuable load of a knapsack"
    @Parameter("mistake", "which mistake it makes", in: 0...9) var mistake = 0
    static let weights = [12, 2, 1, 4, 1, 9, 20, 31], values = [4, 2, 1, 10, 2, 9, 13, 29]
    static var better: SearchOrder { .larger }

    struct Partial: BitwiseCopyable { var next = 0, weight = 0, value = 0 }
    func root(_ memory: SearchMemory) -> Partial { Partial() }
    var start: Int? { mistake == 8 ? 54 : mistake == 9 ? 53 : nil }
    func cost(_ partial: Partial) -> Int? { partial.next == Self.weights.count ? partial.value : nil }
    func branches(_ partial: Partial) -> Int { partial.weight + Self.weights[partial.next] <= 50 ? 2 : 1 }
    func take(_ branch: Int, _ partial: Partial) -> Partial {
        var next = partial
        next.next += 1
        next.weight += branch * Self.weights[partial.next]
        next.value += branch * Self.values[partial.next]
        return next
    }
    func bound(_ partial: Partial) -> Int {
        let rest = Self.values[partial.next...].reduce(0, +)
        return switch mistake {
        case 1: partial.value
        case 2: partial.value + rest / 2
        case 3: partial.value + (50 - partial.weight) / 4
        case 4: 0
        case 5: -partial.value
        case 6: partial.value + Self.values.dropFirst(partial.next + 1).reduce(0, +)
        // Leaves out only what is not the best.
        case 7: partial.value + rest - (partial.next == 5 && partial.value < 10 ? 30 : 0)
        default: partial.value + rest
        }
    }
    func show(_ partial: Partial, _ output: inout Output) {}
    static var readings: [ReadingRule<Knapsack>] {
        derived("value", { _, tally, _ in Int.number(tally.best.key, better) })
    }
}

/// What is said of searches whose authors are wrong, before their first chunk.
struct MistakenSearchTests {
    private func prepared(_ mistake: Int) throws -> PreparedSimulation {
        try AnySimulation(Knapsack.self, source: "").prepared([UInt64(mistake)])
    }

    private func flaw(_ mistake: Int) throws -> String? {
        let simulation = try prepared(mistake)
        let search = try #require(simulation.search)
        return SearchDives(search, count: 104, nodes: 125, until: .max).flaw { best in
            simulation.read(SearchTally(best).slots(simulation.layout.slots), SearchSpace.points)
        }
    }

    @Test func aRightBoundAndAStartThatIsReachedAreTrusted() throws {
        for mistake in [0, 9] {
            #expect(try flaw(mistake) == nil)
            let check = LawCheck(try prepared(mistake), depth: .quick)
            #expect(check.isKept, "\(check.findings)")
        }
    }

    @Test(arguments: 1...7) func aWrongBoundIsSaidWithItsError(_ mistake: Int) throws {
        let text = try #require(try flaw(mistake))
        #expect(
            text.hasPrefix("a bound leaves out the best, by ") && text.contains("a solution's value is "), "\(text)")
        #expect(!LawCheck(try prepared(mistake), depth: .quick).isKept)
    }

    @Test func theErrorOfABoundIsExact() throws {
        let text = try #require(try flaw(4))
        let error = try #require(text.components(separatedBy: ", by ").last?.prefix { $0 != ":" })
        #expect(
            text
                == "a bound leaves out the best, by \(error): a solution's value is \(error), and bound says that there is nothing "
                + "better than 0; bound must return a cost that no solution below can better")
    }

    @Test func aStartThatNobodyReachesIsNamed() throws {
        let text = try #require(try flaw(8))
        #expect(text.hasPrefix("start leaves out every solution, although there is one whose value is "), "\(text)")
    }

    /// Without looking before, a chunk still looks for its best alone.
    @Test func aChunkThatLosesItsBestFails() throws {
        let reply = try prepared(1).run(
            ChunkRequest(seed: 0, blocks: 0..<SearchSpace.points, trials: SearchSpace.points)
        ) { false }
        #expect(reply.failure?.reason.hasPrefix("a bound leaves out the best; ") == true, "\(reply)")
        let right = try prepared(0).run(
            ChunkRequest(seed: 0, blocks: 0..<SearchSpace.points, trials: SearchSpace.points)
        ) { false }
        #expect(right.failure == nil && right.end == SearchSpace.points && right.slots[0] == UInt64(bitPattern: -53))
    }
}
