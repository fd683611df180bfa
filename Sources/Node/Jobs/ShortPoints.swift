import PotluckCore
import PotluckKit
import PotluckSystem

/// Computes the first points of a sweep while they are short: each on one core, and as many at a time as there are
/// cores.
final class ShortPoints: Sendable {
    private let points: [LocalSweep.Point]
    /// The indices of the points to compute, in order.
    private let todo: [Int]
    private let simulation: AnySimulation
    private let tell: @Sendable ([(Int, JobResult)]) -> Void
    private let state: Guarded<State>

    private struct State {
        /// The place in `todo` of the next point to begin.
        var next = 0
        var phase = Phase.running
        /// The points that are not short.
        var unfit: [Int] = []
        /// The threads that have not ended.
        var threads: Int
    }

    private enum Phase {
        case running
        /// A point is not short: no other begins.
        case ending
        /// Points under way end at the next block.
        case stopped
    }

    /// Results wait this long for others. Each wake-up of the thread that takes them costs as much as a short point.
    private static let pause: Duration = .milliseconds(10)

    /// Calls `tell` on any thread, in no order.
    init(
        _ simulation: AnySimulation, _ points: [LocalSweep.Point], _ todo: [Int], cores: Int,
        _ tell: @escaping @Sendable ([(Int, JobResult)]) -> Void
    ) {
        (self.simulation, self.points, self.todo, self.tell) = (simulation, points, todo, tell)
        state = Guarded(State(threads: max(1, min(cores, todo.count))))
    }

    /// Computes until a point is not short. Returns the points that are left.
    func run(_ priority: Priority) async -> [Int] {
        await withCheckedContinuation { (left: CheckedContinuation<[Int], Never>) in
            for _ in 0..<state.with({ $0.threads }) {
                SystemThread(for: "computing") { [self] in
                    priority.apply()
                    work()
                    let rest: [Int]? = state.with { state in
                        state.threads -= 1
                        return state.threads == 0 ? state.unfit.sorted() + todo[state.next...] : nil
                    }
                    if let rest { left.resume(returning: rest) }
                }.detach()
            }
        }
    }

    /// Ends all threads at the next block.
    func stop() { state.with { $0.phase = .stopped } }

    private func work() {
        var jobs = ShortJobs(of: simulation)
        var done: [(Int, JobResult)] = []
        let clock = BootClock()
        var told = clock.now
        while let index = next() {
            switch jobs.compute(points[index], isStopped) {
            case .done(let result): done.append((index, result))
            case .unfit: setAside(index)
            }
            if clock.now - told >= Self.pause {
                tell(done)
                (done, told) = ([], clock.now)
            }
        }
        tell(done)
    }

    private func isStopped() -> Bool { state.with { $0.phase == .stopped } }

    private func setAside(_ index: Int) {
        state.with { state in
            state.unfit.append(index)
            if state.phase == .running { state.phase = .ending }
        }
    }

    private func next() -> Int? {
        state.with { state in
            guard state.phase == .running, state.next < todo.count else { return nil }
            defer { state.next += 1 }
            return todo[state.next]
        }
    }
}
