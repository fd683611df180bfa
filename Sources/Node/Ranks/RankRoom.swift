import Glibc
import PotluckCore
import PotluckRanks
import PotluckSystem
import Synchronization

/// The ranks of a program on this node, as their threads share it: the messages, under one lock, and a gate for each rank.
final class RankRoom: Sendable {
    /// The way from a room to other nodes.
    struct Outlet: Sendable {
        /// Queues letters, and then items for the lead. It is called with the room's lock held, so that nothing
        /// overtakes.
        let queue: @Sendable (_ letters: [(node: Int, letter: RankLetter)], _ items: [RankItem]) -> Void
        /// Sends the queue.
        let flush: @Sendable () -> Void
        /// The program ends early here. It is called once.
        let fail: @Sendable (RankError) -> Void
    }

    private struct State {
        var world: RankWorld
        /// Why the program ends early. The first reason counts.
        var fault: RankError?
        var waits: [RankWaits]
        /// How to end the ranks that compute.
        var stoppers: [Int: @Sendable () -> Void] = [:]

        /// The states of the checkpoint at which the program begins, by rank; empty if it starts at its beginning.
        var restored: [Int: [UInt8]]

        /// Whether the lead has everything that the ranks leave, so that it may learn that they have ended.
        var isFinished = false

        /// Returns the report that the lead lacks; nil if there is none. With `isDue` it also reports ranks that may
        /// soon compute again.
        mutating func report(isDue: Bool) -> RankReport? {
            guard fault == nil, isDue || world.isFinal, isFinished || !world.isOver else { return nil }
            return world.takeReport()
        }
    }

    private let state: Guarded<State>
    private let gates: [RankGate]
    private let clock = BootClock()
    /// When the program began, in nanoseconds of the clock.
    private let begun = Atomic<Int64>(0)
    let size: Int
    /// Nil if all ranks are on this node.
    private let outlet: Outlet?

    /// A program whose ranks are all here.
    convenience init(size: Int, cores: Int, restored: [[UInt8]]?) {
        precondition(restored == nil || restored?.count == size, "a checkpoint has a state for each rank")
        let states = restored.map { Dictionary(uniqueKeysWithValues: $0.enumerated().map { ($0, $1) }) }
        self.init(RankWorld(size: size), cores: cores, restored: states, outlet: nil)
    }

    init(_ world: RankWorld, cores: Int, restored: [Int: [UInt8]]?, outlet: Outlet?) {
        size = world.size
        self.outlet = outlet
        state = Guarded(
            State(world: world, waits: Array(repeating: RankWaits(), count: world.size), restored: restored ?? [:]))
        let hasCore = world.own.count <= cores
        gates = (0..<size).map { _ in RankGate(hasCore: hasCore) }
    }

    /// The time since the program began.
    var now: Instant { .start + (clock.now - .start - .nanoseconds(begun.load(ordering: .relaxed))) }

    /// Starts the program's clock. Call it when the program begins.
    func begin() { begun.store((clock.now - .start).nanoseconds, ordering: .relaxed) }

    /// Sets the state with which a rank begins.
    func restore(_ rank: Int, _ octets: [UInt8]) { state.with { $0.restored[rank] = octets } }

    /// The state with which a rank begins; nil if the program starts at its beginning.
    func restored(_ rank: Int) -> [UInt8]? { state.with { $0.restored[rank] } }

    /// Does something with the messages, and wakes the ranks that can continue. Throws if the program has ended early,
    /// or ends because of this.
    func with<Result>(_ body: (inout RankWorld) throws(RankError) -> Result) throws(RankError) -> Result {
        try with(noting: { _ in }, body)
    }

    private func with<Result>(
        noting note: (inout State) -> Void, _ body: (inout RankWorld) throws(RankError) -> Result
    ) throws(RankError) -> Result {
        let (outcome, woken, isNew) = state.with { state -> (Swift.Result<Result, RankError>, [Int], isNew: Bool) in
            note(&state)
            if let fault = state.fault { return (.failure(fault), [], false) }
            do throws(RankError) {
                let result = try body(&state.world)
                queue(&state)
                return (.success(result), state.world.takeWoken(), false)
            } catch {
                state.fault = error
                return (.failure(error), [], true)
            }
        }
        for rank in woken { gates[rank].open() }
        outlet?.flush()
        if case .failure(let fault) = outcome {
            if isNew { outlet?.fail(fault) }
            stopAll()
        }
        return try outcome.get()
    }

    /// Queues messages for other nodes.
    private func queue(_ state: inout State, reports: Bool = false) {
        guard let outlet else { return }
        let letters = state.world.takeLetters()
        let report = state.report(isDue: reports)
        if report != nil || !letters.isEmpty { outlet.queue(letters, report.map { [.report($0)] } ?? []) }
    }

    /// Takes a letter of another node.
    func deliver(_ letter: RankLetter, from node: Int) {
        try? with { (world) throws(RankError) in try world.deliver(letter, from: node) }
    }

    /// All ranks have ended, and the lead has what they leave.
    func finish() {
        state.with { $0.isFinished = true }
        report()
    }

    /// Tells the lead if no rank computes. `deliver` and the calls of ranks report only final states.
    func report() {
        state.with { queue(&$0, reports: true) }
        outlet?.flush()
    }

    /// Brings a rank's state at a checkpoint to the lead.
    func keep(_ rank: Int, _ octets: [UInt8]) {
        state.with { _ in outlet?.queue([], [.state(rank: rank, octets)]) }
    }

    /// Waits until another rank has woken this one. Then does something with the messages.
    func wait<Result>(
        _ rank: Int, _ cause: RankActivity.Cause, since begin: Instant,
        _ body: (inout RankWorld) throws(RankError) -> Result
    ) throws(RankError) -> (Result, waited: Duration) {
        gates[rank].wait { now }
        let waited = now - begin
        let result = try with(noting: { $0.waits[rank].add(waited, for: cause.rank) }, body)
        return (result, waited)
    }

    /// Ends the program, unless it has ended for another reason.
    func fail(_ fault: RankError) {
        let isNew = state.with { state in
            guard state.fault == nil else { return false }
            state.fault = fault
            return true
        }
        if isNew { outlet?.fail(fault) }
        stopAll()
    }

    /// The reason why the program ended early.
    var fault: RankError? { state.with { $0.fault } }

    /// Notes how to end a rank while it computes; nil once it has ended.
    func note(_ rank: Int, _ stopper: (@Sendable () -> Void)?) {
        let isOver = state.with { state in
            state.stoppers[rank] = stopper
            return state.fault != nil
        }
        if isOver { stopper?() }
    }

    private func stopAll() {
        let stoppers = state.with { state in
            defer { state.stoppers = [:] }
            return Array(state.stoppers.values)
        }
        for stopper in stoppers { stopper() }
        // A gate that nobody waits at stays open, which no rank of a program that has ended notices.
        for gate in gates { gate.open() }
    }

    /// What the ranks do now.
    var picture: RankPicture {
        let now = now
        return state.with { state in
            RankPicture(
                elapsed: now - .start,
                ranks: (0..<size).map { rank in
                    RankPicture.Rank(
                        activity: state.world.activities[rank], traffic: state.world.traffic[rank],
                        waits: state.waits[rank])
                }, checkpoints: state.world.checkpoints.count, now: now)
        }
    }

    /// What the ranks of this node do now, in their order.
    var rows: [RankRow] {
        let now = now
        return state.with { state in
            state.world.own.map { rank in
                let standing: RankRow.Standing =
                    switch state.world.activities[rank] {
                    case .computing: .computes
                    case .waiting(let cause, let since): .waits(cause, for: now - since)
                    case .ended: .ended
                    }
                return RankRow(standing: standing, traffic: state.world.traffic[rank], waits: state.waits[rank])
            }
        }
    }

    var checkpoint: [[UInt8]]? { state.with { $0.world.checkpoints.last } }
}
