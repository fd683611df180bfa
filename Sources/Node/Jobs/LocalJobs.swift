import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckMachine
import PotluckSystem

/// Performs the effects of an engine that has no session.
protocol LocalShell {
    func perform(_ effects: [Effect])
}

extension JobShell: LocalShell {}

/// Jobs that this machine computes alone: an engine of one node orders them and follows each to its end.
struct LocalJobs {
    /// An event of a job. The number is that of its order.
    enum News {
        case progress(Int, JobSnapshot)
        /// The tally at a checkpoint before the job's end.
        case checkpoint(Int, SettledTally)
        case ended(Int, JobID, JobResult)
        /// The job cannot be computed.
        case failed(Int, JobError)
    }

    private let shell: any LocalShell
    private var engine: Engine
    private let clock = BootClock()
    private var timer: (at: Instant, task: Task<Void, Never>)?
    /// When the engine wants to be woken.
    private var wanted: Instant?
    private let woke: (@Sendable () -> Void)?
    /// The block sizes of the orders that are not confirmed yet, by their numbers.
    private var asked: [Int: UInt64] = [:]
    /// The jobs in hand, with the block size that was ordered; nil for a resumed job.
    private var running: [JobID: (number: Int, blockSize: UInt64?)] = [:]
    /// The last command that came before a job began.
    private var early: JobCommand?
    private var hasBegun = false
    /// Whether the jobs in hand are to end. A resumed one can be told only once it is prepared.
    private var isStopping = false

    /// Calls `woke` on any thread when the engine must handle that event. Without it, jobs that have to wait do so for
    /// ever.
    init(_ shell: any LocalShell, cores: Int, keepsJournal: Bool = false, woke: (@Sendable () -> Void)? = nil) {
        var chance = SystemRandomNumberGenerator()
        engine = Engine(
            EngineSetup(
                node: .nobody, name: "this machine", cores: cores, seed: chance.next(), keepsJournal: keepsJournal),
            now: clock.now)
        (self.shell, self.woke) = (shell, woke)
    }

    /// The number of jobs that have not ended.
    var inHand: Int { asked.count + running.count }

    mutating func order(_ order: JobOrder, as number: Int) -> [News] {
        asked[number] = order.experiment.blockSize
        return handle(.wanted(.order(order, .none), token: UInt64(number)))
    }

    /// Continues jobs that were kept, by their numbers.
    mutating func resume(_ kept: [Int: KeptJob]) -> [News] {
        for (number, job) in kept { running[job.record.id] = (number, nil) }
        return handle(.found(kept.sorted { $0.key < $1.key }.map(\.value)))
    }

    /// Passes a command to all jobs in hand, or to the first one as soon as it begins.
    mutating func command(_ command: JobCommand) -> [News] {
        early = command
        return obey()
    }

    private mutating func obey() -> [News] {
        guard hasBegun, !running.isEmpty, let command = early else { return [] }
        early = nil
        return running.keys.flatMap { handle(.wanted(.command(command, $0, ticket: nil), token: Self.ofCommands)) }
    }

    /// No order has this number.
    private static let ofCommands = UInt64.max

    /// Ends the jobs that compute with what they have, and forgets the others.
    mutating func stop() -> [News] {
        asked = [:]
        isStopping = true
        return running.keys.flatMap { handle(.wanted(.command(.cancel, $0, ticket: nil), token: Self.ofCommands)) }
    }

    /// Ends the jobs in hand without a result, and the timer. Cores must not continue chunks that nobody wants.
    mutating func end() {
        for id in running.keys { _ = handle(.wanted(.command(.cancel, id, ticket: nil), token: Self.ofCommands)) }
        timer?.task.cancel()
    }

    /// Handles an event and performs its effects.
    mutating func handle(_ event: Event) -> [News] {
        if case .woke = event, !isDue() { return [] }
        let effects = engine.handle(event, at: clock.now)
        shell.perform(effects)
        var news: [News] = []
        for effect in effects { if let new = take(effect) { news.append(new) } }
        if case .prepared(let id, let preparation) = event {
            if let job = job(id), let why = preparation.obstacle(job.blockSize) {
                (running[id], asked[job.number]) = (nil, nil)
                news.append(.failed(job.number, JobError(why)))
            } else if isStopping, running[id] != nil {
                news += handle(.wanted(.command(.cancel, id, ticket: nil), token: Self.ofCommands))
            }
        }
        return early == nil ? news : news + obey()
    }

    /// The job with this ID. A single one is known before its order is confirmed, and shown while it is prepared.
    private func job(_ id: JobID) -> (number: Int, blockSize: UInt64?)? {
        running[id] ?? (inHand == 1 ? asked.first.map { ($0.key, $0.value) } : nil)
    }

    private mutating func take(_ effect: Effect) -> News? {
        switch effect {
        case .answer(.taken(let id), let token):
            guard let number = Int(exactly: token), let size = asked.removeValue(forKey: number) else { return nil }
            running[id] = (number, size)
        case .answer(.refused(let why), let token):
            guard let number = Int(exactly: token), asked.removeValue(forKey: number) != nil else { return nil }
            return .failed(number, JobError(why))
        case .tell(.failed(let id, let failure)):
            return running.removeValue(forKey: id).map { .failed($0.number, JobError(failure)) }
        case .tell(.news(.stranded(let id, let why))):
            return running.removeValue(forKey: id).map { .failed($0.number, JobError(why)) }
        case .job(.read(let request)):
            guard case .checkpoint(let number) = request.purpose, let job = job(request.job) else { return nil }
            return .checkpoint(job.number, SettledTally(blocks: Checkpoint.blocks(number), tally: request.tally))
        case .tell(.snapshot(var snapshot)):
            guard let job = job(snapshot.id) else { return nil }
            hasBegun = true
            snapshot.nodes.merge()
            return .progress(job.number, snapshot)
        case .tell(.finished(let id, var result, _)):
            result.nodes.merge()
            return running.removeValue(forKey: id).map { .ended($0.number, id, result) }
        case .wake(let time): wake(at: time)
        default: break
        }
        return nil
    }

    /// Whether the engine is to be woken now. The timer may have been set for an earlier time than it wants by now.
    private mutating func isDue() -> Bool {
        timer = nil
        guard let time = wanted, time > clock.now else { return true }
        wake(at: time)
        return false
    }

    /// Jobs of a millisecond change the time with each event, so a timer that ends before it stays.
    private mutating func wake(at time: Instant) {
        guard let woke else { return }
        wanted = time
        if let timer, timer.at <= time { return }
        timer?.task.cancel()
        let task = Task { [clock] in
            try? await Task.sleep(for: max(.zero, time - clock.now))
            if !Task.isCancelled { woke() }
        }
        timer = (time, task)
    }
}

extension Preparation {
    /// Why this node cannot compute the job; nil if it can. No other node can help. `blockSize` is that of the order; nil
    /// if it is not known.
    fileprivate func obstacle(_ blockSize: UInt64?) -> String? {
        switch self {
        case .ready(let facts):
            facts.blockSize == blockSize ?? facts.blockSize
                ? nil : "its block size has changed since it was started"
        case .lacks: "its module or tables are no longer available"
        case .impossible(let why): why
        }
    }
}

extension [NodeRow] {
    /// Combines all rows into one: the earlier parts of a resumed run were computed on this machine, too.
    fileprivate mutating func merge() {
        guard count > 1, let here = last else { return }
        self = [
            NodeRow(
                node: here.node, name: here.name, cores: here.cores, trials: reduce(0) { $0 + $1.trials },
                rate: here.rate, work: here.work, roundTrip: here.roundTrip, since: here.since,
                effort: effort)
        ]
    }
}
