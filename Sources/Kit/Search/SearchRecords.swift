// The records in which a program asks a module to search a part of its space. They are compiled natively too, so tests
// can compare both sides.

extension RecordWriter {
    /// Appends the answer to a request to search: the shape, the points done, whether there is more to do, the key of
    /// the best, the tally, the rest of a begun point, and the number of nodes.
    ///
    /// The request has the shape, the seed, the first point, the number of points, the same as the number of trials, the
    /// key of the bound, what is left to do at the first point, the point of the bound, and the number of nodes after
    /// which the call ends. With no points, the answer has the solution of the author's start branches, if it is better
    /// than the bound; an older module has none. With no nodes, it has the key and the point of a solution as the bound, and the answer has
    /// what the author shows of that solution.
    public mutating func put<S: Search>(_ search: S, _ request: UnsafeBufferPointer<UInt64>) {
        put(request, search: { search.run($0) }, show: { search.shown($0) })
    }

    /// Appends the same answer with what `search` and `show` find.
    mutating func put(
        _ request: UnsafeBufferPointer<UInt64>, search: (SearchRequest) -> SearchReply, show: (Best) -> Output?
    ) {
        precondition(request.count >= 9)
        let (first, points) = (request[2], request[3])
        let (end, overflow) = first.addingReportingOverflow(points)
        precondition(!overflow && end <= SearchSpace.points)
        let steps = Int(truncatingIfNeeded: request[6] &>> 3)
        precondition(request.count == 9 &+ steps && steps < SearchSpace.deepest)
        let path = (0..<steps).map { UInt32(truncatingIfNeeded: request[7 &+ $0]) }
        let bound = Best(key: Int64(bitPattern: request[5]), point: request[7 &+ steps])
        let budget = request[8 &+ steps]
        put(ModuleInterface.Shape.space.rawValue)
        if budget == 0 {
            let output = show(bound)
            putFound(0, isDone: true, output == nil ? Best() : bound)
            put(output?.octets ?? [])
            put(0)
            put(UInt64(0))
            return
        }
        let reply = search(SearchRequest(points: first..<end, path: path, bound: bound, budget: budget))
        putFound(reply.end &- first, isDone: reply.end == end, reply.best)
        put(0)
        put(8 &* reply.path.count)
        for step in reply.path { put(UInt64(step)) }
        put(reply.expanded)
    }

    private mutating func putFound(_ points: UInt64, isDone: Bool, _ best: Best) {
        put(points)
        put(isDone ? 0 : 1)
        put(UInt64(bitPattern: best.key))
        put(2)
        put(UInt64(bitPattern: best.key))
        put(best.point)
    }
}
