/// Searches a part of the space depth first.
///
/// Where a node's points lie partly outside the part, the walk computes the points of its branches. Below, where all
/// is inside, it only counts branches; it computes a point from the path when it needs one.
@usableFromInline
struct SearchWalk<S: Search> {
    @usableFromInline let search: S
    @usableFromInline let points: Range<UInt64>
    @usableFromInline let budget: UInt64
    /// The path to go on with.
    @usableFromInline let resumed: [UInt32]

    @usableFromInline let memory = SearchMemory()
    /// The best known: the given one, or a better one found here.
    @usableFromInline var best: Best
    @usableFromInline var hasFound = false
    /// Bounds below it are worth a look.
    @usableFromInline var limit: Int64 = 0
    /// How many nodes may still be looked at.
    @usableFromInline var left: UInt64
    /// The branch taken at each depth, and how many there were. Only the first `depth` count.
    @usableFromInline let branches: Row<UInt32>
    @usableFromInline let widths: Row<UInt32>
    @usableFromInline var depth = 0
    /// How many steps of `resumed` are still to be followed.
    @usableFromInline var following: Int

    /// The solution to show, and what the author shows of it.
    @usableFromInline let wanted: Best?
    @usableFromInline var shown: Output?

    /// `shows` is the solution to show when it is found; nil to show none.
    @inlinable
    init(_ search: S, _ request: SearchRequest, shows wanted: Best? = nil) {
        self.wanted = wanted
        self.search = search
        points = request.points
        budget = request.budget
        resumed = request.path
        following = request.path.count
        left = request.budget
        branches = memory.row(0, count: SearchSpace.deepest)
        widths = memory.row(0, count: SearchSpace.deepest)
        best = request.bound
        if let start = search.start {
            let known = Best(key: Self.key(start))
            if known < best { best = known }
        }
        setLimit()
    }

    @inlinable
    static func key(_ cost: S.Cost) -> Int64 { S.better == .smaller ? cost.key : cost.mirrored }

    /// An equally good solution counts if it may be at a lower point than the best.
    @inlinable
    mutating func setLimit() {
        limit = best.key < .max && best.point > points.lowerBound && !hasFound ? best.key &+ 1 : best.key
    }

    @inlinable
    mutating func run() -> SearchReply {
        // The optimiser may release the memory after its last use, and rows do not count as one.
        let memory = memory
        let isDone = withExtendedLifetime(memory) {
            points.isEmpty || border(search, search.root(memory), first: 0, width: SearchSpace.points)
        }
        var reply = SearchReply(
            end: points.upperBound, path: [], best: hasFound ? best : Best(), expanded: budget &- left)
        guard !isDone else { return reply }
        // The walk may have ended on its way down to the first point.
        reply.end = max(point, points.lowerBound)
        reply.path = (0..<depth).map { branches[$0] }
        return reply
    }

    /// The first point of the node at the end of the path.
    @inlinable
    var point: UInt64 {
        var (first, width) = (UInt64(0), SearchSpace.points)
        for step in 0..<depth {
            let of = UInt64(widths[step])
            if width < of { break }
            let share = SearchSpace.share(UInt64(branches[step]), of: of, first: first, width: width)
            (first, width) = (share.lowerBound, share.upperBound &- share.lowerBound)
        }
        return first
    }

    // These methods take the search as a parameter. From the property, all of it would be copied at each node.

    @inlinable
    mutating func found(_ search: S, _ cost: S.Cost, _ partial: S.Partial) {
        let key = Self.key(cost)
        guard key < limit else { return }
        let one = Best(key: key, point: point)
        guard one < best else { return }
        best = one
        hasFound = true
        limit = key
        guard one == wanted else { return }
        var output = Output()
        search.show(partial, &output)
        shown = output
    }

    /// Searches a node whose points are not all inside the part. Returns false if the call must end.
    @inlinable
    mutating func border(_ search: S, _ partial: S.Partial, first: UInt64, width: UInt64) -> Bool {
        if points.lowerBound <= first, first &+ width <= points.upperBound { return inside(search, partial) }
        if let cost = search.cost(partial) {
            if points.contains(first) { found(search, cost, partial) }
            return true
        }
        let count = UInt64(search.branches(partial))
        if count == 0 { return true }
        // Undivided: all of it belongs to the first point.
        if width < count { return points.contains(first) ? inside(search, partial) : true }
        for branch in 0..<count {
            let share = SearchSpace.share(branch, of: count, first: first, width: width)
            if share.upperBound <= points.lowerBound { continue }
            if share.lowerBound >= points.upperBound { break }
            if following > 0, branch < UInt64(resumed[resumed.count &- following]) { continue }
            branches[depth] = UInt32(branch)
            widths[depth] = UInt32(count)
            depth &+= 1
            let isFollowed = follow()
            if !isFollowed {
                if left == 0 { return false }
                left &-= 1
            }
            let child = search.take(Int(branch), partial)
            if isWorthALook(search, child) {
                if !border(search, child, first: share.lowerBound, width: share.upperBound &- share.lowerBound) {
                    return false
                }
            } else {
                following = 0
            }
            search.undo(Int(branch), partial)
            depth &-= 1
        }
        return true
    }

    /// Searches a node that is inside the part. Returns false if the call must end.
    @inlinable
    mutating func inside(_ search: S, _ partial: S.Partial) -> Bool {
        if let cost = search.cost(partial) {
            found(search, cost, partial)
            return true
        }
        let count = search.branches(partial)
        let at = depth
        widths[at] = UInt32(truncatingIfNeeded: count)
        depth = at &+ 1
        var branch = 0
        if following > 0 {
            branch = Int(resumed[resumed.count &- following])
            if follow() {
                branches[at] = UInt32(truncatingIfNeeded: branch)
                let child = search.take(branch, partial)
                if isWorthALook(search, child) {
                    if !inside(search, child) { return false }
                } else {
                    following = 0
                }
                search.undo(branch, partial)
                branch &+= 1
            }
        }
        while branch < count {
            if left == 0 {
                branches[at] = UInt32(truncatingIfNeeded: branch)
                return false
            }
            left &-= 1
            let child = search.take(branch, partial)
            if isWorthALook(search, child) {
                branches[at] = UInt32(truncatingIfNeeded: branch)
                if !inside(search, child) { return false }
            }
            search.undo(branch, partial)
            branch &+= 1
        }
        depth = at
        return true
    }

    @inlinable
    func isWorthALook(_ search: S, _ partial: S.Partial) -> Bool { Self.key(search.bound(partial)) < limit }

    /// Goes one step along the path of the call before. The last step leads to a node that was not looked at yet.
    @inlinable
    mutating func follow() -> Bool {
        guard following > 0 else { return false }
        following &-= 1
        return following > 0
    }
}

extension Search {
    /// Searches a part of the space.
    @inlinable
    public func run(_ request: SearchRequest) -> SearchReply {
        var walk = SearchWalk(self, request)
        return walk.run()
    }
}
