import PotluckCore
import PotluckRanks
import PotluckSystem

/// A program with ranks on the laptops of a session.
public final class SessionLaunch: Sendable {
    /// What to run, and where.
    public struct Request: Sendable {
        public var program: LaunchedProgram
        /// The number of ranks; nil for one on each core, or as many as the placement names.
        public var size: Int?
        public var placement: RankPlacement
        /// How often the program may begin again at its last checkpoint when a laptop is lost.
        public var restarts: Int
        /// The server or peer over which everything goes, because it allows this node to launch and others may not; nil if
        /// the session's other nodes allow it.
        public var host: NodeID?

        public init(
            _ program: LaunchedProgram, size: Int?, placement: RankPlacement, restarts: Int, host: NodeID? = nil
        ) {
            (self.program, self.size, self.placement) = (program, size, placement)
            (self.restarts, self.host) = (restarts, host)
        }
    }

    /// The progress of a launch, for people.
    public enum Note: Sendable, Hashable {
        /// No laptop of the session that computes is in sight.
        case waitingForLaptops
        /// The program is sent to these laptops, each with its number of ranks.
        case placed([RankPlacement.Share])
        /// These laptops have not said that they are ready.
        case waiting([String])
        /// A laptop takes no part, for this reason, and the ranks are placed on the others.
        case declined(String)
        /// Laptops are lost, and the program begins again at this checkpoint, counted from 1.
        case restarting(RankError, checkpoint: Int)
        /// Laptops are lost, and the program has no checkpoint at which it could begin again.
        case noCheckpoint
    }

    private let session: Session
    private let request: Request
    private let onLine: @Sendable (RankLine) -> Void
    private let onNote: @Sendable (Note) -> Void
    private let state = Guarded(State())

    private struct State {
        var attempt: LaunchAttempt?
        /// Checkpoints of earlier attempts.
        var checkpoints = 0
        var isStopped = false
        var looking: Task<Void, Never>?
    }

    /// The nodes that get no ranks any more.
    private struct PassedOver {
        /// Those that were lost. Some may still seem to be there.
        var lost: Set<NodeID> = []
        /// Those that take no part, and why the last one does not.
        var declined: Set<NodeID> = []
        var whyDeclined: RankError?
    }

    /// - Parameters:
    ///   - session: this node's session, in which it may order work.
    ///   - onLine: gets each line that a rank prints. It may wait.
    /// - onNote: gets each note. It must not wait.
    public init(
        _ request: Request, in session: Session, onLine: @escaping @Sendable (RankLine) -> Void,
        onNote: @escaping @Sendable (Note) -> Void
    ) {
        (self.request, self.session, self.onLine, self.onNote) = (request, session, onLine, onNote)
    }

    /// How often everybody is shown what the ranks do.
    private static let showEvery = Duration.milliseconds(500)
    /// How long laptops may take to get ready until a note names them, and until the program ends. A laptop compiles the
    /// module first, and one with an older version never answers.
    private static let (noteAfter, readyWithin) = (Duration.seconds(5), Duration.seconds(60))

    /// Runs the program until all ranks have ended. Returns the output of rank 0. Call it once.
    public func run() async throws(RankError) -> [UInt8] {
        var restarts = request.restarts
        var states: [[UInt8]]?
        var size = request.size
        var passedOver = PassedOver()
        while true {
            let attempt = try await begin(size, states, passedOver)
            do throws(RankError) {
                return try await follow(attempt, mayRestart: restarts > 0)
            } catch {
                // After a loss the ranks are not where the user named.
                if let node = attempt.decliner, !isNamed || states != nil {
                    passedOver.declined.insert(node)
                    passedOver.whyDeclined = error
                    onNote(.declined(error.description))
                    continue
                }
                guard case .lost = error, restarts > 0 else { throw error }
                guard let last = attempt.checkpoint ?? states else {
                    onNote(.noCheckpoint)
                    throw error
                }
                restarts -= 1
                (states, size) = (last, last.count)
                passedOver.lost.formUnion(attempt.lost)
                let checkpoint = state.with { state in
                    state.checkpoints += attempt.picture.checkpoints
                    return state.checkpoints
                }
                onNote(.restarting(error, checkpoint: checkpoint))
            }
        }
    }

    private func begin(
        _ size: Int?, _ states: [[UInt8]]?, _ passedOver: PassedOver
    ) async throws(RankError) -> LaunchAttempt {
        let all = try await computing().filter { !passedOver.declined.contains($0.node) }
        if all.isEmpty, let why = passedOver.whyDeclined { throw why }
        let rest = all.filter { !passedOver.lost.contains($0.node) }
        // A lost node has come back and is the only one.
        let nodes = rest.isEmpty ? all : rest
        let (chosen, places): ([Int], [Int])
        do throws(RankPlacement.PlacementError) {
            // After a loss, the nodes that were named are not all there.
            let placement = states == nil ? request.placement : .byCores
            (chosen, places) = try placement.place(
                size, on: nodes.map { RankPlacement.Node(name: $0.name, cores: $0.cores) })
        } catch {
            throw .ended(why: error.description)
        }
        guard let map = RankMap(places) else { throw .ended(why: "there is no place for any rank") }
        let members = chosen.map { LaunchAttempt.Member(node: nodes[$0].node, name: nodes[$0].name) }
        let shares = members.enumerated().map {
            RankPlacement.Share(name: $1.name, ranks: map.ranks(of: $0).count)
        }
        let attempt = try await session.attempt(
            request, map, members, states, onLine: onLine, onOpen: { [onNote] in onNote(.placed(shares)) })
        let isStopped = state.with { state in
            state.attempt = attempt
            return state.isStopped
        }
        if isStopped { attempt.end(.stopped) }
        return attempt
    }

    /// The laptops that compute, once the session is in sight.
    private func computing() async throws(RankError) -> [Session.RankLaptop] {
        let found = Guarded<[Session.RankLaptop]>([])
        let looking = Task { [session, onNote] in
            var laptops = await session.rankLaptops(since: .zero)
            var waited = Duration.zero
            while laptops == nil, !Task.isCancelled {
                try? await Task.sleep(for: Self.lookEvery)
                waited += Self.lookEvery
                if waited == Self.noteAfter { onNote(.waitingForLaptops) }
                laptops = await session.rankLaptops(since: waited)
            }
            let result = laptops ?? []
            found.with { $0 = result }
        }
        let isStopped = state.with { state in
            state.looking = looking
            return state.isStopped
        }
        if isStopped { looking.cancel() }
        await looking.value
        if state.with({ $0.isStopped }) { throw .stopped }
        return found.with { $0 }
    }

    private static let lookEvery = Duration.milliseconds(100)

    /// Whether the user named the laptops.
    private var isNamed: Bool { if case .named = request.placement { true } else { false } }

    /// Shows everybody what an attempt does until it ends.
    ///
    /// - Parameter mayRestart: whether the program may begin again if it has a checkpoint.
    private func follow(_ attempt: LaunchAttempt, mayRestart: Bool) async throws(RankError) -> [UInt8] {
        let watch = Task { [session, request, onNote] in
            var waited = Duration.zero
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.showEvery)
                let missing = attempt.missing
                if missing.isEmpty {
                    await session.post(attempt, request.program.name)
                } else {
                    waited += Self.showEvery
                    if waited == Self.noteAfter { onNote(.waiting(missing)) }
                    if waited >= Self.readyWithin {
                        attempt.end(
                            .ended(
                                why: "no answer from \(missing.joined(separator: ", ")) within "
                                    + "\(Self.readyWithin.components.seconds) s; an older version of Potluck may run there"
                            ))
                    }
                }
            }
        }
        let result: Result<[UInt8], RankError>
        do throws(RankError) { result = .success(try await attempt.outcome()) } catch { result = .failure(error) }
        watch.cancel()
        await watch.value
        // A node that declines is passed over, and the others have seen nothing yet.
        if attempt.decliner == nil {
            let hasCheckpoint = attempt.checkpoint != nil || attempt.isResumed
            await session.post(attempt, request.program.name, restarts: mayRestart && hasCheckpoint)
        }
        await session.forget(attempt)
        return try result.get()
    }

    /// Ends all ranks.
    public func stop() {
        let (attempt, looking) = state.with { state in
            state.isStopped = true
            return (state.attempt, state.looking)
        }
        looking?.cancel()
        attempt?.end(.stopped)
    }

    /// What the ranks do now; nil before the first attempt.
    public var picture: RankPicture? { state.with { $0.attempt }?.picture }

    /// What each rank did. Read it after the end.
    public var traces: [RankTrace] { state.with { $0.attempt }?.traces ?? [] }
}
