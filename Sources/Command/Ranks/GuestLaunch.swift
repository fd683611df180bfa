import Potluck
import PotluckCore
import PotluckRanks
import PotluckScreen
import PotluckSystem

/// A program with ranks on the laptops of a session, which this command joins as a guest until the program has ended.
final class GuestLaunch: RunningLaunch {
    private let guest: GuestSession
    private let session: Session
    /// A node on this machine that hosts the session; nil if there is none.
    private let host: SessionAccess?
    private let launch: SessionLaunch
    private let following: Task<Void, Never>
    private let state: Guarded<State>

    fileprivate struct State {
        /// The connected servers and peers.
        var hosts: Set<NodeID> = []
        /// Why the session has ended for this command.
        var end: String?
        var isStopped = false
        /// Asks the host on this machine.
        var asking: Task<Void, Never>?
    }

    /// Joins the session. Asks for its code if neither a node on this machine nor the arguments tell it.
    init(
        _ plan: LaunchPlan, _ place: LaunchPlace, _ guest: GuestSession, _ printer: LaunchPrinter
    ) async throws {
        let id = guest.id
        let access = guest.directory.access(to: id)
        let request = SessionLaunch.Request(
            LaunchedProgram(
                name: plan.module.name, module: plan.octets, memory: plan.memory,
                parameters: plan.start.parameters, payload: plan.start.tables.payload, seed: plan.start.seed,
                arguments: plan.start.arguments, isSynchronous: plan.isSynchronous, isTraced: plan.isTraced),
            size: plan.size, placement: place.placement, restarts: place.restarts,
            host: access.flatMap { $0.isHost ? $0.node : nil })
        let session = try await guest.start(through: access)
        let launch = SessionLaunch(
            request, in: session, onLine: { printer.print($0) }, onNote: { printer.note($0, id) })
        let state = Guarded(State())
        following = guest.follow(session, say: { printer.say($0) }) { news in
            if state.with({ $0.isEnd(news, id) }) { launch.stop() }
        }
        (self.guest, self.session, self.launch, self.state) = (guest, session, launch, state)
        host = access.flatMap { $0.isHost ? $0 : nil }
    }

    var picture: RankPicture? { launch.picture }
    var traces: [RankTrace] { launch.traces }

    func run() async throws(RankError) -> [UInt8] {
        let outcome: Result<[UInt8], RankError>
        await becomeAllowed()
        do throws(RankError) { outcome = .success(try await launch.run()) } catch { outcome = .failure(error) }
        await session.leave()
        // The session's end comes after what the other nodes must still be told.
        await following.value
        // The end of the session also breaks connections. It is the reason that helps.
        if case .failure = outcome, let why = state.with({ $0.end }) { throw .ended(why: why) }
        return try outcome.get()
    }

    func stop() {
        let asking = state.with { state in
            state.isStopped = true
            return state.asking
        }
        asking?.cancel()
        launch.stop()
    }

    // MARK: the host on this machine

    /// How often the host is asked until this node is connected to it.
    private static let askEvery = Duration.milliseconds(100)

    /// Lets this user's own node, if it hosts the session, allow this command to start programs.
    private func becomeAllowed() async {
        guard host != nil else { return }
        let asking = Task { [self] in
            while !Task.isCancelled, await !isAllowed() { try? await Task.sleep(for: Self.askEvery) }
        }
        let isStopped = state.with { state in
            state.asking = asking
            return state.isStopped
        }
        if isStopped { asking.cancel() }
        await asking.value
    }

    /// Asks the nodes on this machine. Returns false if each of them refuses, as they do before this node is connected.
    private func isAllowed() async -> Bool {
        await withCheckedContinuation { told in
            // A node that is suspended does not answer for seconds.
            SystemThread(for: "a question to a node") { [session, guest] in
                do throws(Failure) {
                    _ = try guest.directory.attempt(.allow(session.node), of: guest.id)
                    told.resume(returning: true)
                } catch {
                    told.resume(returning: false)
                }
            }.detach()
        }
    }
}

extension GuestLaunch.State {
    /// Takes news of the session. Returns whether the program must end.
    fileprivate mutating func isEnd(_ news: ClientEvent, _ id: SessionID) -> Bool {
        switch news {
        case .ended(let why): return end(why)
        case .session(.peer(let peer)) where peer.mode != .client:
            switch peer.state {
            case .connected: hosts.insert(peer.node)
            case .gone(let parting):
                guard hosts.remove(peer.node) != nil, hosts.isEmpty else { return false }
                let deed = parting == .left ? "left" : "is gone"
                return end("\(peer.displayName) \(deed), and nobody else hosts \(id.name)")
            case .available, .connecting, .suspect: break
            }
            return false
        default: return false
        }
    }

    private mutating func end(_ why: String) -> Bool {
        guard end == nil else { return false }
        end = why
        return true
    }
}
