#if !hasFeature(Embedded)
    /// A search with its parameters, ready to search its space.
    public struct PreparedSearch: Sendable {
        /// Searches a part of the space.
        public typealias Walk = (SearchRequest) -> Result<SearchReply, SimulationFailure>

        /// Calls the body with a walk that is set up once for all its calls.
        public let walk: @Sendable (_ body: (Walk) -> Void) -> Void
        /// Returns the solution with this key and point as the author shows it; nil if there is none.
        public let show: @Sendable (Best) -> Output?

        public init(
            walk: @escaping @Sendable (_ body: (Walk) -> Void) -> Void, show: @escaping @Sendable (Best) -> Output?
        ) {
            self.walk = walk
            self.show = show
        }
    }
#endif

extension Search {
    /// Searches a point for the solution with the key of `best`. Returns it as the author shows it, or nil if there is
    /// none.
    @inlinable
    public func shown(_ best: Best) -> Output? {
        guard best.point < SearchSpace.points else { return nil }
        // The solution itself must be better than the bound.
        let bound = Best(key: best.key, point: best.point + 1)
        var walk = SearchWalk(self, SearchRequest(points: best.point..<best.point + 1, bound: bound), shows: best)
        _ = walk.run()
        return walk.shown
    }
}
