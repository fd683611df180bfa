/// Searches a part of the space depth first.
///
/// Where a node's points lie partly outside the part, the walk computes the points of its branches. Below, where all
/// is inside, it only counts branches; it computes a point from the path when it needs one.
@usableFromInline
struct SearchWalk<S: SearchTree> {
    /// A node on the way down, the branch taken there, and how many there were.
    @usableFromInline
    struct Step: BitwiseCopyable {
        @usableFromInline let partial: S.Partial
        @usableFromInline let branch: UInt32
        @usableFromInline let count: UInt32

        @inlinable
        init(_ partial: S.Partial, _ branch: Int, of count: Int) {
            self.partial = partial
            self.branch = UInt32(truncatingIfNeeded: branch)
            self.count = UInt32(truncatingIfNeeded: count)
        }
    }

    @usableFromInline let search: S
    @usableFromInline let points: Range<UInt64>
    @usableFromInline let budget: UInt64
    /// The path to continue with.
    @usableFromInline let resumed: [UInt32]

    @usableFromInline let memory = SearchMemory()
    /// The best known: the given one, or a better one found here.
    @usableFromInline var best: Best
    @usableFromInline var hasFound = false
    /// Bounds below it are worth a look.
    @usableFromInline var limit: Int64 = 0
    /// The cost of `limit`. Worse bounds are not worth a look, and better ones are; the keys of others are compared.
    @usableFromInline var worst: S.Cost
    /// How many nodes may still be looked at.
    @usableFromInline var left: UInt64
    @usableFromInline let root: S.Partial
    /// The way down to the current node. Only the first `depth` steps are set. There is room for the deepest way and one
    /// more step, so that it never moves.
    @usableFromInline let steps: UnsafeMutablePointer<Step>
    @inlinable static var room: Int { SearchSpace.deepest &+ 1 }
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
        root = search.root(memory)
        steps = memory.space(Self.room)
        best = request.bound
        // Only a bound that asks to leave out the author's own has the first point.
        if best.point != 0, let start = search.start {
            let known = Best(key: Self.key(start))
            if known < best { best = known }
        }
        // An equally good solution counts if it may be at a lower point than the best.
        limit = best.key < .max && best.point > points.lowerBound ? best.key &+ 1 : best.key
        worst = S.Cost.cost(limit, S.better)
    }

    @inlinable
    static func key(_ cost: S.Cost) -> Int64 { S.better == .smaller ? cost.key : cost.mirrored }

    @inlinable @inline(never)
    mutating func run() -> SearchReply {
        // The optimiser may release the memory after its last use, and rows do not count as one.
        let memory = memory
        let isDone = withExtendedLifetime(memory) {
            points.isEmpty || border(search, root, first: 0, width: SearchSpace.points)
        }
        var reply = SearchReply(
            end: points.upperBound, path: [], best: hasFound ? best : Best(), expanded: budget &- left)
        guard !isDone else { return reply }
        // The walk may have ended on its way down to the first point.
        reply.end = max(point, points.lowerBound)
        reply.path = (0..<depth).map { steps[$0].branch }
        return reply
    }

    /// The first point of the node at the end of the path.
    @inlinable
    var point: UInt64 {
        var (first, width) = (UInt64(0), SearchSpace.points)
        for step in 0..<depth {
            let of = UInt64(steps[step].count)
            if width < of { break }
            let share = SearchSpace.share(UInt64(steps[step].branch), of: of, first: first, width: width)
            (first, width) = (share.lowerBound, share.upperBound &- share.lowerBound)
        }
        return first
    }

    // These methods take the search as a parameter. From the property, all of it would be copied at each node.

    /// Looks at the complete solution that the step at `depth` has.
    @inlinable @inline(never)
    mutating func found(_ cost: S.Cost) {
        let partial = steps[depth].partial
        let key = Self.key(cost)
        guard key < limit else { return }
        let one = Best(key: key, point: point)
        guard one < best else { return }
        best = one
        hasFound = true
        limit = key
        worst = S.Cost.cost(limit, S.better)
        show(partial, one)
    }

    /// Keeps what the author shows of a solution, if it is the wanted one.
    @inlinable
    mutating func show(_ partial: S.Partial, _ one: Best) {
        guard one == wanted else { return }
        var output = Output()
        search.show(partial, &output)
        shown = output
    }

    /// Follows the author's start branches from the root. Returns the solution where they end; empty if there are none.
    /// Afterwards the rows are those of that solution, so nothing else can be searched.
    @inlinable @inline(never)
    mutating func begin() -> Best {
        let memory = memory
        return withExtendedLifetime(memory) {
            var partial = root
            while true {
                if let cost = search.cost(partial) {
                    let one = Best(key: Self.key(cost), point: point)
                    show(partial, one)
                    return one
                }
                guard let branch = search.startBranch(partial) else { return Best() }
                let count = search.branches(partial)
                Misuse.stop(
                    unless: branch >= 0 && branch < count, "startBranch must return the number of a branch, or nil")
                descend(branch, of: count, partial)
                partial = search.take(branch, partial)
            }
        }
    }

    /// Searches a node whose points are not all inside the part. Returns false if the call must end.
    @inlinable @inline(never)
    mutating func border(_ search: S, _ partial: S.Partial, first: UInt64, width: UInt64) -> Bool {
        if points.lowerBound <= first, first &+ width <= points.upperBound { return inside(search, partial) }
        if let cost = search.cost(partial) {
            if points.contains(first) {
                steps[depth] = Step(partial, 0, of: 0)
                found(cost)
            }
            return true
        }
        let branches = search.branches(partial)
        Misuse.stop(unless: branches >= 0, "branches must be at least 0")
        let count = UInt64(branches)
        if count == 0 { return true }
        // Undivided: all of it belongs to the first point.
        if width < count { return points.contains(first) ? inside(search, partial) : true }
        for branch in 0..<count {
            let share = SearchSpace.share(branch, of: count, first: first, width: width)
            if share.upperBound <= points.lowerBound { continue }
            if share.lowerBound >= points.upperBound { break }
            if following > 0, branch < UInt64(resumed[resumed.count &- following]) { continue }
            descend(Int(branch), of: Int(count), partial)
            let isFollowed = follow()
            if !isFollowed {
                if left == 0 { return false }
                left &-= 1
            }
            let told = search.bound(after: Int(branch), partial)
            let child = search.take(Int(branch), partial)
            let bound = search.bound(child)
            // A search whose author tells other bounds would lose solutions, so it stops here.
            Misuse.stop(
                unless: told.map { Self.key($0) == Self.key(bound) } ?? true,
                "bound(after:_:) tells another bound than bound(_:) of the same partial solution")
            if isWorthALook(bound) {
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
    ///
    /// It notes the nodes above the current one instead of calling itself. `left` and `worst` stay in memory, because a
    /// module has too few registers for all that a node needs.
    @inlinable @inline(never)
    mutating func inside(_ search: S, _ top: S.Partial) -> Bool {
        let start = depth
        var (partial, branch) = (top, 0)
        if following > 0 { (partial, branch) = resume(search, top) }
        let first = steps + start
        var step = steps + depth
        while true {
            var count = 0
            if let cost = search.cost(partial) {
                step.pointee = Step(partial, 0, of: 0)
                depth = step - steps
                found(cost)
            } else {
                count = search.branches(partial)
                Misuse.stop(unless: count >= 0, "branches must be at least 0")
            }
            // Down to the next branch that is worth a look, or up to a node that has more of them.
            while true {
                if branch >= count {
                    if step == first {
                        depth = start
                        return true
                    }
                    step -= 1
                    partial = step.pointee.partial
                    branch = Int(truncatingIfNeeded: step.pointee.branch)
                    count = Int(truncatingIfNeeded: step.pointee.count)
                    search.undo(branch, partial)
                    branch &+= 1
                    continue
                }
                if left == 0 {
                    step.pointee = Step(partial, branch, of: count)
                    depth = step - steps + 1
                    return false
                }
                left &-= 1
                let told = search.bound(after: branch, partial)
                if let told, !Self.isBetter(told, worst, limit) {
                    branch &+= 1
                    continue
                }
                let child = search.take(branch, partial)
                if told == nil, !Self.isBetter(search.bound(child), worst, limit) {
                    search.undo(branch, partial)
                    branch &+= 1
                    continue
                }
                step.pointee = Step(partial, branch, of: count)
                step += 1
                Misuse.stop(unless: step - steps < Self.room, "a solution is more than 4096 branches deep")
                (partial, branch) = (child, 0)
                break
            }
        }
    }

    /// Continues from a node inside the part along the path of the call before. Returns the node where that ended, and
    /// the branch to take next.
    @inlinable @inline(never)
    mutating func resume(_ search: S, _ top: S.Partial) -> (S.Partial, Int) {
        var partial = top
        while following > 0, search.cost(partial) == nil {
            let branch = Int(resumed[resumed.count &- following])
            guard follow() else { return (partial, branch) }
            let child = search.take(branch, partial)
            guard isWorthALook(search.bound(child)) else {
                following = 0
                search.undo(branch, partial)
                return (partial, branch &+ 1)
            }
            descend(branch, of: search.branches(partial), partial)
            partial = child
        }
        following = 0
        return (partial, 0)
    }

    /// Notes the way down from a node.
    @inlinable
    mutating func descend(_ branch: Int, of count: Int, _ partial: S.Partial) {
        steps[depth] = Step(partial, branch, of: count)
        depth &+= 1
        Misuse.stop(unless: depth < Self.room, "a solution is more than 4096 branches deep")
    }

    @inlinable
    static func isWorse(_ one: S.Cost, _ other: S.Cost) -> Bool { S.better == .smaller ? one > other : one < other }

    /// Whether a bound is worth a look. Only one that is neither better nor worse than the cost of the limit needs its key.
    @inlinable
    static func isBetter(_ bound: S.Cost, _ worst: S.Cost, _ limit: Int64) -> Bool {
        !isWorse(bound, worst) && (isWorse(worst, bound) || key(bound) < limit)
    }

    @inlinable
    func isWorthALook(_ bound: S.Cost) -> Bool { Self.key(bound) < limit }

    /// Goes one step along the path of the call before. The last step leads to a node that was not looked at yet.
    @inlinable
    mutating func follow() -> Bool {
        guard following > 0 else { return false }
        following &-= 1
        return following > 0
    }
}

extension Search {
    /// Searches a part of the space. A part without points asks for the solution of the start branches.
    @inlinable
    public func run(_ request: SearchRequest) -> SearchReply { instead?.walk(request) ?? walk(request) }
}

extension SearchTree {
    @inlinable
    func walk(_ request: SearchRequest) -> SearchReply {
        var walk = SearchWalk(self, request)
        guard request.points.isEmpty else { return walk.run() }
        let begun = walk.begin()
        return SearchReply(
            end: request.points.upperBound, best: begun < request.bound ? begun : Best(), expanded: 0)
    }
}
