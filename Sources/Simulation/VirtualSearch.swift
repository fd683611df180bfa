import PotluckCore
import PotluckEngine
import PotluckKit

/// The searches that virtual nodes compute: a tree whose leaves divide the points evenly, each with a key that is a hash
/// of its number. So the best solution of any range of points is known, and which of equally good ones it is.
struct VirtualSearch {
    /// The time of a chunk without leaves.
    static let least: Duration = .microseconds(20)
    /// The longest time that a chunk computes, as in the real shell.
    static let slice: Duration = .milliseconds(100)

    private let seed: UInt64
    private let leaves: UInt64

    /// The last parameter, which is the block that fails in other simulations, is the number of leaves. Nil if the
    /// experiment is not a search, or if a forged message made it up.
    init?(_ experiment: Experiment) {
        guard experiment.kind == .search, let leaves = experiment.parameters.last, leaves.nonzeroBitCount == 1,
            leaves <= 1 << 14
        else { return nil }
        (seed, self.leaves) = (experiment.seed, leaves)
    }

    private var width: UInt64 { SearchSpace.points / leaves }

    /// Returns the leaves of a range of points. A leaf belongs to the first of its points.
    private func leaves(in points: Range<UInt64>) -> Range<UInt64> {
        let (low, high) = (points.lowerBound + width - 1, points.upperBound + width - 1)
        return low / width..<high / width
    }

    /// Returns the units of work in a range of points: one for each leaf.
    func units(in points: Range<UInt64>) -> UInt64 { UInt64(leaves(in: points).count) }

    /// Returns the point up to which a node is after this many units of work.
    func end(after units: UInt64, of points: Range<UInt64>) -> UInt64 {
        // More units than leaves are as good as all of them.
        min(points.upperBound, (leaves(in: points).lowerBound + min(units, leaves)) * width)
    }

    /// A quarter of the leaves have the key of another one.
    private func key(_ leaf: UInt64) -> Int64 {
        var generator = SeededGenerator(seed: seed ^ (leaf &* 0xd1b5_4a32_d192_ed03))
        return Int64(generator.next(below: 2 * leaves))
    }

    /// Returns the best solution of a range of points, and after how many units of work it is found.
    func best(in points: Range<UInt64>) -> (best: Best, units: UInt64) {
        var found = (best: Best(), units: UInt64(0))
        for (index, leaf) in leaves(in: points).enumerated() {
            let one = Best(key: key(leaf), point: leaf * width)
            if one < found.best { found = (one, UInt64(index) + 1) }
        }
        return found
    }

    var best: Best { best(in: 0..<SearchSpace.points).best }

    /// Whether there is such a solution.
    func has(_ best: Best) -> Bool {
        best.point < SearchSpace.points && best.point % width == 0 && key(best.point / width) == best.key
    }

    static let facts = JobFacts(
        layout: TallyLayout(of: SearchTally.self), blockSize: 1, title: JobTitle(summary: "the least hash"))

    static func tally(_ best: Best) -> [UInt64] { SearchTally(best).slots(facts.layout.slots) }
}

extension Experiment {
    /// Returns the units of work in blocks, each of which takes `cost`.
    func units(in blocks: Range<UInt64>) -> UInt64 {
        VirtualSearch(self)?.units(in: blocks) ?? UInt64(blocks.count)
    }

    /// Returns the block before which a node is after this many units of work.
    func end(after units: UInt64, of blocks: Range<UInt64>) -> UInt64 {
        VirtualSearch(self)?.end(after: units, of: blocks) ?? min(blocks.upperBound, blocks.lowerBound + units)
    }

    /// Returns the block before which a chunk ends: the shell ends it when it has written much or searched for long.
    func end(of blocks: Range<UInt64>, each cost: Duration) -> UInt64 {
        guard let search = VirtualSearch(self) else { return min(blocks.upperBound, blocks.lowerBound + mostInChunk) }
        let units = UInt64(VirtualSearch.slice.nanoseconds / max(1, cost.nanoseconds))
        return search.end(after: max(1, units), of: blocks)
    }
}

extension SimulatedCluster {
    /// Plans when a chunk of a search, which is being computed, finds its best solution.
    func planImprovement(_ laptop: Laptop, _ working: Bench.Working) {
        let (task, blocks) = (working.task, working.task.chunk.blocks)
        guard let search = VirtualSearch(task.experiment), task.chunk.bound?.isFixed != true else { return }
        let (best, units) = search.best(in: blocks.lowerBound..<working.end)
        let (seat, start, number, id) = (laptop.seat, laptop.start, working.number, task.chunk.attempt.job)
        guard best < laptop.bench.known[id] ?? Best() else { return }
        at(max(now, working.begun + working.blockCost * Int(units))) { room in
            let laptop = room.laptops[seat]
            guard laptop.start == start, laptop.isAwake, laptop.bench.working.contains(where: { $0.number == number }),
                best < laptop.bench.known[id] ?? Best()
            else { return }
            laptop.bench.known[id] = best
            room.handle(seat, .improved(id, best))
        }
    }

    func bound(_ laptop: Laptop, _ id: JobID, _ best: Best) { laptop.bench.learn(best, of: id) }

    /// Returns the tally of a chunk of a search that ended before `end`. A liar hides a solution or makes one up.
    func searched(_ laptop: Laptop, _ task: ChunkTask, _ search: VirtualSearch, upTo end: UInt64) -> [UInt64] {
        let (blocks, id) = (task.chunk.blocks, task.chunk.attempt.job)
        let bound = task.chunk.bound ?? SearchBound()
        let known = bound.isFixed ? bound.best : min(bound.best, laptop.bench.known[id] ?? Best())
        let found = search.best(in: blocks.lowerBound..<end).best
        var best = min(known, found)
        if end > blocks.lowerBound, mayLie(laptop, task.chunk.attempt, task.experiment, end - blocks.lowerBound) {
            let isHidden = found < bound.best && chance(0.5)
            best = isHidden ? bound.best : Best(key: best.isEmpty ? 7 : best.key - 1, point: blocks.lowerBound)
            laptop.observed.lies[id, default: 0] += 1
            note("\(laptop.name) \(isHidden ? "hides" : "makes up") a solution in \(blocks)")
        } else if !bound.isFixed {
            laptop.bench.learn(best, of: id)
        }
        return VirtualSearch.tally(best)
    }

    /// Checks the result of a search.
    func judge(
        _ laptop: Laptop, _ id: JobID, _ result: JobResult, _ search: VirtualSearch, isTrue: Bool, _ what: String
    ) {
        let best = SearchTally(slots: result.tally).best
        // After a stop nobody knows which points of a search were searched.
        let least = search.best
        let shares = result.nodes.reduce(0) { $0 + $1.trials }
        // No liar can make up a solution, because its point is searched again. A member that coordinates can.
        if byzantine.tempers.isEmpty, !best.isEmpty, !search.has(best) {
            fail(.exact, "\(what): there is no solution \(best)")
        } else if isTrue, result.completion == .trials, best != least {
            fail(.exact, "\(what): its best is \(best) instead of \(least)")
        } else if isTrue, shares != result.trials {
            fail(.exact, "\(what): the shares of its nodes add up to \(shares)")
        }
    }
}
