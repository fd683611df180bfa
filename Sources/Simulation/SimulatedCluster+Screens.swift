import PotluckCore
import PotluckEngine
import PotluckScreen

/// The notes of the laws about screens.
struct ScreenLaws {
    /// The time within which screens show a coordinator's picture, while nothing disturbs the two nodes and their link.
    static let patience = Duration.seconds(2)
    /// The same for numbers: pictures go to others about once a second, and one in fifty is lost.
    static let numbers = Duration.seconds(5)
    /// The time that a job may have no coordinator until no screen shows it as computed: links fall silent first.
    static let leaderless = Duration.seconds(10)
    /// How often screens are looked at.
    static let pause = Duration.milliseconds(500)

    /// How a job ended, according to one that coordinated it.
    struct End {
        let seat: Seat
        let start: Int
        let at: Instant
        /// Nil if it failed.
        let digest: String?
    }

    var ends: [JobID: [End]] = [:]
    /// Since when a job has no coordinator.
    var leaderlessSince: [JobID: Instant] = [:]
    var idle = IdleLaw()
}

extension SimulatedCluster {
    /// Shows an event on the laptop's screens.
    func show(_ laptop: Laptop, _ event: JobEvent) {
        guard laptop.forger == nil else { return }
        laptop.screen.show(event, at: laptop.clock.local(now)) { node in
            self.laptops.first { $0.node == node }?.setup.session?.mode == .peer
        }
        switch event {
        case .snapshot(let snapshot) where !laptop.engine.isShown(snapshot.id):
            let isNew = laptop.screen.shown[snapshot.id]?.last.map { $0.state != snapshot.state } ?? true
            laptop.screen.note(snapshot, at: now, since: now + (.zero - ScreenLaws.numbers))
            if isNew { disturb(laptop) }
        case .finished(let id, let result, isOurs: true):
            checkSearched(laptop, id, result)
            end(laptop, id, Screen.digest(result))
        case .failed(let id, _) where laptop.observed.leads[id] != nil && !laptop.engine.isShown(id):
            end(laptop, id, nil)
        default: break
        }
    }

    private func end(_ laptop: Laptop, _ id: JobID, _ digest: String?) {
        laptop.screen.forget(id)
        laws.screens.ends[id, default: []].append(
            ScreenLaws.End(seat: laptop.seat, start: laptop.start, at: now, digest: digest))
        disturb(laptop)
    }

    /// Opens a late viewer beside every node.
    func openViewers() { for laptop in laptops where laptop.isAwake { openViewer(laptop.seat) } }

    func openViewer(_ seat: Seat) {
        let laptop = laptops[seat]
        guard laptop.isAwake, laptop.forger == nil else { return }
        note("a viewer starts beside \(laptop.name)")
        laptop.screen.openViewer(at: laptop.clock.local(now))
    }

    // MARK: Looking

    /// Compares the screens with the knowledge of coordinators, again and again.
    func watchScreens() {
        checkScreens()
        after(ScreenLaws.pause) { $0.watchScreens() }
    }

    func checkScreens() {
        // A member may invent jobs and ends.
        guard byzantine.tempers.isEmpty else { return }
        let leads = Dictionary(grouping: jobsUnderWay, by: \.id)
        noteLeaderless(leads)
        noteIdle()
        for laptop in laptops where isCalm(laptop) {
            let pictures = laptop.screen.pictures
            for picture in pictures { check(laptop, picture, leads) }
            checkLearned(laptop)
            checkFocus(laptop, pictures[0])
        }
        for (id, laptop, lead) in jobsUnderWay where isCalm(laptop) && leads[id]?.count == 1 {
            checkReason(id, laptop)
            checkIdle(id, laptop, lead)
        }
    }

    private func noteLeaderless(_ leads: [JobID: [(id: JobID, laptop: Laptop, lead: Lead)]]) {
        for id in wishes.jobs {
            if leads[id] != nil {
                laws.screens.leaderlessSince[id] = nil
            } else if laws.screens.leaderlessSince[id] == nil {
                laws.screens.leaderlessSince[id] = now
            }
        }
    }

    /// Whether nothing has disturbed the laptop for long enough.
    private func isCalm(_ laptop: Laptop) -> Bool {
        laptop.isAwake && laptop.forger == nil && laptop.faults.haveBeenNone(forMoreThan: ScreenLaws.patience, at: now)
    }

    /// Whether the laptop's screens must show what this node tells: both are calm, and nothing waits on their link.
    private func hears(_ laptop: Laptop, _ other: Laptop) -> Bool {
        guard isCalm(laptop), isCalm(other) else { return false }
        if laptop === other { return true }
        guard laptop.isConnected(to: other.node, for: ScreenLaws.patience, now),
            other.isConnected(to: laptop.node, for: ScreenLaws.patience, now), !path(other.seat, laptop.seat).isCut
        else { return false }
        return laptop.network.links.values.allSatisfy { cable in
            let end = cable.ends.first { $0.seat == laptop.seat }
            return end?.lastArrival.allSatisfy { $0 <= now + .milliseconds(500) } ?? true
        }
    }

    /// Whether the laptop must know the end by now.
    private func hears(_ laptop: Laptop, _ end: ScreenLaws.End) -> Bool {
        let other = laptops[end.seat]
        return other.start == end.start && now - end.at > ScreenLaws.patience && hears(laptop, other)
    }

    /// Whether nobody has coordinated the job for long enough. A screen follows the latest coordinator, which may hear last
    /// that another one has ended the job.
    private func hasBeenLeaderless(_ id: JobID) -> Bool {
        laws.screens.leaderlessSince[id].map { now - $0 > ScreenLaws.patience } ?? false
    }

    // MARK: The laws

    func check(
        _ laptop: Laptop, _ picture: ClusterPicture, _ leads: [JobID: [(id: JobID, laptop: Laptop, lead: Lead)]]
    ) {
        if Set(picture.jobs.map(\.id)).count < picture.jobs.count
            || Set(picture.outcomes.map(\.id)).count < picture.outcomes.count
        {
            fail(.shown, "a screen of \(laptop.name) shows a job twice")
        }
        for snapshot in picture.jobs where !snapshot.state.isOver && picture.awaited[snapshot.id] == nil {
            checkOpen(laptop, snapshot, hasCoordinator: leads[snapshot.id] != nil)
        }
        for (id, all) in leads {
            guard all.count == 1, let (_, leader, lead) = all.first, lead.isTaken,
                now - lead.since > ScreenLaws.patience, hears(laptop, leader)
            else { continue }
            // A node that heard the end knows more than one that continues the job.
            if laptop.observed.endings[id] == nil { checkShown(laptop, picture, id, leader) }
        }
        for outcome in picture.outcomes {
            // A node that was killed may have told another result before.
            guard let ends = laws.screens.ends[outcome.id], !ends.contains(where: { $0.digest == outcome.digest }),
                ends.allSatisfy({ laptops[$0.seat].start == $0.start })
            else { continue }
            fail(.shown, "a screen of \(laptop.name) shows another result of \(outcome.id) than its coordinator")
        }
    }

    /// Checks a job that a screen shows as computed or waiting.
    private func checkOpen(_ laptop: Laptop, _ snapshot: JobSnapshot, hasCoordinator: Bool) {
        guard !hasCoordinator, let since = laws.screens.leaderlessSince[snapshot.id] else { return }
        let ends = laws.screens.ends[snapshot.id] ?? []
        if hasBeenLeaderless(snapshot.id), ends.contains(where: { hears(laptop, $0) }) {
            fail(.shown, "a screen of \(laptop.name) shows \(snapshot.id) as \(snapshot.state), but it is over")
        } else if now - since > ScreenLaws.leaderless,
            laptop.faults.haveBeenNone(forMoreThan: ScreenLaws.leaderless, at: now)
        {
            fail(.shown, "a screen of \(laptop.name) shows \(snapshot.id) as \(snapshot.state), but no node has it")
        }
    }

    /// Compares the picture of a job on a screen with the pictures that its coordinator has shown lately.
    private func checkShown(_ laptop: Laptop, _ picture: ClusterPicture, _ id: JobID, _ leader: Laptop) {
        guard let shown = leader.screen.shown[id], let first = shown.first,
            now - first.at > ScreenLaws.patience, leader.observed.endings[id] == nil,
            // The result is told once it is on the disk.
            shown.last?.state.isOver == false
        else { return }
        guard let snapshot = picture.jobs.first(where: { $0.id == id }), picture.awaited[id] == nil,
            picture.outcomes.allSatisfy({ $0.id != id })
        else {
            return fail(.shown, "a screen of \(laptop.name) does not show \(id), which \(leader.name) has")
        }
        let since = now + (.zero - ScreenLaws.patience)
        let recent = shown[(shown.lastIndex { $0.at <= since } ?? 0)...]
        if !recent.contains(where: { $0.state.isLike(snapshot.state) }) {
            fail(
                .shown,
                "a screen of \(laptop.name) shows \(id) as \(snapshot.state), but at \(leader.name) it is \(recent.map(\.state))"
            )
        }
        let least = shown.map(\.trials).min() ?? 0
        if snapshot.trials < least, now - first.at > ScreenLaws.numbers {
            fail(
                .shown,
                "a screen of \(laptop.name) shows \(snapshot.trials) trials of \(id), but \(leader.name) has \(least)")
        }
    }

    /// Checks that a connected node has learned the end of every job that it showed.
    private func checkLearned(_ laptop: Laptop) {
        for id in laptop.screen.open {
            guard let ends = laws.screens.ends[id], hasBeenLeaderless(id),
                ends.contains(where: { hears(laptop, $0) })
            else { continue }
            fail(.learned, "\(laptop.name) has shown \(id) and is connected to its coordinator, but not told its end")
        }
    }

    /// Checks that a screen without open jobs shows the one that ended last.
    func checkFocus(_ laptop: Laptop, _ picture: ClusterPicture) {
        guard picture.jobs.allSatisfy(\.state.isOver), let last = laptop.screen.lastEnd,
            picture.jobs.contains(where: { $0.id == last }) || picture.outcomes.contains(where: { $0.id == last })
        else { return }
        let focus = picture.focus(nil).job
        guard focus != last else { return }
        fail(
            .shown,
            "the screen of \(laptop.name) shows \(focus.map { "\($0)" } ?? "no job"), but \(last) ended last")
    }

    /// Checks that a search that was stopped counts all that its coordinator has shown as searched.
    private func checkSearched(_ laptop: Laptop, _ id: JobID, _ result: JobResult) {
        // What a liar searched is taken out. A coordinator that was cut off and continued the search all the same takes the
        // result that users were told before.
        guard result.spec.isSearch, result.completion != .trials, laws.caught[id]?.isEmpty != false,
            laws.screens.ends[id] == nil,
            byzantine.tempers.isEmpty, let last = laptop.screen.shown[id]?.last(where: { !$0.state.isOver }),
            result.trials < last.trials
        else { return }
        fail(
            .searched,
            "\(id) ended with \(result.trials) points at \(laptop.name); screens showed \(last.trials) points")
    }

    /// Checks that a job which waits says why.
    private func checkReason(_ id: JobID, _ laptop: Laptop) {
        let since = now + (.zero - ScreenLaws.patience)
        guard let shown = laptop.screen.shown[id], let first = shown.first, first.at <= since,
            !laptop.observed.cannotWrite
        else { return }
        let recent = shown[(shown.lastIndex { $0.at <= since } ?? 0)...]
        let waits = recent.compactMap { shown in if case .waiting(let wait) = shown.state { wait } else { nil } }
        guard waits.count == recent.count else { return }
        if waits.allSatisfy({ $0 == .simulation }) {
            return fail(.reason, "\(id) waits at \(laptop.name) and does not say for what")
        }
        // The jobs that a coordinator left continue in another order.
        let submitter = wishes.known[id].map { ($0.submitter, $0.submitterStart) }
        let others = wishes.jobs.contains { other in
            guard other != id, laptop.observed.leads[other]?.isOver == false, let job = wishes.known[other],
                let submitter
            else {
                return false
            }
            return job.submitter == nil || (job.submitter, job.submitterStart) == submitter
        }
        // Its user may not know of a job whose order was not confirmed before a crash. After a crash, a job that has ended may
        // be computed again for nodes that were away.
        let isNamed = waits.contains { wait in
            guard case .line(_, let ahead?) = wait else { return false }
            return wishes.known[ahead.id] == nil || laptop.observed.endings[ahead.id] != nil
        }
        if waits.allSatisfy(\.isInLine), !others, !isNamed {
            fail(.reason, "\(id) waits at \(laptop.name) behind other jobs, but there are none")
        }
    }
}

extension JobState {
    /// Whether the job waits behind others of its submitter.
    fileprivate var isInLine: Bool { if case .waiting(let wait) = self { wait.isInLine } else { false } }

    /// Whether a screen that shows this state is right while the job is in the other one.
    fileprivate func isLike(_ other: JobState) -> Bool {
        switch (self, other) {
        // The time until the start is told once, and counted down.
        case (.waiting(.start), .waiting(.start)): true
        default: self == other
        }
    }
}

extension JobWait {
    fileprivate var isInLine: Bool { if case .line = self { true } else { false } }
}
