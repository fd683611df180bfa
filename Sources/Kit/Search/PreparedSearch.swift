#if !hasFeature(Embedded)
    /// A search with its parameters, ready to search its space.
    public struct PreparedSearch: Sendable {
        /// Searches a part of the space.
        public typealias Walk = (SearchRequest) -> Result<SearchReply, SimulationFailure>

        /// Calls the body with a walk that is set up once for all its calls, or returns why that is impossible. The body
        /// may be called several times; then only the last time counts.
        public let walk: @Sendable (_ body: (Walk) -> Void) -> SimulationFailure?
        /// Returns the solution with this key and point as the author shows it; nil if there is none.
        public let show: @Sendable (Best) -> Output?
        /// Searches some small parts of the tree before the first chunk, and keeps the result.
        public let trial: @Sendable () -> SearchTrial
        /// The solution of the author's start branches, which exists for certain; empty if there is none.
        public let start: Best

        /// Creates a prepared search from its operations. Without a trial, the author's code is trusted.
        public init(
            walk: @escaping @Sendable (_ body: (Walk) -> Void) -> SimulationFailure?,
            show: @escaping @Sendable (Best) -> Output?,
            trial: @escaping @Sendable () -> SearchTrial = { SearchTrial() }, start: Best = Best()
        ) {
            self.walk = walk
            self.show = show
            self.trial = trial
            self.start = start
        }
    }

    /// The result of a search of some small parts of the tree, which checks the author's code.
    public struct SearchTrial: Sendable {
        /// Why no result of the search can be right; nil if that is not known.
        public var failure: SimulationFailure?
        /// The best solution in these parts, which exists for certain. Empty if they have none.
        public var best: Best

        /// Creates a trial. By default it found nothing wrong, and no solution.
        public init(_ failure: SimulationFailure? = nil, best: Best = Best()) {
            self.failure = failure
            self.best = best
        }
    }

    extension PreparedSimulation {
        /// Returns the same simulation, whose search begins without the author's solution.
        public func withoutStart() -> PreparedSimulation {
            var other = self
            other.search = search.map { PreparedSearch(walk: $0.walk, show: $0.show, trial: $0.trial) }
            return other
        }
    }

    extension SearchRequest {
        /// Asks for the solution of the author's start branches.
        public static let start = SearchRequest(points: 0..<0, budget: 1)

        /// Asks whether a point has a solution with the key of `best` if only something worse is known. A search finds it
        /// again unless a bound on the way there is wrong: that promised that nothing below is so good.
        public init(findingAgain best: Best, budget: UInt64) {
            self.init(
                points: best.point..<best.point + 1,
                bound: Best(leastBound: best.key < .max - 1 ? best.key + 1 : best.key),
                budget: budget)
        }
    }

    extension Best {
        /// A bound that leaves out only solutions worse than this key, also if the author's own `start` is better.
        public init(leastBound key: Int64) { self.init(key: key, point: 0) }
    }

    /// The best solution that a chunk of a search begins with.
    public struct SearchBound: Hashable, Sendable {
        /// The best solution that is known at the beginning.
        public var best: Best
        /// Whether the chunk may take nothing better from other chunks, so that its result can be compared with another
        /// node's.
        public var isFixed: Bool
        /// The solution whose existence is asked, at the chunk's one point; nil if the points are to be searched. Only a
        /// coordinator asks itself, so no message has it.
        public var claim: Best?

        /// Creates a bound. Without arguments no solution is known, and the chunk may take better ones from others.
        public init(_ best: Best = Best(), isFixed: Bool = false) {
            self.best = best
            self.isFixed = isFixed
        }

        /// Asks whether there is this solution, or a better one at its point.
        public init(proving claim: Best) {
            // The solution itself must be better than the bound.
            self.init(Best(key: claim.key, point: claim.point + 1), isFixed: true)
            self.claim = claim
        }
    }

    /// Steers the search of a chunk: when it ends, how long its calls are, and how chunks share their best.
    public struct SearchPilot {
        /// Whether to end at once, with the points that are done.
        let shouldStop: () -> Bool
        /// Whether to end after the point under way.
        let isLate: () -> Bool
        /// Returns how many nodes the next call looks at. `expanded` is the number of the last one; 0 before the first.
        let budget: (_ expanded: UInt64) -> UInt64
        /// Tells other chunks the best that is known here. Returns the best of all.
        let share: (Best) -> Best

        /// Creates a pilot from its four decisions.
        public init(
            shouldStop: @escaping () -> Bool, isLate: @escaping () -> Bool,
            budget: @escaping (_ expanded: UInt64) -> UInt64, share: @escaping (Best) -> Best
        ) {
            self.shouldStop = shouldStop
            self.isLate = isLate
            self.budget = budget
            self.share = share
        }
    }

    extension PreparedSearch {
        /// The nodes in a call where nobody looks at the clock.
        private static let nodes: UInt64 = 4096
        /// The nodes that are looked at to find a chunk's best again. In a point that has more, nobody knows.
        private static let mostAgain: UInt64 = 1 << 16

        /// The message about a search whose best is not found again, in two parts.
        public static let wrongBound = (
            "a bound leaves out the best", "; bound must return a cost that no solution below can better"
        )

        /// Returns whether the best, which a walk found, is not there if it is looked for alone.
        private static func isGone(_ best: Best, _ call: Walk) -> Bool {
            guard best.point < SearchSpace.points else { return false }
            var asked = SearchRequest(findingAgain: best, budget: nodes)
            for _ in 0..<mostAgain / nodes {
                guard case .success(let found) = call(asked), found.best.isEmpty else { return false }
                if found.end == asked.points.upperBound { return true }
                asked.path = found.path
            }
            return false
        }

        /// Searches blocks, which are points. The tally is the best that is known at the end, whether it was found here
        /// or was given: nothing in these blocks is better.
        public func run(_ request: ChunkRequest, _ pilot: SearchPilot) -> ChunkReply {
            if let claim = request.bound.claim, claim == start { return proof(of: request) }
            var reply = ChunkReply(end: request.blocks.lowerBound, slots: [])
            var best = request.bound.best
            var all: UInt64 = 0
            if let failure = trial().failure {
                reply.failure = SimulationFailure(failure.reason, block: reply.end)
                reply.slots = SearchTally(best).slots(TallyLayout(of: SearchTally.self).slots)
                return reply
            }
            let failure = walk { call in
                all = 0
                reply = ChunkReply(end: request.blocks.lowerBound, slots: [])
                best = request.bound.best
                var own = Best()
                var path: [UInt32] = []
                var expanded: UInt64 = 0
                while reply.end < request.blocks.upperBound, !pilot.shouldStop() {
                    let isLate = pilot.isLate()
                    // The rest of a point that was begun is known only here.
                    if isLate, path.isEmpty, reply.end > request.blocks.lowerBound { break }
                    let end = isLate ? reply.end + 1 : request.blocks.upperBound
                    if !request.bound.isFixed { best = pilot.share(best) }
                    let asked = SearchRequest(
                        points: reply.end..<end, path: path, bound: best, budget: max(1, pilot.budget(expanded)))
                    switch call(asked) {
                    case .success(let found):
                        best = min(best, found.best)
                        own = min(own, found.best)
                        (reply.end, path, expanded) = (found.end, found.path, found.expanded)
                        all += expanded
                        // What else the point holds does not matter, and it may hold millions of nodes.
                        if let claim = request.bound.claim, own <= claim { reply.end = request.blocks.upperBound }
                    case .failure(let failure):
                        reply.failure = SimulationFailure(failure.reason, block: reply.end)
                        return
                    }
                }
                if !own.isEmpty, Self.isGone(own, call) {
                    reply.end = own.point
                    reply.failure = SimulationFailure(Self.wrongBound.0 + Self.wrongBound.1, block: own.point)
                    return
                }
                if !request.bound.isFixed { best = pilot.share(best) }
            }
            if let failure { reply.failure = failure }
            reply.expanded = all
            reply.slots = SearchTally(best).slots(TallyLayout(of: SearchTally.self).slots)
            return reply
        }

        /// The start solution, which this node's own walk along the author's branches found.
        private func proof(of request: ChunkRequest) -> ChunkReply {
            ChunkReply(
                end: request.blocks.upperBound,
                slots: SearchTally(start).slots(TallyLayout(of: SearchTally.self).slots))
        }

        /// Searches blocks without looking at the clock.
        public func run(_ request: ChunkRequest, _ shouldStop: () -> Bool) -> ChunkReply {
            withoutActuallyEscaping(shouldStop) { shouldStop in
                run(
                    request,
                    SearchPilot(
                        shouldStop: shouldStop, isLate: { false }, budget: { _ in Self.nodes }, share: { $0 }))
            }
        }
    }

    extension TallyLayout {
        /// The best solution in a tally; nil if the tally is not that of a search.
        public func best(in slots: [UInt64]) -> Best? {
            guard isOfSearch, slots.count == self.slots else { return nil }
            return SearchTally(slots: slots).best
        }

        /// Whether it is the layout of a search's tally.
        public var isOfSearch: Bool { fields.count == 1 && fields[0].kind == .best }
    }
#endif

extension Search {
    /// Searches a point for the solution with the key of `best`. Returns it as the author shows it, or nil if there is
    /// none, or if it lies so deep that finding it again takes more than `SearchSpace.mostShown` nodes.
    @inlinable
    public func shown(_ best: Best) -> Output? {
        guard best.point < SearchSpace.points else { return nil }
        if let instead { return instead.found(best) }
        return found(best)
    }
}

extension SearchTree {
    @inlinable
    func found(_ best: Best) -> Output? {
        // The solution itself must be better than the bound.
        let bound = Best(key: best.key, point: best.point + 1)
        let asked = SearchRequest(points: best.point..<best.point + 1, bound: bound, budget: SearchSpace.mostShown)
        var begun = SearchWalk(self, asked, shows: best)
        if begun.begin() == best { return begun.shown }
        var walk = SearchWalk(self, asked, shows: best)
        _ = walk.run()
        return walk.shown
    }
}
