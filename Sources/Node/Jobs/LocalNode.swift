import PotluckCore
import PotluckEngine
import PotluckMachine
import PotluckSystem

/// An engine of one node without a session, with the shell that performs its effects and a timer.
struct LocalNode {
    let shell: JobShell
    private var engine: Engine
    private let clock = BootClock()
    private var timer: (at: Instant, task: Task<Void, Never>)?
    /// When the engine wants to be woken.
    private var wanted: Instant?
    private let woke: @Sendable () -> Void

    /// Calls `woke` on any thread when the engine must handle that event.
    init(_ shell: JobShell, _ computing: Computing, woke: @escaping @Sendable () -> Void) {
        var chance = SystemRandomNumberGenerator()
        engine = Engine(
            EngineSetup(
                node: .nobody, name: "this machine", cores: computing.cores, seed: chance.next(),
                keepsJournal: computing.store != nil), now: clock.now)
        self.shell = shell
        self.woke = woke
    }

    /// Handles an event and performs its effects. Returns them, because some concern the caller, too.
    mutating func handle(_ event: Event) -> [Effect] {
        if case .woke = event, !isDue() { return [] }
        let effects = engine.handle(event, at: clock.now)
        shell.perform(effects)
        for case .wake(let time) in effects { wake(at: time) }
        return effects
    }

    /// Ends the timer.
    func end() { timer?.task.cancel() }

    /// Whether the engine is to be woken now. The timer may have been set for an earlier time than it wants by now.
    private mutating func isDue() -> Bool {
        timer = nil
        guard let time = wanted, time > clock.now else { return true }
        wake(at: time)
        return false
    }

    /// Jobs of a millisecond change the time with each event, so a timer that ends before it stays.
    private mutating func wake(at time: Instant) {
        wanted = time
        if let timer, timer.at <= time { return }
        timer?.task.cancel()
        let task = Task { [woke, clock] in
            try? await Task.sleep(for: max(.zero, time - clock.now))
            if !Task.isCancelled { woke() }
        }
        timer = (time, task)
    }
}

extension Preparation {
    /// Why this node cannot compute the job; nil if it can. No other node can help. `blockSize` is that of the order; nil
    /// if it is not known.
    func obstacle(_ blockSize: UInt64?) -> String? {
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
    mutating func merge() {
        guard count > 1, let here = last else { return }
        self = [
            NodeRow(
                node: here.node, name: here.name, cores: here.cores, trials: reduce(0) { $0 + $1.trials },
                rate: here.rate, work: here.work, roundTrip: here.roundTrip, since: here.since,
                effort: effort)
        ]
    }
}
