import PotluckCore
import PotluckEngine

/// A job at one of its coordinators. A job may have several coordinators until they meet.
struct Lead {
    /// The epoch, as far as other nodes can know it.
    var epoch: UInt64
    let since: Instant
    /// Whether any node was told that the coordinator has taken the job. Until then it may still refuse it.
    var isTaken: Bool
    /// Whether it has announced how the job ended.
    var isOver = false
    /// The last published state, and since when it and `trials` are unchanged.
    var state: JobState?
    var spec: JobSpec?
    var trials: UInt64 = 0
    var changedAt: Instant

    init(epoch: UInt64, isTaken: Bool, now: Instant) {
        self.epoch = epoch
        self.isTaken = isTaken
        since = now
        changedAt = now
    }
}

extension SimulatedCluster {
    /// The unfinished jobs with each laptop that coordinates them. A job may have several coordinators or none.
    var jobsUnderWay: [(id: JobID, laptop: Laptop, lead: Lead)] {
        wishes.jobs.filter { !byzantine.foreign.contains($0) }.flatMap { id in
            laptops.compactMap { laptop in
                guard laptop.forger == nil, let lead = laptop.observed.leads[id], !lead.isOver, laptop.isRunning,
                    !laptop.hasEnded
                else { return nil }
                return (id, laptop, lead)
            }
        }
    }

    /// Returns the coordinator of a job; of several, the one with the highest epoch and node ID.
    func leader(of id: JobID) -> Laptop? {
        let all = jobsUnderWay.filter { $0.id == id }
        return all.max { ($0.lead.epoch, $0.laptop.node) < ($1.lead.epoch, $1.laptop.node) }?.laptop
    }

    // MARK: Claims to coordinate a job

    func checkLead(_ laptop: Laptop, _ event: Event, _ effect: Effect) {
        switch effect {
        case .job(.prepare(let id, _)): takes(laptop, id, event)
        case .job(.record(let changes)):
            for case .accepted(let record) in changes { leads(laptop, record.id, record.epoch) }
        case .session(.send(_, .job(.job(let id, _, let epoch, _)), _)): leads(laptop, id, epoch)
        // A node without a disk does not resume jobs, so it took over from another coordinator.
        case .tell(.news(.continues(let id, laptop.node, _))) where laptop.disk == nil:
            leads(laptop, id, (laptop.observed.heard[id, default: 0] >> 16 + 1) << 16)
        case .answer(.taken(let id), let token), .session(.send(_, .job(.taken(let id, let token)), _)):
            promises(laptop, id, token)
        case .tell(.snapshot(let snapshot)): shows(laptop, snapshot)
        // An order that is cancelled while it is being prepared ends before the command is confirmed.
        case .tell(.failed(let id, _)): laptop.observed.leads[id]?.isOver = true
        case .job(.forget(let id)), .job(.stepDown(let id)): givesUp(laptop, id, event)
        default: break
        }
    }

    /// Records the first node that prepares a job: it is the one that was asked to take it.
    private func takes(_ laptop: Laptop, _ id: JobID, _ event: Event) {
        guard wishes.known[id] == nil, !byzantine.foreign.contains(id) else { return }
        switch event {
        case .wanted(.order, _): break
        case .session(.received(let link, .job(.order))):
            // If no honest node has ordered the job, it came from a Byzantine member that may be gone by now.
            let sender = laptop.network.links[link]?.peer(of: laptop, link, in: self)
            guard pendingOrders[id] == nil || sender?.forger != nil else { break }
            seize(id)
            laptop.observed.leads[id] = Lead(epoch: 0, isTaken: false, now: now)
            return
        // No node took the job: a Byzantine member invented it.
        default: return seize(id)
        }
        var job = KnownJob(id: id)
        if let (order, ticket, seat, start) = pendingOrders.removeValue(forKey: id) {
            (job.order, job.ticket, job.submitter, job.submitterStart) = (order, ticket, seat, start)
        }
        wishes.known[id] = job
        wishes.jobs.append(id)
        laptop.observed.leads[id] = Lead(epoch: 0, isTaken: false, now: now)
        disturbOnTheWay(laptop)
    }

    private func leads(_ laptop: Laptop, _ id: JobID, _ epoch: UInt64) {
        if laptop.observed.leads[id] != nil {
            laptop.observed.leads[id]?.epoch = epoch
            laptop.observed.leads[id]?.isTaken = true
            return
        }
        // A node that knows how the job ended announces that again.
        guard wishes.known[id] != nil, laptop.observed.endings[id] == nil else { return }
        note("\(laptop.name) continues \(id)")
        laws.tally.leads += 1
        laptop.observed.leads[id] = Lead(epoch: epoch, isTaken: true, now: now)
        disturbOnTheWay(laptop)
        // The new coordinator does not know whom the previous one has caught, and takes their results again. It need not
        // expose nodes that lied to the previous one.
        laws.caught[id] = nil
        if laptops.contains(where: { $0.observed.lies[id] != nil }) { laws.lostLies.insert(id) }
    }

    private func promises(_ laptop: Laptop, _ id: JobID, _ token: UInt64) {
        let index = Int(truncatingIfNeeded: token &- 1)
        if wishes.wishes.indices.contains(index), case .command(.cancel, id, _) = wishes.wishes[index].request,
            laptop.observed.leads[id] != nil
        {
            laptop.disk?.stopped.insert(id)
            // Sometimes the coordinator crashes right after the confirmation.
            if absurdity.fraction() < 0.3 {
                let (seat, start) = (laptop.seat, laptop.start)
                at(now + .milliseconds(Int64(absurdity.next(below: 150)))) { room in
                    guard room.laptops[seat].start == start, room.now < .start + room.wishes.war else { return }
                    room.crash(seat, powerFails: false)
                }
            }
        }
        // A request may be confirmed after the job has ended.
        guard let lead = laptop.observed.leads[id], !lead.isOver else { return }
        laptop.observed.leads[id]?.isTaken = true
        laptop.disk?.promised.insert(id)
    }

    private func shows(_ laptop: Laptop, _ snapshot: JobSnapshot) {
        guard var lead = laptop.observed.leads[snapshot.id] else { return }
        if snapshot.state == .paused, !byzantine.foreign.contains(snapshot.id),
            wishes.known[snapshot.id]?.wasPaused == false, !laptop.observed.cannotWrite
        {
            fail(.rest, "\(laptop.name) shows \(snapshot.id) as paused, but no user paused it")
        }
        lead.isTaken = true
        if snapshot.trials != lead.trials || snapshot.state != lead.state {
            (lead.trials, lead.state, lead.changedAt, lead.spec) = (snapshot.trials, snapshot.state, now, snapshot.spec)
        }
        laptop.observed.leads[snapshot.id] = lead
    }

    /// Handles a coordinator that forgets an unfinished job: it refuses a job whose module did not arrive, or steps
    /// down for another coordinator. Otherwise the job has ended, and the coordinator is about to say how.
    private func givesUp(_ laptop: Laptop, _ id: JobID, _ event: Event) {
        guard let lead = laptop.observed.leads[id], !lead.isOver else { return }
        if !lead.isTaken {
            laptop.observed.leads[id] = nil
            wishes.known[id] = nil
            wishes.jobs.removeAll { $0 == id }
        } else if case .session(.received(_, .job(.job(id, _, _, _)))) = event {
            note("\(laptop.name) steps down from \(id)")
            laptop.observed.leads[id] = nil
            laptop.screen.forget(id)
            disturbOnTheWay(laptop)
        }
    }
}
