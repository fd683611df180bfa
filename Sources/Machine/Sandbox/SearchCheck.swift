import Glibc
import PotluckCore
import PotluckKit
import PotluckSystem

/// Checks a search against the rules that make its best solution the same everywhere. It must not depend on how the
/// tree is cut, in which order the parts are searched, where calls end, and when bounds arrive.
struct SearchCheck {
    private(set) var findings: [LawCheck.Finding] = []
    /// Why a part could not be searched; nil if all could.
    private(set) var failure: SimulationFailure?

    private let search: PreparedSearch
    private let deadline: Int64
    private var random = SeededGenerator(seed: LawCheck.seed)

    /// How often the parts are searched in another way.
    private static let orders = 6
    /// The most parts of one way.
    private static let parts = 12

    /// How often to look for solutions that bounds leave out.
    private static let dives = 104
    /// One such look takes this fraction of a rule's nodes.
    private static let diveShare: UInt64 = 16

    /// The best solution that was found; empty if there is none.
    private(set) var best = Best()

    /// Looks at about `nodes` nodes for each rule. `native` is the built-in version of the same search; nil if there is
    /// none. `read` returns the readings of a search with this best. When the thread's clock shows `deadline`, the rest is
    /// left out.
    init(
        _ search: PreparedSearch, native: PreparedSearch?, nodes: UInt64, until deadline: Int64 = .max,
        read: (Best) -> [Reading]
    ) {
        (self.search, self.deadline) = (search, deadline)
        let dives = SearchDives(search, count: Self.dives, nodes: nodes / Self.diveShare, until: deadline)
        best = dives.best
        if let flaw = dives.flaw(read) { note(.broken, flaw) }
        // The part of the tree that these nodes search: all of it if it is small.
        guard let first = ask(SearchRequest(points: 0..<SearchSpace.points, budget: nodes)) else { return }
        guard first.end > 0 else {
            note(.remark, "the first of the tree's points has more than \(nodes) nodes; bounds should leave out more")
            return
        }
        let points = 0..<first.end
        guard let whole = ask(SearchRequest(points: points)), let again = ask(SearchRequest(points: points)) else {
            return
        }
        hold(
            whole == again, "the same part of the tree gives the same best",
            "a part of the tree gives another best each time")
        orders(points, whole.best, nodes)
        if dives.flaw(read) == nil { bounds(points, whole.best) }
        shows(whole.best)
        if let native { agrees(with: native, points, whole, nodes) }
        best = min(best, whole.best)
        if whole.best.isEmpty {
            note(.remark, "the first \(whole.expanded) nodes have no solution")
        } else if read(whole.best).contains(where: { $0.value == nil }) {
            note(.remark, "a reading of the best has no value; its function gives no finite number")
        }
    }

    private mutating func note(_ grade: LawCheck.Finding.Grade, _ text: String) {
        findings.append(LawCheck.Finding(grade: grade, text: text))
    }

    private mutating func hold(_ isKept: Bool, _ law: String, _ breach: String) {
        note(isKept ? .kept : .broken, isKept ? law : breach)
    }

    /// Searches in an instance of its own. Returns nil if that fails.
    private mutating func ask(_ request: SearchRequest) -> SearchReply? {
        guard nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) < deadline else { return nil }
        let (reply, failed) = Self.ask(request, search)
        if let failed, failure == nil {
            failure = SimulationFailure(failed.reason, block: request.points.lowerBound)
            note(.broken, failed.reason)
        }
        return reply
    }

    private static func ask(
        _ request: SearchRequest, _ search: PreparedSearch
    ) -> (reply: SearchReply?, failure: SimulationFailure?) {
        var outcome: Result<SearchReply, SimulationFailure>?
        let failure = search.walk { outcome = $0(request) }
        switch outcome {
        case .success(let reply): return (reply, nil)
        case .failure(let failure): return (nil, failure)
        case nil: return (nil, failure)
        }
    }

    /// Searches the points in parts, in any order, in short calls, with the bounds of the parts before.
    private mutating func orders(_ points: Range<UInt64>, _ best: Best, _ nodes: UInt64) {
        var isSame = true
        for _ in 0..<Self.orders {
            var borders: Set<UInt64> = [points.lowerBound, points.upperBound]
            for _ in 1..<Self.parts { borders.insert(random.next(below: points.upperBound)) }
            let sorted = borders.sorted()
            var parts = Array(zip(sorted, sorted.dropFirst()))
            var found = Best()
            while !parts.isEmpty {
                let (low, high) = parts.remove(at: Int(random.next(below: UInt64(parts.count))))
                var asked = SearchRequest(points: low..<high)
                repeat {
                    (asked.bound, asked.budget) = (found, 1 + random.next(below: max(1, nodes / 4)))
                    guard let reply = ask(asked) else { return }
                    found = min(found, reply.best)
                    (asked.points, asked.path) = (reply.end..<high, reply.path)
                } while !asked.points.isEmpty
            }
            isSame = isSame && found == best
        }
        hold(
            isSame, "parts of the tree in any order, in short calls, give the same best",
            "the best depends on how the tree is cut; take, undo and bound must depend on the partial solution alone")
    }

    /// With the best as the bound there is nothing better, and with a worse bound the best is found.
    private mutating func bounds(_ points: Range<UInt64>, _ best: Best) {
        guard !best.isEmpty, best.key < .max - 1 else { return }
        guard let none = ask(SearchRequest(points: points, bound: best)),
            let found = ask(SearchRequest(points: points, bound: Best(key: best.key + 1, point: 0)))
        else { return }
        hold(
            none.best.isEmpty && found.best == best, "bounds leave out nothing better",
            PreparedSearch.wrongBound.0 + PreparedSearch.wrongBound.1)
    }

    private mutating func shows(_ best: Best) {
        guard !best.isEmpty else { return }
        hold(
            search.show(best) != nil, "the best can be shown",
            "the best is not found again; take, undo and bound must depend on the partial solution alone")
    }

    /// Checks that the sandbox and the native build agree.
    private mutating func agrees(
        with native: PreparedSearch, _ points: Range<UInt64>, _ whole: SearchReply, _ nodes: UInt64
    ) {
        let start = SearchRequest(points: 0..<SearchSpace.points, budget: nodes)
        guard let ours = ask(start) else { return }
        hold(
            Self.ask(SearchRequest(points: points), native).reply == whole && Self.ask(start, native).reply == ours
                && native.show(whole.best)?.octets == search.show(whole.best)?.octets,
            "the module and the built-in simulation give the same tally",
            "the module and the built-in simulation give different tallies")
    }
}
