import Dispatch
import PotluckSystem

/// Prepares simulations in their order, each on a thread of its own.
///
/// Native code cannot be ended from outside. So a slow preparation keeps the others waiting only for a moment. One that
/// takes too long is given up: its job hears why, and its thread runs on. If it is ready after all, its job hears that,
/// too, because a laptop with other work to do is slow for a while.
final class PreparationQueue: Sendable {
    struct Limits: Sendable {
        /// How long a preparation keeps the next one waiting. Most take milliseconds and stay in their order.
        var patience: Duration
        /// How long a preparation may take; nil in a program for one user, who ends it with Ctrl-C.
        var deadline: Duration?
    }

    /// For a node of a session: the submitter hears the reason before its own patience with the answer ends.
    static let deadline: Duration = .seconds(Session.patience.components.seconds - 5)
    /// The most threads that prepare or were given up. Each may use a core and the memory of a simulation.
    static let mostThreads = 8
    /// The most of them that were given up: some threads are left for simulations that can be prepared.
    static let mostGivenUp = 4

    private struct Work: Sendable {
        let name: String
        let prepare: @Sendable () -> Simulations.Prepared
        let done: @Sendable (Simulations.Prepared) -> Void
    }

    private struct State {
        var waiting: [Work] = []
        /// The preparations under way by number, and whether they have used up the patience of the next one.
        var running: [Int: (work: Work, isSlow: Bool)] = [:]
        var last = 0
        /// Those that were given up and run on, by number.
        var givenUp: [Int: Work] = [:]
    }

    private let state = Guarded(State())
    private let limits: Limits
    private let timers = DispatchQueue(label: "potluck-preparations")

    init(_ limits: Limits) { self.limits = limits }

    /// Calls `done` on any thread, with what `prepare` returns or with the reason why it was given up. Calls it once
    /// more if one that was given up is ready after all.
    func add(
        _ name: String, _ prepare: @escaping @Sendable () -> Simulations.Prepared,
        done: @escaping @Sendable (Simulations.Prepared) -> Void
    ) {
        let isFull = state.with { state in
            guard state.givenUp.count < Self.mostGivenUp else { return true }
            state.waiting.append(Work(name: name, prepare: prepare, done: done))
            return false
        }
        guard !isFull else { return done(Self.full) }
        beginNext()
    }

    private static let full: Simulations.Prepared = (
        nil, .impossible("\(mostGivenUp) simulations never became ready on this node; restart its potluck")
    )

    private func beginNext() {
        let next = state.with { state -> (number: Int, work: Work)? in
            let threads = state.running.count + state.givenUp.count
            guard threads < Self.mostThreads, state.running.values.allSatisfy(\.isSlow), !state.waiting.isEmpty
            else { return nil }
            let work = state.waiting.removeFirst()
            state.last += 1
            state.running[state.last] = (work, false)
            return (state.last, work)
        }
        guard let (number, work) = next else { return }
        SystemThread(for: "preparing a simulation") { [self] in ended(number, work.prepare()) }.detach()
        after(limits.patience) { queue in
            queue.state.with { $0.running[number]?.isSlow = true }
            queue.beginNext()
        }
        if let deadline = limits.deadline { after(deadline) { $0.giveUp(number, deadline) } }
    }

    private func after(_ time: Duration, _ act: @escaping @Sendable (PreparationQueue) -> Void) {
        timers.asyncAfter(deadline: .now() + .nanoseconds(Int(time.nanoseconds))) { [weak self] in
            if let self { act(self) }
        }
    }

    private func ended(_ number: Int, _ prepared: Simulations.Prepared) {
        let (work, isLate) = state.with { state -> (Work?, Bool) in
            if let running = state.running.removeValue(forKey: number) { return (running.work, false) }
            return (state.givenUp.removeValue(forKey: number), true)
        }
        if let work {
            let isReady = if case .ready = prepared.what { true } else { false }
            if !isLate {
                work.done(prepared)
            } else if isReady {
                // Its job hears of that after the reason, which is told on this queue.
                timers.async { work.done(prepared) }
            }
        }
        beginNext()
    }

    private func giveUp(_ number: Int, _ deadline: Duration) {
        let (work, refused) = state.with { state -> (Work?, [Work]) in
            guard let work = state.running.removeValue(forKey: number)?.work else { return (nil, []) }
            state.givenUp[number] = work
            guard state.givenUp.count >= Self.mostGivenUp else { return (work, []) }
            // Their turn would never come.
            defer { state.waiting = [] }
            return (work, state.waiting)
        }
        guard let work else { return }
        let why =
            "\(work.name) was not ready after \(deadline.components.seconds) s; this laptop is busy, or its tables or "
            + "parameters are large"
        work.done((nil, .impossible(why)))
        for other in refused { other.done(Self.full) }
        beginNext()
    }
}
