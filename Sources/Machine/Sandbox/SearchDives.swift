import Glibc
import PotluckCore
import PotluckKit
import PotluckSystem

/// Looks for solutions in parts of a search's tree, large and small, and checks that each is found again when only
/// something worse is known. This finds a bound that promises too little on the way to a solution, however good the
/// first solutions of the whole tree are.
struct SearchDives {
    /// The best solution in these parts, which exists for certain; empty if there is none.
    private(set) var best = Best()
    /// The best solution that a bound leaves out; empty if there is none.
    private(set) var lost = Best()
    /// The value of that bound; nil if it is not known.
    private(set) var bound: Int64?
    /// Whether the whole tree, searched as in a run, has no solution, although there is one.
    private(set) var isStartWrong = false

    /// The most calls to find a solution again. With so many nodes in one point nobody knows whether it is there.
    private static let calls = 16
    /// The whole tree may have this many times the nodes of one look.
    private static let wholes: UInt64 = 16
    /// Nodes of a call that looks for the next solution. Few, so that bounds leave out little before it.
    private static let few: UInt64 = 64

    /// Looks `count` times, each time at no more than about `nodes` nodes, until the thread's clock shows `deadline`.
    init(_ search: PreparedSearch, count: Int, nodes: UInt64, until deadline: Int64) {
        // A failure here may be in a part that a run never reaches, so it ends only these looks.
        var dives = self
        _ = search.walk { call in
            dives = SearchDives()
            var random = SeededGenerator(seed: LawCheck.seed)
            for round in 0..<count where nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) < deadline {
                // The first look is at the whole tree. Of the others, every second one is at a part, each smaller than the
                // one before, and the rest at the next solutions after a random point.
                let start = round == 0 ? 0 : random.next(below: SearchSpace.points)
                let width = round % 2 == 0 ? SearchSpace.points >> UInt64(round % 52) : SearchSpace.points
                let points = start..<min(SearchSpace.points, start + width)
                let budget = round % 2 == 0 ? nodes : Self.few
                guard let found = Self.first(in: points, budget, nodes, call) else { return }
                if !found.isEmpty { dives.hold(found, call) }
            }
            dives.compare(nodes * Self.wholes, call)
        }
        self = dives
    }

    private init() {}

    /// Returns the best of the first nodes of some points, and of more if these have no solution; nil if the walk fails.
    private static func first(
        in points: Range<UInt64>, _ budget: UInt64, _ nodes: UInt64, _ call: PreparedSearch.Walk
    ) -> Best? {
        var asked = SearchRequest(points: points, bound: Best(leastBound: everything), budget: budget)
        var left = nodes
        while true {
            guard case .success(let reply) = call(asked) else { return nil }
            left -= min(left, reply.expanded)
            if !reply.best.isEmpty || reply.end == points.upperBound || left == 0 { return reply.best }
            (asked.points, asked.path) = (reply.end..<points.upperBound, reply.path)
        }
    }

    /// The keys of the bounds with which authors leave out mirror images: infinity, and the largest or smallest `Int`
    /// of a plugin.
    private static let everything = Double.infinity.key
    private static let everyInt = Int64(Int32.max)...(Int64(Int32.max) + 1)

    private mutating func hold(_ found: Best, _ call: PreparedSearch.Walk) {
        best = min(best, found)
        guard Self.isThere(found, above: found.key, call) == false, found < lost,
            let bound = Self.bound(over: found, call), bound < Self.everything, !Self.everyInt.contains(bound)
        else { return }
        (lost, self.bound) = (found, bound)
    }

    /// Whether a solution is found again when only something worse than this key is known; nil if that takes too long.
    private static func isThere(_ best: Best, above key: Int64, _ call: PreparedSearch.Walk) -> Bool? {
        var asked = SearchRequest(findingAgain: Best(key: key, point: best.point), budget: few * few)
        for _ in 0..<calls {
            guard case .success(let reply) = call(asked) else { return nil }
            if !reply.best.isEmpty { return true }
            if reply.end == asked.points.upperBound { return false }
            asked.path = reply.path
        }
        return nil
    }

    /// Returns the value of the bound that leaves out a solution: the first key above which the solution is found.
    private static func bound(over lost: Best, _ call: PreparedSearch.Walk) -> Int64? {
        var (low, high) = (lost.key, Int64.max - 2)
        guard low < high, isThere(lost, above: high, call) == true else { return nil }
        while high > low, high &- low != 1 {
            let middle = low &+ Int64(bitPattern: UInt64(bitPattern: high &- low) / 2)
            guard let isThere = isThere(lost, above: middle, call) else { return nil }
            if isThere { high = middle } else { low = middle }
        }
        return high
    }

    /// Compares with the whole tree, if it is small: a run begins with the author's `start`.
    private mutating func compare(_ nodes: UInt64, _ call: PreparedSearch.Walk) {
        let asked = SearchRequest(points: 0..<SearchSpace.points, budget: nodes)
        guard !best.isEmpty, case .success(let whole) = call(asked), whole.end == SearchSpace.points else { return }
        isStartWrong = lost.isEmpty && whole.best.isEmpty
        if !whole.best.isEmpty, best.key < whole.best.key, lost.isEmpty { lost = best }
    }
}

extension SearchDives {
    /// What is wrong, for people; nil if nothing is known to be. `read` returns the readings of a search with this best.
    func flaw(_ read: (Best) -> [Reading]) -> String? {
        if isStartWrong { return Self.wrongStart(best, read) }
        guard !lost.isEmpty else { return nil }
        let (head, advice) = PreparedSearch.wrongBound
        guard let bound, let (name, value) = Self.value(of: lost, read),
            let (_, said) = Self.value(of: Best(key: bound, point: lost.point), read), value != said
        else { return head + advice }
        return
            "\(head), by \(Self.text((value - said).magnitude)): a solution's \(name) is \(Self.text(value)), and bound "
            + "says that there is nothing better than \(Self.text(said))\(advice)"
    }

    static let startSign = "start leaves out every solution"

    /// The message about a search whose `start` is better than its best solution.
    static func wrongStart(_ best: Best, _ read: (Best) -> [Reading]) -> String {
        let known = value(of: best, read).map { ", although there is one whose \($0.name) is \(text($0.value))" } ?? ""
        return "\(startSign)\(known); start must return the cost of a solution, or a worse one, or nil"
    }

    /// The first number that is read of a solution.
    private static func value(of best: Best, _ read: (Best) -> [Reading]) -> (name: String, value: Double)? {
        read(best).lazy.compactMap { reading in reading.value.map { (reading.name, $0) } }.first
    }

    private static func text(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? "\(number)"
    }
}

extension PreparedSimulation {
    /// What is wrong with a search if its whole tree is said to have no solution; nil if there is none as far as is known.
    public var flawOfNoSolution: String? {
        guard let search else { return nil }
        let trial = search.trial()
        if let failure = trial.failure { return failure.reason }
        guard !trial.best.isEmpty else { return nil }
        return SearchDives.wrongStart(trial.best) { best in
            read(SearchTally(best).slots(layout.slots), SearchSpace.points)
        }
    }
}
