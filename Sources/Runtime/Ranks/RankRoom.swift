import Glibc
import PotluckModel
import PotluckRanks
import PotluckSystem

/// The ranks of a program on this machine, as their threads share it: the messages, under one lock, and a gate for each
/// rank.
final class RankRoom: Sendable {
    private struct State {
        var world: RankWorld
        /// Why the program ends early. The first reason counts.
        var fault: RankFault?
        var waits: [RankWaits]
        /// How to end the ranks that compute.
        var stoppers: [Int: @Sendable () -> Void] = [:]
    }

    private let state: Guarded<State>
    private let gates: [RankGate]
    private let clock = BootClock()
    let size: Int
    /// The states of the checkpoint at which the program begins, by rank; nil if it begins anew.
    let restored: [[UInt8]]?

    init(size: Int, cores: Int, restored: [[UInt8]]?) {
        precondition(restored == nil || restored?.count == size, "a checkpoint has a state for each rank")
        self.size = size
        self.restored = restored
        state = Guarded(State(world: RankWorld(size: size), waits: Array(repeating: RankWaits(), count: size)))
        gates = (0..<size).map { _ in RankGate(hasCore: size <= cores) }
    }

    var now: Instant { clock.now }

    /// Does something with the messages, and wakes the ranks that can go on. Throws if the program has ended early, or
    /// ends because of this.
    func with<Result>(_ body: (inout RankWorld) throws(RankFault) -> Result) throws(RankFault) -> Result {
        try with(noting: { _ in }, body)
    }

    private func with<Result>(
        noting note: (inout State) -> Void, _ body: (inout RankWorld) throws(RankFault) -> Result
    ) throws(RankFault) -> Result {
        let (outcome, woken) = state.with { state -> (Swift.Result<Result, RankFault>, [Int]) in
            note(&state)
            if let fault = state.fault { return (.failure(fault), []) }
            do throws(RankFault) {
                let result = try body(&state.world)
                return (.success(result), state.world.takeWoken())
            } catch {
                state.fault = error
                return (.failure(error), [])
            }
        }
        for rank in woken { gates[rank].open() }
        if case .failure = outcome { stopAll() }
        return try outcome.get()
    }

    /// Waits until another rank has woken this one. Then does something with the messages.
    func wait<Result>(
        _ rank: Int, _ cause: RankActivity.Cause, since begin: Instant,
        _ body: (inout RankWorld) throws(RankFault) -> Result
    ) throws(RankFault) -> (Result, waited: Duration) {
        gates[rank].wait { clock.now }
        let waited = clock.now - begin
        let result = try with(noting: { $0.waits[rank].add(waited, for: cause.rank) }, body)
        return (result, waited)
    }

    /// Ends the program, unless it has ended for another reason.
    func fail(_ fault: RankFault) {
        state.with { $0.fault = $0.fault ?? fault }
        stopAll()
    }

    /// The reason why the program ended early.
    var fault: RankFault? { state.with { $0.fault } }

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
        let now = clock.now
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

    var checkpoint: [[UInt8]]? { state.with { $0.world.checkpoints.last } }
}
