import Glibc
import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckMachine
import PotluckSystem

/// Computes short jobs one after another on the caller's thread, with an engine of one node and one core. It starts no
/// thread and waits for none, so a job costs little besides its trials.
struct ShortJobs {
    enum Outcome {
        case done(JobResult)
        /// It takes longer than `longest`, or needs what only a shell can do. Nothing of it is kept.
        case unfit
    }

    /// The longest time of the core for a job. Then a shell computes it on all cores, and the work that was done here
    /// is repeated.
    private static let longest: Duration = .milliseconds(30)

    private let simulation: AnySimulation
    private let clock = BootClock()
    private var engine: Engine
    /// Events that the engine has not handled yet.
    private var events: [Event] = []
    private var chunks: [(chunk: Chunk, trials: UInt64?)] = []

    init(of simulation: AnySimulation) {
        self.simulation = simulation
        engine = Self.engine(at: clock.now)
    }

    private static func engine(at now: Instant) -> Engine {
        var chance = SystemRandomNumberGenerator()
        return Engine(EngineSetup(node: .nobody, name: "this machine", cores: 1, seed: chance.next()), now: now)
    }

    /// The processor time that the thread has used: other programs do not make a job long. Reading it takes much longer
    /// than reading a clock.
    private static var time: Duration { .nanoseconds(nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)) }

    /// Computes a job without tables. Ends at the next block when `shouldStop` returns true; the job is `unfit` then.
    mutating func compute(_ point: LocalSweep.Point, _ shouldStop: () -> Bool) -> Outcome {
        // The clock may end a job only in a shell, which has a timer.
        guard point.goal.duration == nil, let prepared = try? simulation.prepared(point.parameters),
            prepared.search == nil, prepared.writes == .nothing
        else { return .unfit }
        let experiment = Experiment(
            simulation: simulation.identity, parameters: point.parameters, seed: point.seed,
            blockSize: UInt64(prepared.blockSize))
        events = [.wanted(.order(JobOrder(JobRecipe(experiment: experiment, goal: point.goal)), .none), token: 0)]
        chunks = []
        let (clock, begin, start) = (clock, clock.now, Self.time)
        var isFit = true
        while isFit {
            let event = nextEvent(prepared, experiment) {
                shouldStop() || clock.now - begin > Self.longest && Self.time - start > Self.longest
            }
            guard let event else { break }
            for effect in engine.handle(event, at: clock.now) {
                if case .tell(.finished(_, let result, _)) = effect { return .done(result) }
                isFit = isFit && perform(effect, prepared, point.parameters)
            }
        }
        // The unfinished job is dropped with its engine.
        engine = Self.engine(at: clock.now)
        return .unfit
    }

    /// Returns the next event, for which it computes a chunk if need be. Returns nil if the job is to stop, or waits.
    private mutating func nextEvent(
        _ prepared: PreparedSimulation, _ experiment: Experiment, _ shouldStop: () -> Bool
    ) -> Event? {
        if !events.isEmpty { return events.removeFirst() }
        guard !chunks.isEmpty else { return nil }
        let (chunk, trials) = chunks.removeFirst()
        let request = ChunkRequest(seed: experiment.seed, blocks: chunk.blocks, trials: trials, bound: SearchBound())
        let begin = clock.now
        guard case .done(let reply, _) = prepared.outcome(of: request, shouldStop), !shouldStop() else { return nil }
        return .computed([
            .done(
                ChunkResult(attempt: chunk.attempt, end: reply.end, tally: reply.slots, busy: clock.now - begin))
        ])
    }

    /// Performs an effect. Returns false if the job is unfit.
    private mutating func perform(_ effect: Effect, _ prepared: PreparedSimulation, _ parameters: [UInt64]) -> Bool {
        switch effect {
        case .job(.prepare(let id, _)):
            let facts = JobFacts(
                layout: prepared.layout, blockSize: UInt64(prepared.blockSize),
                title: JobTitle(simulation: simulation, parameters: parameters))
            events.append(.prepared(id, .ready(facts)))
        case .job(.compute(let chunk, _, let trials, _)): chunks.append((chunk, trials))
        case .job(.drop(let attempts)): chunks.removeAll { attempts.contains($0.chunk.attempt) }
        case .job(.read(let request)):
            guard let readings = try? prepared.readings(of: request.tally, trials: request.trials) else { return false }
            events.append(.read(request, request.trials == 0 ? [] : readings))
        case .tell(.failed), .answer(.refused, _): return false
        default: break
        }
        return true
    }
}
