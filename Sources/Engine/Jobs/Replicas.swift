import PotluckModel
import PotluckWire

/// The jobs of others that this node could go on with, as their coordinators told it, and when it does.
struct Replicas: Sendable {
    private struct Source: Sendable {
        var coordinator: NodeID
        /// When it was told of the job. What its order says of time is of then.
        let heardAt: Instant
        /// Its link was lost then, or somebody claimed the job who knows less of it than this node does.
        var lostAt: Instant?
        /// The epoch of that claim.
        var rival: UInt64 = 0
        /// Its link was lost since all of it was told: others may know more.
        var isStale = false
        /// Nobody has to ask for it.
        var isAutomatic: Bool
    }

    private let own: NodeID
    private var kept = KeptJobs()
    private var sources = OrderedTable<JobID, Source>()
    /// Nothing is taken over before.
    private var restedUntil = Instant.start

    init(own: NodeID) { self.own = own }

    /// Two holders rarely wait for equally long.
    private var patience: Duration {
        JobLimits.takeoverDelay + JobLimits.takeoverDelay * Double(own.octets[0]) / 256
    }

    /// What a coordinator says of its job. `isAutomatic` where it is a peer, like everybody there.
    mutating func take(
        _ id: JobID, _ changes: [JournalChange], from node: NodeID, isAutomatic: Bool, now: Instant
    ) {
        if sources[id] == nil {
            guard sources.count < JobLimits.replicaJobs, case .accepted? = changes.first else { return }
            sources[id] = Source(coordinator: node, heardAt: now, isAutomatic: isAutomatic)
        }
        guard sources[id]?.coordinator == node else { return }
        if case .accepted? = changes.first { sources.change(id) { $0.isStale = false } }
        for change in changes { kept.apply(change) }
        let isTooLarge = kept.jobs[id].map { job in
            job.pieces.count > JobLimits.replicaPieces || job.checkpoints.count > Checkpoint.last
                || job.slots > JobLimits.replicaSlots
        }
        if isTooLarge ?? true { forget(id) }
    }

    mutating func forget(_ id: JobID) {
        guard sources[id] != nil else { return }
        sources[id] = nil
        kept.apply(.forgotten(id))
    }

    /// That node says that it coordinates it, and how much of it is done. Where it is the one that is meant, and what we have is of the
    /// ledger of another, it tells us its own if we are to know it. Where it knows less than we do, that other one has a moment to say
    /// so, and then we go on with it.
    mutating func coordinated(_ id: JobID, by node: NodeID, epoch: UInt64, known: UInt64, now: Instant) {
        guard let source = sources[id], let job = kept.jobs[id] else { return }
        if source.coordinator == node {
            guard epoch >= source.rival else { return }
            sources.change(id) { ($0.lostAt, $0.rival) = (nil, 0) }
        } else if (epoch, node) > (max(job.record.epoch, source.rival), source.coordinator) {
            guard source.isAutomatic, job.knowledge.outweighs(known) else { return forget(id) }
            sources.change(id) { ($0.lostAt, $0.rival) = (now, epoch) }
        }
    }

    // MARK: Links

    mutating func lost(_ node: NodeID, now: Instant) {
        for id in sources.keys where sources[id]?.coordinator == node {
            sources.change(id) { $0.lostAt = $0.lostAt ?? now }
        }
    }

    mutating func back(_ node: NodeID) {
        for id in sources.keys where sources[id]?.coordinator == node {
            sources.change(id) { source in
                source.isStale = true
                if source.rival == 0 { source.lostAt = nil }
            }
        }
    }

    /// This laptop slept: all links are broken, and all that is known is old. The others have a while to be heard.
    mutating func slept(_ now: Instant) { restedUntil = now + JobLimits.awakening }

    // MARK: Taking over

    var wakeTime: Instant? {
        let times = sources.elements.compactMap { dueTime($0.value) }
        return times.min().map { max($0, restedUntil) }
    }

    /// The jobs whose coordinator has been away for long enough.
    func due(_ now: Instant) -> [JobID] {
        guard now >= restedUntil else { return [] }
        return sources.elements.filter { element in
            dueTime(element.value).map { $0 <= now } ?? false
        }.map(\.key)
    }

    private func dueTime(_ source: Source) -> Instant? {
        guard source.isAutomatic, let lostAt = source.lostAt else { return nil }
        return lostAt + patience + (source.isStale ? JobLimits.staleness : .zero)
    }

    /// This is not the time to take it over.
    mutating func putOff(_ id: JobID, _ now: Instant) { sources.change(id) { $0.lostAt = now } }

    /// Somebody decided that their coordinator is gone.
    mutating func takeAllLost(_ now: Instant) -> [KeptJob] {
        sources.elements.compactMap { $0.value.lostAt == nil ? nil : take($0.key, now: now) }
    }

    mutating func take(_ id: JobID, now: Instant) -> KeptJob? {
        defer { forget(id) }
        guard let source = sources[id], var job = kept.jobs[id] else { return nil }
        job.record = job.record.after(now - source.heardAt)
        job.record.epoch = max(job.record.epoch, source.rival)
        return job
    }
}
