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

    private let shell: ShortShell
    private let clock = BootClock()
    private var jobs: LocalJobs

    init(of simulation: AnySimulation) {
        shell = ShortShell(simulation)
        jobs = LocalJobs(shell, cores: 1)
    }

    /// The processor time that the thread has used: other programs do not make a job long. Reading it takes much longer
    /// than reading a clock.
    private static var time: Duration { .nanoseconds(nanoseconds(of: CLOCK_THREAD_CPUTIME_ID)) }

    /// Computes a job without tables. Ends at the next block when `shouldStop` returns true; the job is `unfit` then.
    mutating func compute(_ point: LocalSweep.Point, _ shouldStop: () -> Bool) -> Outcome {
        // The clock may end a job only in a shell, which has a timer.
        guard point.goal.duration == nil, let prepared = try? shell.simulation.prepared(point.parameters),
            prepared.search == nil, prepared.writes == .nothing
        else { return .unfit }
        shell.begin(prepared, point)
        let (begin, start) = (clock.now, Self.time)
        let experiment = Experiment(
            simulation: shell.simulation.identity, parameters: point.parameters, seed: point.seed,
            blockSize: UInt64(prepared.blockSize))
        var news = jobs.order(JobOrder(JobRecipe(experiment: experiment, goal: point.goal)), as: 0)
        while true {
            for case .ended(_, _, let result) in news { return .done(result) }
            let event = shell.next {
                shouldStop() || clock.now - begin > Self.longest && Self.time - start > Self.longest
            }
            guard let event else { break }
            news = jobs.handle(event)
        }
        // The unfinished job is dropped with its engine.
        jobs = LocalJobs(shell, cores: 1)
        return .unfit
    }
}

/// Performs effects on the caller's thread, one for each event that it is asked for. A job waits for ever for an effect that
/// needs another shell.
private final class ShortShell: LocalShell {
    let simulation: AnySimulation
    private let clock = BootClock()
    /// The simulation and the point of the job; nil before the first.
    private var job: (prepared: PreparedSimulation, point: LocalSweep.Point)?
    /// Events that the engine has not handled yet.
    private var events: [Event] = []
    private var chunks: [(chunk: Chunk, trials: UInt64?)] = []

    init(_ simulation: AnySimulation) { self.simulation = simulation }

    func begin(_ prepared: PreparedSimulation, _ point: LocalSweep.Point) {
        job = (prepared, point)
        (events, chunks) = ([], [])
    }

    /// Returns the next event, for which it computes a chunk if need be. Returns nil if the job is to stop, or waits.
    func next(_ shouldStop: () -> Bool) -> Event? {
        if !events.isEmpty { return events.removeFirst() }
        guard let job, !chunks.isEmpty else { return nil }
        let (chunk, trials) = chunks.removeFirst()
        let request = ChunkRequest(seed: job.point.seed, blocks: chunk.blocks, trials: trials, bound: SearchBound())
        let begin = clock.now
        guard case .done(let reply, _) = job.prepared.outcome(of: request, shouldStop), !shouldStop() else {
            return nil
        }
        return .computed([
            .done(
                ChunkResult(attempt: chunk.attempt, end: reply.end, tally: reply.slots, busy: clock.now - begin))
        ])
    }

    func perform(_ effects: [Effect]) {
        guard let (prepared, point) = job else { return }
        for effect in effects {
            switch effect {
            case .job(.prepare(let id, _)):
                let facts = JobFacts(
                    layout: prepared.layout, blockSize: UInt64(prepared.blockSize),
                    title: JobTitle(simulation: simulation, parameters: point.parameters))
                events.append(.prepared(id, .ready(facts)))
            case .job(.compute(let chunk, _, let trials, _)): chunks.append((chunk, trials))
            case .job(.drop(let attempts)): chunks.removeAll { attempts.contains($0.chunk.attempt) }
            case .job(.read(let request)):
                guard let readings = try? prepared.readings(of: request.tally, trials: request.trials) else { break }
                events.append(.read(request, request.trials == 0 ? [] : readings))
            default: break
            }
        }
    }
}
