import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckMachine

/// Many jobs of one simulation that this machine computes alone. While they are short, each core computes jobs of its
/// own. Then one engine computes each on all cores; some are always in hand, so that no core waits while one ends and the
/// next begins.
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
        /// The point cannot be computed. No news follows.
        case failed(Int, JobError)
    }

    /// The news, in the order in which they happen. Ends when no point is left, or after `stop`.
    public let news: AsyncStream<News>
    private let loop: LocalLoop
    private let short: ShortPoints

    /// Starts computing. `todo` are the indices of the points to compute; nil for all. `tables` are the simulation's
    /// input files. Output of the simulation is discarded. `module` computes the points if the simulation is not built
    /// in.
    public init(
        _ simulation: AnySimulation, _ points: [Point], todo: [Int]? = nil, tables: [Table] = [], cores: Int,
        priority: Priority = .interactive, spool: String = "/var/tmp", module: BlobReference? = nil
    ) throws(JobError) {
        var computing = Computing(Simulations([simulation]), cores: cores, priority: priority)
        computing.spool = spool
        let (news, tell) = AsyncStream.makeStream(of: News.self)
        let loop = LocalLoop(computing)
        let payload: BlobReference?
        do throws(SpoolFile.SpoolError) {
            payload = try loop.shell.put(tables, .none)
        } catch {
            throw JobError("\(simulation.name): \(error.reason)")
        }
        let todo = todo ?? Array(points.indices)
        // Only a shell has tables.
        let short = ShortPoints(simulation, points, tables.isEmpty ? todo : [], cores: cores) { ended in
            for (index, result) in ended { tell.yield(.ended(index, result)) }
        }
        (self.news, self.loop, self.short) = (news, loop, short)
        Task {
            let left = await short.run(priority)
            await loop.run(tables.isEmpty ? left : todo) { index throws(ParameterError) in
                let point = points[index]
                var order = try simulation.order(
                    parameters: point.parameters, tables: tables, seed: point.seed, goal: point.goal, module: module)
                order.payload = payload
                return order
            } tell: { news in
                switch news {
                case .progress(let index, let snapshot): tell.yield(.progress(index, snapshot))
                case .ended(let index, _, let result): tell.yield(.ended(index, result))
                case .failed(let index, let why): tell.yield(.failed(index, why))
                case .checkpoint: break
                }
            }
            tell.finish()
        }
    }

    /// Ends all points in hand; they have no result.
    public func stop() {
        short.stop()
        loop.queue.yield(.abandon)
    }
}
