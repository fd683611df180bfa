import PotluckEngine
import PotluckModel
import PotluckWire

/// A job at one of its coordinators. There may be several at once, until they meet.
struct Lead {
    /// As far as others can know it.
    var epoch: UInt64
    let since: Instant
    /// Somebody heard that it has the job. Before that it may still refuse it.
    var isTaken: Bool
    /// It has told how the job ended.
    var isOver = false
    /// What it last showed of it, and since when that is the same.
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

extension Room {
    /// Who coordinates jobs that have not ended for it, whether others do so, too, or not.
    var jobsUnderWay: [(id: JobID, laptop: Laptop, lead: Lead)] {
        wishes.jobs.filter { !byzantine.foreign.contains($0) }.flatMap { id in
            laptops.compactMap { laptop in
                guard laptop.forger == nil, let lead = laptop.leads[id], !lead.isOver, laptop.isRunning,
                    !laptop.hasEnded
                else { return nil }
                return (id, laptop, lead)
            }
        }
    }

    /// Of all who coordinate a job the one that is meant.
    func leader(of id: JobID) -> Laptop? {
        let all = jobsUnderWay.filter { $0.id == id }
        return all.max { ($0.lead.epoch, $0.laptop.node) < ($1.lead.epoch, $1.laptop.node) }?.laptop
    }

    // MARK: Who says that it coordinates a job

    func checkLead(_ laptop: Laptop, _ event: Event, _ effect: Effect) {
        switch effect {
        case .prepare(let id, _): takes(laptop, id, event)
        case .record(let changes): for case .accepted(let record) in changes { leads(laptop, record.id, record.epoch) }
        case .session(.send(_, .job(.job(let id, _, let epoch, _)), _)): leads(laptop, id, epoch)
        // One without a disk does not start again, so it took over from the coordinator it had.
        case .news(.goesOn(let id, laptop.node, _)) where laptop.disk == nil:
            leads(laptop, id, (laptop.heard[id, default: 0] >> 16 + 1) << 16)
        case .answer(.taken(let id), let token), .session(.send(_, .job(.taken(let id, let token)), _)):
            promises(laptop, id, token)
        case .publish(let snapshot): shows(laptop, snapshot)
        case .forget(let id): lets(laptop, go: id, event)
        default: break
        }
    }

    /// The first node that gets a job ready is the one that was asked to take it.
    private func takes(_ laptop: Laptop, _ id: JobID, _ event: Event) {
        guard wishes.known[id] == nil, !byzantine.foreign.contains(id) else { return }
        switch event {
        case .wanted(.order, _): break
        case .session(.received(let link, .job(.order))):
            // One that nobody honest has ordered came from a member that may be gone by now.
            let sender = laptop.links[link]?.peer(of: laptop, link, in: self)
            guard pendingOrders[id] == nil || sender?.forger != nil else { break }
            seize(id)
            laptop.leads[id] = Lead(epoch: 0, isTaken: false, now: now)
            return
        // Nobody took it: a Byzantine member invented it.
        default: return seize(id)
        }
        var job = KnownJob(id: id)
        if let (order, ticket, seat, start) = pendingOrders.removeValue(forKey: id) {
            (job.order, job.ticket, job.submitter, job.submitterStart) = (order, ticket, seat, start)
        }
        wishes.known[id] = job
        wishes.jobs.append(id)
        laptop.leads[id] = Lead(epoch: 0, isTaken: false, now: now)
    }

    private func leads(_ laptop: Laptop, _ id: JobID, _ epoch: UInt64) {
        if laptop.leads[id] != nil {
            laptop.leads[id]?.epoch = epoch
            laptop.leads[id]?.isTaken = true
            return
        }
        // Whoever knows how it ended tells it once more.
        guard wishes.known[id] != nil, laptop.endings[id] == nil else { return }
        note("\(laptop.name) goes on with \(id)")
        laws.tally.leads += 1
        laptop.leads[id] = Lead(epoch: epoch, isTaken: true, now: now)
        // Who lied to the coordinator before need not be found out by this one.
        if laptops.contains(where: { $0.lies[id] != nil }) { laws.lostLies.insert(id) }
    }

    private func promises(_ laptop: Laptop, _ id: JobID, _ token: UInt64) {
        let index = Int(truncatingIfNeeded: token &- 1)
        if wishes.wishes.indices.contains(index), case .command(.cancel, id, _) = wishes.wishes[index].request,
            laptop.leads[id] != nil
        {
            laptop.disk?.stopped.insert(id)
            // Sometimes it crashes just then.
            if absurdity.fraction() < 0.3 {
                let (seat, start) = (laptop.seat, laptop.start)
                at(now + .milliseconds(Int64(absurdity.next(below: 150)))) { room in
                    guard room.laptops[seat].start == start, room.now < .start + Schedule.war else { return }
                    room.crash(seat, powerFails: false)
                }
            }
        }
        // What was wanted of a job may be confirmed after its end.
        guard let lead = laptop.leads[id], !lead.isOver else { return }
        laptop.leads[id]?.isTaken = true
        laptop.disk?.promised.insert(id)
    }

    private func shows(_ laptop: Laptop, _ snapshot: JobSnapshot) {
        guard var lead = laptop.leads[snapshot.id] else { return }
        if snapshot.state == .paused, !byzantine.foreign.contains(snapshot.id),
            wishes.known[snapshot.id]?.wasPaused == false, !laptop.cannotWrite
        {
            fail(.rest, "nobody paused \(snapshot.id), and \(laptop.name) shows it as paused")
        }
        lead.isTaken = true
        if snapshot.trials != lead.trials || snapshot.state != lead.state {
            (lead.trials, lead.state, lead.changedAt, lead.spec) = (snapshot.trials, snapshot.state, now, snapshot.spec)
        }
        laptop.leads[snapshot.id] = lead
    }

    /// It refuses a job whose module did not come, or steps down for another. Else the job has ended, and it will say how.
    private func lets(_ laptop: Laptop, go id: JobID, _ event: Event) {
        guard let lead = laptop.leads[id], !lead.isOver else { return }
        if !lead.isTaken {
            laptop.leads[id] = nil
            wishes.known[id] = nil
            wishes.jobs.removeAll { $0 == id }
        } else if case .session(.received(_, .job(.job(id, _, _, _)))) = event {
            note("\(laptop.name) steps down from \(id)")
            laptop.leads[id] = nil
        }
    }
}
