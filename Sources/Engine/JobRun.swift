import PotluckKit
import PotluckModel

/// One job at work: its ledger, what its worker's cores have in hand, and what is shown of it.
struct JobRun {
    /// A core has one chunk under way and the next one waiting, so that it never waits for us.
    static let chunksPerCore = 2
    /// Views are drawn this often: fast enough to look alive, slow enough to cost nothing.
    static let pictureInterval = Duration.milliseconds(100)

    /// What the run is about to do.
    private enum Phase: Equatable {
        case computing
        /// No more is handed out; the blocks under way are being finished.
        case stopping(Completion)
        /// The result is being read.
        case concluding
    }

    let id: JobID
    let spec: JobSpec
    let node: LocalWorker
    let started: Instant

    private var phase = Phase.computing
    private var ledger: Ledger
    private var pace = Pace()
    private var forecast = Forecast()
    private var trialsDone: UInt64 = 0
    private var course: [CoursePoint] = []
    private var precisionTrials: UInt64?
    private var latest: (request: ReadRequest, readings: [Reading])?
    private var nextPicture: Instant

    init(id: JobID, spec: JobSpec, node: LocalWorker, now: Instant) {
        self.id = id
        self.spec = spec
        self.node = node
        started = now
        nextPicture = now + Self.pictureInterval
        ledger = Ledger(spec)
        forecast.saw(0, at: now)
    }

    // MARK: Events

    mutating func start(_ effects: inout [Effect], now: Instant) { handOut(&effects, now: now) }

    mutating func computed(_ result: ChunkResult, _ effects: inout [Effect], now: Instant) {
        guard phase != .concluding, let (lease, trials) = ledger.settle(result) else { return }
        pace.learn(blocks: result.end - lease.blocks.lowerBound, busy: result.busy)
        trialsDone += trials
        while let passed = ledger.advance() {
            // The last one is the result, which is read anyway.
            guard passed.trials != spec.goal.trials else { continue }
            effects.append(
                .read(ReadRequest(job: id, tally: passed.tally, trials: passed.trials, purpose: .checkpoint)))
        }
        if ledger.isComplete {
            conclude(.trials, &effects)
        } else if case .stopping(let completion) = phase {
            if ledger.leases.isEmpty { conclude(completion, &effects) }
        } else {
            handOut(&effects, now: now)
        }
    }

    mutating func stop(_ completion: Completion, _ effects: inout [Effect]) {
        guard phase == .computing else { return }
        phase = .stopping(completion)
        effects.append(.interrupt(id))
    }

    /// Tells what the job came to, where that is what was read.
    mutating func read(
        _ request: ReadRequest, _ readings: [Reading], _ effects: inout [Effect], now: Instant
    ) -> JobResult? {
        switch request.purpose {
        case .picture:
            guard phase != .concluding else { return nil }
            latest = (request, readings)
            foretell(request, readings)
            effects.append(.publish(snapshot(phase == .computing ? .running : .stopping, now: now)))
            return nil
        case .checkpoint:
            note(request, readings)
            // Judged in order of checkpoint and before the result is read, so the first one precise enough ends the job, whatever
            // was computed meanwhile.
            guard let precision = spec.goal.precision, precision.isReached(by: readings) else { return nil }
            effects.append(.interrupt(id))
            return finish(request, readings, .precision, &effects, now: now)
        case .result(let completion):
            note(request, readings)
            return finish(request, readings, completion, &effects, now: now)
        }
    }

    /// When it wants to be woken.
    var wakeTime: Instant? {
        guard phase != .concluding else { return nil }
        guard let end = spec.goal.duration.map({ started + $0 }), phase == .computing else { return nextPicture }
        return min(nextPicture, end)
    }

    mutating func woke(_ effects: inout [Effect], now: Instant) {
        guard phase != .concluding else { return }
        if let duration = spec.goal.duration, now - started >= duration { stop(.duration, &effects) }
        guard now >= nextPicture else { return }
        nextPicture = now + Self.pictureInterval
        forecast.saw(trialsDone, at: now)
        let picture = ledger.picture
        effects.append(
            .read(ReadRequest(job: id, tally: picture.tally, trials: picture.trials, purpose: .picture)))
    }

    // MARK: Steps

    private mutating func handOut(_ effects: inout [Effect], now: Instant) {
        while ledger.leases.count < node.cores * Self.chunksPerCore {
            let size = pace.size(left: ledger.left, cores: node.cores)
            guard let chunk = ledger.lend(to: node.id, atMost: size, job: id, now: now) else { return }
            effects.append(.compute(chunk, spec.experiment, trials: spec.goal.trials))
        }
    }

    private mutating func conclude(_ completion: Completion, _ effects: inout [Effect]) {
        phase = .concluding
        effects.append(
            .read(
                ReadRequest(
                    job: id, tally: ledger.settledTally, trials: ledger.settledTrials, purpose: .result(completion))))
    }

    private mutating func finish(
        _ request: ReadRequest, _ readings: [Reading], _ completion: Completion, _ effects: inout [Effect], now: Instant
    ) -> JobResult {
        phase = .concluding
        forecast.saw(trialsDone, at: now)
        latest = (request, readings)
        effects.append(.publish(snapshot(.done(completion), now: now)))
        return JobResult(
            experiment: spec.experiment, trials: request.trials, tally: request.tally, readings: readings,
            completion: completion, elapsed: now - started, nodes: [row])
    }

    private mutating func note(_ request: ReadRequest, _ readings: [Reading]) {
        course.append(CoursePoint(trials: request.trials, readings: readings))
    }

    /// The interval narrows with the square root of the trials; the job ends at the checkpoint after that.
    private mutating func foretell(_ request: ReadRequest, _ readings: [Reading]) {
        guard let precision = spec.goal.precision else { return }
        precisionTrials = nil
        var needed = 0.0
        for reading in readings {
            guard let half = reading.halfWidth else { continue }
            guard reading.varies, let value = reading.value else { return }
            let limit =
                switch precision {
                case .absolute(let limit): limit
                case .relative(let part): part * value.magnitude
                }
            guard limit > 0 else { return }
            needed = max(needed, Double(request.trials) * (half / limit) * (half / limit))
        }
        let blocks = needed / Double(spec.experiment.blockSize)
        guard blocks > 0, blocks < 0x1p58 else { return }
        let end = Checkpoint.blocks(Checkpoint.after(UInt64(blocks)))
        precisionTrials = end.multipliedClamped(spec.experiment.blockSize)
    }

    private var row: NodeRow {
        NodeRow(name: node.name, cores: node.cores, trials: trialsDone, rate: forecast.rate)
    }

    private func snapshot(_ state: JobState, now: Instant) -> JobSnapshot {
        let elapsed = now - started
        return JobSnapshot(
            id: id, spec: spec, state: state, trials: latest?.request.trials ?? 0,
            tally: latest?.request.tally ?? spec.layout.empty, readings: latest?.readings ?? [], course: course,
            elapsed: elapsed, rate: forecast.rate,
            remaining: forecast.remaining(
                spec.goal, trials: trialsDone, elapsed: elapsed, precisionTrials: precisionTrials),
            nodes: [row])
    }
}
