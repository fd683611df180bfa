import Testing

@testable import PotluckKit

/// A tree of numbers: every node has up to five branches, and each leaf a cost that follows from its path. Costs are
/// small, so that many solutions are equally good.
private struct Maze: Search {
    static let name: StaticString = "maze"
    static let summary: StaticString = "A tree whose best leaf is known"
    @Parameter("shape", "which tree", in: 0...1_000_000) var shape = 0
    @Parameter("depth", "its depth", in: 0...30) var depth = 6
    @Parameter("start", "the branch that the start takes, counted from 1; 0 for no start", in: 0...5) var start = 0

    struct Partial: BitwiseCopyable {
        let steps: Row<UInt8>
        var depth = 0
        var hash: UInt64
        var cost: Int64 = 0
    }

    func root(_ memory: SearchMemory) -> Partial {
        Partial(steps: memory.row(0, count: depth + 1), hash: UInt64(shape) &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    }

    func cost(_ partial: Partial) -> Int64? { partial.depth == depth ? partial.cost : nil }

    func branches(_ partial: Partial) -> Int { Int(partial.hash >> 60) % 6 }

    func startBranch(_ partial: Partial) -> Int? { start > 0 && branches(partial) >= start ? start - 1 : nil }

    func take(_ branch: Int, _ partial: Partial) -> Partial {
        var next = partial
        next.hash = (partial.hash ^ UInt64(branch + 1)) &* 0xD6E8_FEB8_6659_FD93
        next.hash ^= next.hash >> 32
        next.cost += Int64(next.hash & 3)
        next.depth += 1
        partial.steps[partial.depth] = UInt8(branch) + 1
        return next
    }

    func undo(_ branch: Int, _ partial: Partial) { partial.steps[partial.depth] = 0 }

    func bound(_ partial: Partial) -> Int64 { partial.cost }

    func show(_ partial: Partial, _ output: inout Output) {
        for step in 0..<depth { output.write(UInt64(partial.steps[step])) }
    }

    static var readings: [ReadingRule<Maze>] {
        derived("cost", { _, tally, _ in Int64.number(tally.best.key, .smaller) })
    }

    static func made(_ shape: Int, depth: Int, start: Int = 0) -> Maze {
        ParameterReader.make(Maze.self, given: [UInt64(shape), UInt64(depth), UInt64(start)]).0
    }
}

/// A way of many steps, each of which is free or costs 1. The first solution is the best.
private struct Ladder: Search {
    static let name: StaticString = "ladder"
    static let summary: StaticString = "A tree that is deeper than wide"
    @Parameter("steps", "how deep it is", in: 1...4000) var steps = 300
    @Parameter("plain", "search it as it is written here") var isPlain = false

    struct Partial: BitwiseCopyable { var depth = 0, cost = 0 }

    func root(_ memory: SearchMemory) -> Partial { Partial() }
    func cost(_ partial: Partial) -> Int? { partial.depth == steps ? partial.cost : nil }
    func branches(_ partial: Partial) -> Int { 2 }
    func take(_ branch: Int, _ partial: Partial) -> Partial {
        Partial(depth: partial.depth + 1, cost: partial.cost + branch)
    }
    func bound(_ partial: Partial) -> Int { partial.cost }
    func show(_ partial: Partial, _ output: inout Output) { output.write("plain") }
    var instead: Short? { isPlain ? nil : Short(ladder: self) }

    static var readings: [ReadingRule<Ladder>] {
        derived("cost", { _, tally, _ in Int.number(tally.best.key, .smaller) })
    }

    /// The same tree with another partial solution.
    struct Short: SearchTree {
        let ladder: Ladder
        func root(_ memory: SearchMemory) -> Int { 0 }
        func cost(_ partial: Int) -> Int? { partial & 4095 == ladder.steps ? partial >> 12 : nil }
        func branches(_ partial: Int) -> Int { 2 }
        func take(_ branch: Int, _ partial: Int) -> Int { partial + 1 + branch << 12 }
        func bound(_ partial: Int) -> Int { partial >> 12 }
        func show(_ partial: Int, _ output: inout Output) { output.write("short") }
    }
}

/// A maze that tells the bounds of branches without taking them, some of them or all; or wrong ones.
private struct TellingMaze: SearchTree {
    let maze: Maze
    /// Of the steps, those at a multiple of this are told.
    var each = 1
    var error: Int64 = 0

    func root(_ memory: SearchMemory) -> Maze.Partial { maze.root(memory) }
    func cost(_ partial: Maze.Partial) -> Int64? { maze.cost(partial) }
    func branches(_ partial: Maze.Partial) -> Int { maze.branches(partial) }
    func take(_ branch: Int, _ partial: Maze.Partial) -> Maze.Partial { maze.take(branch, partial) }
    func undo(_ branch: Int, _ partial: Maze.Partial) { maze.undo(branch, partial) }
    func bound(_ partial: Maze.Partial) -> Int64 { maze.bound(partial) }
    func bound(after branch: Int, _ partial: Maze.Partial) -> Int64? {
        guard partial.depth % each == 0 else { return nil }
        let child = maze.take(branch, partial)
        maze.undo(branch, partial)
        return child.cost + error
    }
    func show(_ partial: Maze.Partial, _ output: inout Output) { maze.show(partial, &output) }
}

@Suite struct SearchTests {
    private static let whole = 0..<SearchSpace.points

    /// Searches all points without a bound and without leaving anything out.
    private static func reference(_ maze: Maze) -> (cost: Int64, steps: String)? {
        var best: (cost: Int64, steps: String)?
        func walk(_ partial: Maze.Partial) {
            if let cost = maze.cost(partial) {
                var output = Output()
                maze.show(partial, &output)
                if best.map({ cost < $0.cost }) ?? true {
                    best = (cost, String(decoding: output.octets, as: UTF8.self))
                }
                return
            }
            for branch in 0..<maze.branches(partial) {
                walk(maze.take(branch, partial))
                maze.undo(branch, partial)
            }
        }
        let memory = SearchMemory()
        withExtendedLifetime(memory) { walk(maze.root(memory)) }
        return best
    }

    @Test(arguments: 0..<200) func findsTheFirstOfTheBest(shape: Int) throws {
        let maze = Maze.made(shape, depth: 7)
        let best = maze.run(SearchRequest(points: Self.whole)).best
        guard let expected = Self.reference(maze) else {
            #expect(best.isEmpty)
            return
        }
        #expect(best.key == expected.cost)
        #expect(maze.shown(best).map { String(decoding: $0.octets, as: UTF8.self) } == expected.steps)
        #expect(maze.shown(Best(key: best.key - 1, point: best.point)) == nil)
    }

    /// The solution at the end of the start branches is one of the tree, and is shown without a search.
    @Test func theStartIsASolution() {
        var count = 0
        for shape in 0..<400 {
            let maze = Maze.made(shape, depth: shape % 9, start: 1 + shape % 3)
            let begun = maze.run(.start)
            #expect(begun.end == 0 && begun.expanded == 0)
            guard !begun.best.isEmpty else { continue }
            count += 1
            // Only the same path leads there.
            let steps = String(repeating: "\(1 + shape % 3)", count: shape % 9)
            #expect(maze.shown(begun.best).map { String(decoding: $0.octets, as: UTF8.self) } == steps)
            let bound = Best(leastBound: begun.best.key + 1)
            let point = begun.best.point
            // No other node of so small a tree shares the point.
            #expect(maze.run(SearchRequest(points: point..<point + 1, bound: bound)).best == begun.best)
            var known = SearchRequest.start
            known.bound = begun.best
            #expect(maze.run(known).best.isEmpty)
            let whole = maze.run(SearchRequest(points: Self.whole)).best
            #expect(whole <= begun.best)
            // What is known at the beginning changes nothing at the end.
            #expect(min(begun.best, maze.run(SearchRequest(points: Self.whole, bound: begun.best)).best) == whole)
        }
        #expect(count > 50)
        #expect(Maze.made(1, depth: 8).run(.start).best.isEmpty)
    }

    /// Any cut of the space, any order of the parts, any budgets and any delay of bounds give the same best.
    @Test(arguments: 0..<200) func partsInAnyOrderGiveTheSame(shape: Int) {
        // The deeper trees have more leaves than the space has points.
        let maze = Maze.made(shape, depth: shape % 5 == 0 ? 26 : 8)
        var random = stream(UInt64(shape))
        let start = Best(key: shape % 5 == 0 ? 12 : .max)
        let expected = maze.run(SearchRequest(points: Self.whole, bound: start)).best
        for _ in 0..<5 {
            var parts = [Self.whole]
            var best = Best()
            while !parts.isEmpty {
                let part = parts.remove(at: Int(random.below(UInt64(parts.count))))
                var asked = SearchRequest(points: part, bound: min(start, best))
                while true {
                    asked.budget = 1 + random.below(random.below(2) == 0 ? 8 : 3000)
                    let reply = maze.run(asked)
                    #expect(
                        reply.expanded <= asked.budget && asked.points.contains(reply.end)
                            || reply.end == part.upperBound)
                    #expect(reply.best.isEmpty || reply.best < asked.bound)
                    best = min(best, reply.best)
                    if reply.end == part.upperBound { break }
                    asked = SearchRequest(
                        points: reply.end..<part.upperBound, path: reply.path, bound: min(start, best))
                    // A chunk that ends in time finishes the point under way alone.
                    if random.below(4) == 0 {
                        let point = reply.end..<reply.end + 1
                        let rest = maze.run(SearchRequest(points: point, path: reply.path, bound: min(start, best)))
                        best = min(best, rest.best)
                        if point.upperBound < part.upperBound { parts.append(point.upperBound..<part.upperBound) }
                        break
                    }
                    guard random.below(4) == 0 else { continue }
                    let middle = reply.end + random.below(part.upperBound - reply.end)
                    parts += [reply.end..<middle, middle..<part.upperBound].filter { !$0.isEmpty }
                    break
                }
            }
            #expect(best == expected)
        }
    }

    /// A tree that tells bounds before a branch is taken is searched as one that does not, call by call.
    @Test(arguments: 0..<200) func toldBoundsChangeNothing(shape: Int) {
        let maze = Maze.made(shape, depth: shape % 5 == 0 ? 26 : 8)
        let telling = TellingMaze(maze: maze, each: 1 + shape % 3)
        var random = stream(UInt64(shape))
        var asked = SearchRequest(points: Self.whole, bound: Best(key: shape % 5 == 0 ? 12 : .max))
        while !asked.points.isEmpty {
            asked.budget = 1 + random.below(random.below(2) == 0 ? 8 : 3000)
            let reply = maze.run(asked)
            #expect(telling.walk(asked) == reply)
            asked.bound = min(asked.bound, reply.best)
            (asked.points, asked.path) = (reply.end..<Self.whole.upperBound, reply.path)
        }
    }

    /// An author who tells another bound than that of the taken branch hears of it.
    @Test func aWrongBoundIsFound() async {
        await #expect(processExitsWith: .failure) {
            _ = TellingMaze(maze: Maze.made(1, depth: 8), error: 1).walk(SearchRequest(points: 1..<SearchSpace.points))
        }
    }

    /// What a part holds that is better than a bound depends on that bound alone, so a second node can check it.
    @Test(arguments: 0..<100) func aPartHoldsTheSameBelowABound(shape: Int) {
        let maze = Maze.made(shape, depth: 8)
        var random = stream(UInt64(shape))
        let first = random.below(SearchSpace.points)
        let points = first..<first + 1 + random.below(SearchSpace.points - first)
        let end = Best(key: Int64(random.below(14)), point: random.below(SearchSpace.points))
        let expected = maze.run(SearchRequest(points: points, bound: end)).best
        // The bounds of a walk get better until they end at this one.
        var asked = SearchRequest(points: points, bound: Best(key: end.key + Int64(random.below(5))), budget: 50)
        var best = Best()
        while true {
            let reply = maze.run(asked)
            best = min(best, reply.best)
            if reply.end == points.upperBound { break }
            asked.points = reply.end..<points.upperBound
            asked.path = reply.path
            if random.below(3) == 0 { asked.bound = end }
            asked.bound = min(asked.bound, best)
        }
        #expect((best < end ? best : Best()) == expected)
    }

    @Test func theBestMergesInAnyOrder() {
        let layout = TallyLayout(of: SearchTally.self)
        let keys: [Best] = [Best(), Best(key: 3, point: 7), Best(key: 3, point: 2), Best(key: -1, point: 9)]
        for one in keys {
            for other in keys {
                var (a, b) = (SearchTally(), SearchTally())
                (a.best, b.best) = (one, other)
                var merged = a.slots(layout.slots)
                layout.merge(b.slots(layout.slots), into: &merged)
                #expect(SearchTally(slots: merged).best == min(one, other))
            }
        }
        #expect(layout.empty == SearchTally().slots(layout.slots))
    }

    @Test func costsHaveKeysInTheirOrder() {
        let numbers = [-Double.infinity, -3.5, -0.0, 0.0, 1e-300, 2, .infinity]
        for (one, other) in zip(numbers, numbers.dropFirst()) {
            #expect(one.key < other.key && one.mirrored > other.mirrored)
            #expect(Double.number(one.key, .smaller) == one && Double.number(one.mirrored, .larger) == one)
        }
        #expect(Double.nan.key > Double.infinity.key && Double.nan.key < .max)
        #expect((-5).key < 7.key && (-5).mirrored > 7.mirrored && Int64.min.mirrored < .max)
    }

    /// A call may end and continue however deep it is, and another form of the tree, searched instead, gives the same.
    @Test func searchesOfDeepTreesContinue() throws {
        var replies: [SearchReply] = []
        for isPlain in [UInt64(1), 0] {
            let ladder = ParameterReader.make(Ladder.self, given: [300, isPlain]).0
            let whole = ladder.run(SearchRequest(points: Self.whole))
            #expect(whole.best == Best(key: 0, point: 0) && whole.expanded == 600 && whole.end == Self.whole.upperBound)
            var asked = SearchRequest(points: Self.whole, budget: 7)
            var (expanded, deepest) = (UInt64(0), 0)
            while !asked.points.isEmpty {
                let reply = ladder.run(asked)
                replies.append(reply)
                expanded += reply.expanded
                deepest = max(deepest, reply.path.count)
                asked.bound = min(asked.bound, reply.best)
                (asked.points, asked.path) = (reply.end..<Self.whole.upperBound, reply.path)
            }
            #expect(asked.bound == whole.best && expanded <= 600 && deepest > 290)
            let shown = try #require(ladder.shown(whole.best))
            #expect(String(decoding: shown.octets, as: UTF8.self) == (isPlain == 1 ? "plain" : "short"))
        }
        #expect(
            replies.count % 2 == 0
                && Array(replies.prefix(replies.count / 2)) == Array(replies.suffix(replies.count / 2)))
    }

    /// What is worse than the cost of a key has no smaller key, and what is better has a smaller one.
    @Test func keysHaveCosts() {
        func hold<Cost: SearchCost>(_ costs: [Cost]) {
            let ends: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
            let keys = costs.flatMap { [$0.key, $0.key &+ 1, $0.mirrored, $0.mirrored &+ 1] } + ends
            for key in keys {
                let (small, large) = (Cost.cost(key, .smaller), Cost.cost(key, .larger))
                for cost in costs {
                    #expect(cost > small ? cost.key >= key : !(cost < small) || cost.key < key, "\(cost) and \(key)")
                    #expect(
                        cost < large ? cost.mirrored >= key : !(cost > large) || cost.mirrored < key,
                        "\(cost) and \(key)")
                }
            }
        }
        hold([
            0.0, -0.0, 1.5, -1.5, .infinity, -.infinity, .nan, -.nan, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ])
        hold([Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
        hold([Int.min, .min + 1, -1, 0, 1, .max - 1, .max])
    }
}
