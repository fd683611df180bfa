import Potluck
import PotluckCore
import PotluckScreen

/// Records the jobs that a node took part in: in the history, and in the terminal when it leaves.
extension SessionController {
    /// How many recorded jobs may still get their exact answers: more than a coordinator shows of the jobs that have
    /// ended.
    private static let mostHidden = 1024

    /// Tells the user after a while that the order has no answer yet. The server prepares the simulation first.
    func tellIfSlow() {
        Task { [weak self] in
            try? await Task.sleep(for: LocalSocket.patience)
            guard let self, state.with({ $0.ownJob == .asking }) else { return }
            let line = GuestSession.preparing(in: id)
            state.with { $0.scene.add(.init(line)) }
            if !hasScreen { try? say(line) }
        }
    }

    /// Records the result in the history if this node coordinated the job, computed a part of it, or submitted it. A
    /// guest records it without the exact answers while they are hidden, and adds them when the host shows them.
    func keep(_ job: JobID, isOurs: Bool = false) {
        let (outcome, isOrdered, isHost) = state.with {
            ($0.board.outcome(job), $0.own[job] != nil, $0.scene.mode != .client)
        }
        guard let outcome, isOurs || isOrdered || share(of: outcome) != nil else { return }
        if outcome.result.hidesExact, !isHost {
            state.with { $0.hidden = ($0.hidden + [(job, outcome.digest)]).suffix(Self.mostHidden) }
        }
        recorder.record(
            isHost ? outcome : outcome.shown, inputs: task.job?.inputs(of: outcome.result) ?? [],
            note: share(of: outcome)
        ) { [weak self] line in self?.complain(line) }
    }

    /// Adds the exact answers to the record of a job that was written without them.
    func complete(_ snapshot: JobSnapshot) {
        let digest = state.with { state -> String? in
            let index = state.hidden.firstIndex { $0.job == snapshot.id }
            return index.map { state.hidden.remove(at: $0).digest }
        }
        guard let digest else { return }
        recorder.complete(snapshot, digest: digest) { [weak self] line in self?.complain(line) }
    }

    /// Returns `ana computed 12.0 % of the trials` or the like; nil if this node computed nothing.
    func share(of outcome: ClusterPicture.Outcome) -> String? {
        ShareView.words(
            outcome.result.nodes, own: session.node, outcome.result.spec.unit)
    }

    /// Keeps the approvals, so that these nodes return to a restarted server without a question.
    func keep(approved nodes: [NodeID]) {
        guard var served else { return }
        served.approved = nodes
        do throws(Failure) {
            try directory.keep(served)
        } catch {
            complain("\(error.message); if the server restarts, approve its nodes again")
        }
    }

    /// Follows the best solution of a search, and finds that of its result.
    func followSolution(_ event: JobEvent) {
        switch event {
        case .snapshot(let snapshot) where snapshot.spec.isSearch:
            solutions.follow(
                snapshot, session.search(of: snapshot.id), isShown: hasScreen || isJSON || page != nil || !feeds.isEmpty
            )
        case .finished(let id, let result, _): if hasScreen { solutions.find(result, id) }
        case .failed(let id, _), .lost(let id): solutions.forget(id)
        case .snapshot, .news: break
        }
    }

    /// The best solution that a line about this event shows; nil if it is not about a search.
    func solution(for event: Session.Event) -> [UInt8]? {
        switch event {
        case .job(.snapshot(let snapshot)): solutions.latest(of: snapshot.id)
        case .job(.finished(let id, let result, _)): solutions.octets(of: result, id)
        default: nil
        }
    }

    /// Hides the exact answers of a new job on every screen, if the host of the session wants that for all jobs.
    func hideIfAsked(_ event: JobEvent, _ state: State) {
        guard case .snapshot(let snapshot) = event, task.hidesExact, state.scene.mode != .client,
            !snapshot.hidesExact, state.board.snapshot(snapshot.id) == nil
        else { return }
        Task { [session] in try? await session.command(.hide, snapshot.id) }
    }

    /// Prints the result of a job, and how much this node computed.
    func show(_ job: JobID) throws {
        guard let outcome = state.with({ $0.board.outcome(job) }) else { return }
        try ResultOutput.show(
            outcome.result.shown, digest: outcome.digest, solution: solutions.octets(of: outcome.result, job))
        if let share = share(of: outcome) { try say(share) }
    }

    /// Leaves the last result in the terminal, or the last tally of a job that is not over, so that it does not vanish
    /// with the screen.
    func showLast() throws {
        guard !isJSON else { return }
        let board = state.with(\.board)
        let outcome: ClusterPicture.Outcome? = board.outcomes.last
        let open = board.jobs.last { !$0.state.isOver && $0.trials > 0 }
        if hasScreen, let outcome { try show(outcome.id) }
        guard let open else { return }
        let canvas = Terminal.canvas(of: task.stdout)
        try Output.write(canvas.text(ShareView.lines(open.shown, own: session.node, on: canvas)), to: task.stdout)
    }
}
