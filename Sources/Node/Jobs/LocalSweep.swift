import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckMachine
import PotluckSystem

/// Many jobs of one simulation that this machine computes alone. While they are short, each core computes jobs of its
/// own. Then one engine computes each on all cores: one after another, with some in hand, so that no core waits while one
/// ends and the next begins, or some together, round by round.
public struct LocalSweep: Sendable {
    /// One job.
    public struct Point: Sendable {
        package let parameters: [UInt64]
        package let seed: UInt64
        package let goal: Goal

        public init(parameters: [UInt64], seed: UInt64, goal: Goal) {
            self.parameters = parameters
            self.seed = seed
            self.goal = goal
        }
    }

    /// An event of a point. The number is its index.
    public enum News: Sendable {
        case progress(Int, JobSnapshot)
        case ended(Int, JobResult)
        /// The sweep was stopped while it computed the point, which has this result so far. Comes only with rounds.
        case stopped(Int, JobResult)
        /// The point cannot be computed. No news follows.
        case failed(Int, JobError)
    }

    /// The news, in the order in which they happen. Ends when no point is left, or after `stop`.
    public let news: AsyncStream<News>
    private let loop: LocalLoop
    private let short: ShortPoints
    private let inRounds: Bool

    /// The points that go round by round together: as many jobs as one submitter may have.
    private static let together = 16
    /// All points of an engine that computes nothing else are of one sweep.
    private static let number = JobID(1)

    /// Starts computing. `todo` are the indices of the points to compute; nil for all. `tables` are the simulation's
    /// input files. Output of the simulation is discarded. `module` computes the points if the simulation is not built
    /// in. With `inRounds`, which is for simulations of trials, points have about as many trials as each other whenever the
    /// sweep is stopped, and a `keeper` keeps them, so that the same sweep continues them.
    public init(
        _ simulation: AnySimulation, _ points: [Point], todo: [Int]? = nil, tables: [Table] = [], cores: Int,
        priority: Priority = .interactive, spool: String = "/var/tmp", module: BlobReference? = nil,
        inRounds: Bool = false, keeper: RunKeeper? = nil
    ) throws(JobError) {
        var computing = Computing(Simulations([simulation]), cores: cores, priority: priority)
        computing.spool = spool
        computing.store = keeper?.store
        let (news, tell) = AsyncStream.makeStream(of: News.self)
        let loop = LocalLoop(computing)
        let payload: BlobReference?
        do throws(SpoolFile.SpoolError) {
            payload = try loop.shell.put(tables, .none)
        } catch {
            throw JobError("\(simulation.name): \(error.reason)")
        }
        let todo = todo ?? Array(points.indices)
        let kept = Self.kept(keeper, points, todo)
        // Only a shell has tables. Points that were kept are not short.
        let mayBeShort = tables.isEmpty && kept.isEmpty
        let short = ShortPoints(simulation, points, mayBeShort ? todo : [], cores: cores) { ended in
            for (index, result) in ended { tell.yield(.ended(index, result)) }
        }
        (self.news, self.loop, self.short, self.inRounds) = (news, loop, short, inRounds)
        Task {
            let left = await short.run(priority)
            let clock = BootClock()
            var shared = SharedTime(clock.now)
            for index in kept.keys { shared.begin(index, clock.now) }
            await loop.run(
                mayBeShort ? left : todo.filter { kept[$0] == nil }, resuming: kept,
                window: inRounds ? Self.together : LocalLoop.window
            ) { index throws(ParameterError) in
                let point = points[index]
                var order = try simulation.order(
                    parameters: point.parameters, tables: tables, seed: point.seed, goal: point.goal, module: module)
                order.payload = payload
                guard inRounds else { return order }
                order.sweep = Self.number
                shared.begin(index, clock.now)
                return order
            } tell: { news in
                switch news {
                case .progress(let index, let snapshot): tell.yield(.progress(index, snapshot))
                case .ended(let index, let job, var result):
                    if inRounds { result.elapsed = result.elapsed * shared.end(index, clock.now) }
                    if result.completion == .stopped {
                        tell.yield(.stopped(index, result))
                    } else {
                        keeper?.forget(job)
                        tell.yield(.ended(index, result))
                    }
                case .failed(let index, let why): tell.yield(.failed(index, why))
                case .checkpoint: break
                }
            }
            tell.finish()
        }
    }

    /// The jobs that `keeper` has, by the points that they compute. It forgets those of other points, which have ended.
    private static func kept(_ keeper: RunKeeper?, _ points: [Point], _ todo: [Int]) -> [Int: KeptJob] {
        var kept: [Int: KeptJob] = [:]
        for job in keeper?.unfinishedJobs ?? [] {
            let order = try? TakenJob(job.record.spec).order
            let place = todo.first { index in
                order.map {
                    $0.experiment.seed == points[index].seed && $0.goal == points[index].goal
                        && $0.experiment.parameters.starts(with: points[index].parameters)
                } ?? false
            }
            if let place, kept[place] == nil { kept[place] = job } else { keeper?.forget(job.record.id) }
        }
        return kept
    }

    /// Ends all points in hand. Without rounds they have no result.
    public func stop() {
        short.stop()
        loop.queue.yield(inRounds ? .stop : .abandon)
    }
}
