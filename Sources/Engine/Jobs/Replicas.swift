import PotluckCore

/// The replicas that this node holds: jobs of other coordinators that it could continue, and when it takes them over.
///
/// Coordinators keep replicas up to date with `JobMessage.replica`. The engine takes a job over when it is due, or when
/// the user asks for it.
struct Replicas: Sendable {
    private struct Source: Sendable {
        var coordinator: NodeID
        /// When this node first heard of the job. Times in the job's order are relative to this.
        let heardAt: Instant
        /// When the coordinator's link was lost, or when another node claimed the job although this node knows more of
        /// it. Nil while neither is the case.
        var lostAt: Instant?
        /// The epoch of that other node's claim; 0 if there is none.
        var rival: UInt64 = 0
        /// Whether the coordinator's link was lost since it last sent the whole job. Other holders may know more then.
        var isStale = false
        /// Whether this node takes the job over without being asked to.
        var isAutomatic: Bool
    }

    private let own: NodeID
    private var kept = KeptJobs()
    private var sources = OrderedTable<JobID, Source>()
    /// No job is taken over before this time.
    private var restedUntil = Instant.start

    init(own: NodeID) { self.own = own }

    /// The time to wait for a lost coordinator. It depends on the node ID, so that two holders rarely wait equally
    /// long.
    private var patience: Duration {
        JobLimits.takeoverDelay + JobLimits.takeoverDelay * Double(own.octets[0]) / 256
    }

    /// Applies changes that a coordinator sent of its job. A replica begins with `accepted`. `isAutomatic` is true if
    /// the coordinator is a peer; in a served session only the user can start a take-over.
    mutating func apply(
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

    /// Drops the replica of a job.
    mutating func forget(_ id: JobID) {
        guard sources[id] != nil else { return }
        sources[id] = nil
        kept.apply(.forgotten(id))
    }

    /// A node announces that it coordinates a job. `known` is the number of blocks that it knows to be done.
    ///
    /// If the replica came from that node, the node has returned and the replica stays. If a different node announces
    /// the job in a higher epoch and knows enough of it, the replica is forgotten, because that node sends its own. If
    /// it knows too little, a node with a better ledger has a moment to claim the job; then this node takes the job
    /// over.
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

    /// A node's link is lost. The wait begins for the jobs that it coordinates.
    mutating func lost(_ node: NodeID, now: Instant) {
        for id in sources.keys where sources[id]?.coordinator == node {
            sources.change(id) { $0.lostAt = $0.lostAt ?? now }
        }
    }

    /// A node has reconnected and is expected to continue its jobs. Their replicas are stale until it sends the whole
    /// jobs.
    mutating func back(_ node: NodeID) {
        for id in sources.keys where sources[id]?.coordinator == node {
            sources.change(id) { source in
                source.isStale = true
                if source.rival == 0 { source.lostAt = nil }
            }
        }
    }

    /// This laptop slept, so its links are broken and what it knows is old. It takes over nothing until it has had time
    /// to reconnect.
    mutating func slept(_ now: Instant) { restedUntil = now + JobLimits.awakening }

    // MARK: Taking over

    /// When the next job is due; nil if none will be.
    var wakeTime: Instant? {
        let times = sources.elements.compactMap { dueTime($0.value) }
        return times.min().map { max($0, restedUntil) }
    }

    /// Returns the jobs to take over now.
    func due(_ now: Instant) -> [JobID] {
        guard now >= restedUntil else { return [] }
        return sources.elements.filter { element in
            dueTime(element.value).map { $0 <= now } ?? false
        }.map(\.key)
    }

    /// Returns when a job is taken over; nil while its coordinator is connected, or if the user has to ask for it.
    private func dueTime(_ source: Source) -> Instant? {
        guard source.isAutomatic, let lostAt = source.lostAt else { return nil }
        return lostAt + patience + (source.isStale ? JobLimits.staleness : .zero)
    }

    /// Starts the wait for a coordinator over, because this node may not take the job over now.
    mutating func putOff(_ id: JobID, _ now: Instant) { sources.change(id) { $0.lostAt = now } }

    /// Removes and returns all jobs whose coordinator is lost, because the user asks for a take-over.
    mutating func takeAllLost(_ now: Instant) -> [KeptJob] {
        sources.elements.compactMap { $0.value.lostAt == nil ? nil : take($0.key, now: now) }
    }

    /// Removes the replica of a job and returns it, with its times and epoch brought up to date.
    mutating func take(_ id: JobID, now: Instant) -> KeptJob? {
        defer { forget(id) }
        guard let source = sources[id], var job = kept.jobs[id] else { return nil }
        job.record = job.record.after(now - source.heardAt)
        job.record.epoch = max(job.record.epoch, source.rival)
        return job
    }
}
