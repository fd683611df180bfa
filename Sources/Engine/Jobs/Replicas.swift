import PotluckModel
import PotluckWire

/// The jobs of others that this node could go on with, as their coordinators told it, and when it does.
struct Replicas: Sendable {
    private struct Source: Sendable {
        var coordinator: NodeID
        /// When it was told of the job. What its order says of time is of then.
        let heardAt: Instant
        /// Its link was lost then, and nobody else has gone on with the job.
        var lostAt: Instant?
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
        JobLimits.mourning + JobLimits.mourning * Double(own.octets[0]) / 256
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

    /// That node says that it coordinates it. Where it is the one that is meant, and what we have is of the ledger of another,
    /// it tells us its own if we are to know it.
    mutating func coordinated(_ id: JobID, by node: NodeID, epoch: UInt64) {
        guard let source = sources[id], let record = kept.jobs[id]?.record else { return }
        if source.coordinator == node {
            sources.change(id) { $0.lostAt = nil }
        } else if (epoch, node) > (record.epoch, source.coordinator) {
            forget(id)
        }
    }

    // MARK: Links

    mutating func lost(_ node: NodeID, now: Instant) {
        for id in sources.keys where sources[id]?.coordinator == node {
            sources.change(id) { $0.lostAt = $0.lostAt ?? now }
        }
    }

    mutating func back(_ node: NodeID) {
        for id in sources.keys where sources[id]?.coordinator == node { sources.change(id) { $0.lostAt = nil } }
    }

    /// This laptop slept: all links are broken, and all that is known is old. The others have a while to be heard.
    mutating func slept(_ now: Instant) { restedUntil = now + JobLimits.awakening }

    // MARK: Taking over

    var wakeTime: Instant? {
        let times = sources.elements.compactMap { $0.value.isAutomatic ? $0.value.lostAt.map { $0 + patience } : nil }
        return times.min().map { max($0, restedUntil) }
    }

    /// The jobs whose coordinator has been away for long enough.
    func due(_ now: Instant) -> [JobID] {
        guard now >= restedUntil else { return [] }
        return sources.elements.filter { element in
            element.value.isAutomatic && element.value.lostAt.map { $0 + patience <= now } ?? false
        }.map(\.key)
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
        return job
    }
}
