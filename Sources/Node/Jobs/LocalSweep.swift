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
        let parameters: [UInt64]
        let seed: UInt64
        let goal: Goal

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
        case failed(Int, JobFailed)
    }

    /// The jobs in hand: enough to keep the cores busy while short ones begin and end, and fewer than one submitter may
    /// have.
    static let window = 8

    /// The news, in the order in which they happen. Ends when no point is left, or after `stop`.
    public let news: AsyncStream<News>
    private let queue: AsyncStream<Input>.Continuation
    private let short: ShortPoints

    fileprivate enum Input: Sendable {
        case report(JobShell.Report)
        case stop
    }

    /// Starts computing. `tables` are the simulation's input files. Output of the simulation is discarded. `module`
    /// computes the points if the simulation is not built in.
    public init(
        _ simulation: AnySimulation, _ points: [Point], tables: [Table] = [], cores: Int,
        priority: Computing.Priority = .interactive, spool: String = "/var/tmp", module: BlobReference? = nil
    ) throws(JobFailed) {
        var computing = Computing(Simulations([simulation]), cores: cores, priority: priority)
        computing.spool = spool
        let (inputs, queue) = AsyncStream.makeStream(of: Input.self)
        let (news, tell) = AsyncStream.makeStream(of: News.self)
        self.queue = queue
        self.news = news
        let shell = JobShell(computing) { queue.yield(.report($0)) }
        let payload: BlobReference?
        do throws(SpoolFile.Trouble) {
            payload = try shell.put(tables, .none)
        } catch {
            throw JobFailed("\(simulation.name): \(error.reason)")
        }
        let node = LocalNode(shell, computing) { queue.yield(.report(.event(.woke))) }
        // Only a shell has tables.
        let short = ShortPoints(simulation, tables.isEmpty ? points : [], cores: cores) { ended in
            for (index, result) in ended { tell.yield(.ended(index, result)) }
        }
        self.short = short
        Task {
            let left = await short.run(priority)
            var loop = SweepLoop(node, tell, tables.isEmpty ? left : Array(points.indices)) {
                index throws(ParameterError) in
                let point = points[index]
                let experiment = try simulation.experiment(
                    parameters: point.parameters, tables: tables, seed: point.seed)
                var order = JobOrder(JobRecipe(experiment: experiment, goal: point.goal, module: module))
                order.payload = payload
                return order
            }
            await loop.run(inputs)
            tell.finish()
        }
    }

    /// Ends all points in hand; they have no result.
    public func stop() {
        short.stop()
        queue.yield(.stop)
    }
}

/// Orders the points one after another, and follows their jobs.
private struct SweepLoop {
    private var node: LocalNode
    private let tell: AsyncStream<LocalSweep.News>.Continuation
    private let todo: [Int]
    private let order: (Int) throws(ParameterError) -> JobOrder
    /// The place in `todo` of the next point to order.
    private var next = 0
    /// The points whose order is not confirmed yet.
    private var asked: Set<Int> = []
    /// The points in hand.
    private var running: [JobID: Int] = [:]
    private var isOver: Bool

    init(
        _ node: LocalNode, _ tell: AsyncStream<LocalSweep.News>.Continuation, _ todo: [Int],
        _ order: @escaping (Int) throws(ParameterError) -> JobOrder
    ) {
        (self.node, self.tell, self.todo, self.order) = (node, tell, todo, order)
        isOver = todo.isEmpty
    }

    mutating func run(_ inputs: AsyncStream<LocalSweep.Input>) async {
        defer { node.end() }
        refill()
        if isOver { return }
        for await input in inputs {
            switch input {
            case .report(.event(let event)):
                handle(event)
                if case .prepared(let id, let preparation) = event, let index = running[id],
                    let why = preparation.obstacle(nil)
                {
                    fail(index, JobFailed(why))
                }
            case .report(.outcomes): handle(.computed(node.shell.takeOutcomes()))
            case .stop: isOver = true
            }
            refill()
            if isOver { break }
        }
        // Cores must not continue chunks that nobody wants.
        for id in running.keys { _ = node.handle(.wanted(.command(.cancel, id, ticket: nil), token: UInt64.max)) }
    }

    private mutating func refill() {
        while !isOver, next < todo.count, running.count + asked.count < LocalSweep.window {
            let index = todo[next]
            next += 1
            do throws(ParameterError) {
                let order = try order(index)
                asked.insert(index)
                handle(.wanted(.order(order, .none), token: UInt64(index)))
            } catch {
                fail(index, JobFailed("the parameters do not fit"))
            }
        }
        if next == todo.count, running.isEmpty, asked.isEmpty { isOver = true }
    }

    private mutating func fail(_ index: Int, _ why: JobFailed) {
        guard !isOver else { return }
        tell.yield(.failed(index, why))
        isOver = true
    }

    private mutating func handle(_ event: Event) {
        for effect in node.handle(event) {
            switch effect {
            case .answer(.taken(let id), let token):
                guard let index = asked.remove(Int(token)) else { continue }
                running[id] = index
            case .answer(.refused(let why), let token):
                if let index = asked.remove(Int(clamping: token)) { fail(index, JobFailed(why)) }
            case .tell(.failed(let id, let why)):
                if let index = running.removeValue(forKey: id) { fail(index, JobFailed(why)) }
            case .tell(.snapshot(let snapshot)):
                if let index = running[snapshot.id] { tell.yield(.progress(index, snapshot)) }
            case .tell(.finished(let id, var result, _)):
                result.nodes.merge()
                if let index = running.removeValue(forKey: id) { tell.yield(.ended(index, result)) }
            default: break
            }
        }
    }
}
