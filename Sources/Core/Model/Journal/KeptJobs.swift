/// The recorded progress of a job, as a journal returns it.
public struct KeptJob: Hashable, Sendable {
    public var record: JobRecord
    public internal(set) var standing = JobStanding.running
    public internal(set) var settled = SettledTally(blocks: 0, tally: [])
    /// The pieces after the settled blocks, in order and without overlaps.
    public internal(set) var pieces: [BlockTally] = []
    /// The tallies at the checkpoints that were passed, in order.
    public internal(set) var checkpoints: [SettledTally] = []
    /// The block at which the job ends; nil until the stop rule was judged.
    public internal(set) var end: UInt64?
    /// How long the job has been computed so far.
    public internal(set) var ran = Duration.zero
    /// The trials of each node, about a second ago.
    public internal(set) var credits: [Credit] = []

    public init(_ record: JobRecord) { self.record = record }

    /// Creates a job from a source that may be wrong. Returns nil if no sequence of changes could have produced it.
    public init?(
        _ record: JobRecord, standing: JobStanding, settled: SettledTally, pieces: [BlockTally],
        checkpoints: [SettledTally], end: UInt64?, ran: Duration, credits: [Credit] = []
    ) {
        self.record = record
        self.standing = standing
        self.settled = settled
        self.pieces = pieces
        self.checkpoints = checkpoints
        self.end = end
        self.ran = ran
        self.credits = credits
        guard isSound else { return nil }
    }

    /// The time of a job of which only its beginning is kept.
    public static let leastTime: Duration = .nanoseconds(1)

    /// The job as it was ordered, with its standing, its end and whether it has begun.
    public var withoutProgress: KeptJob {
        var job = KeptJob(record)
        (job.standing, job.end, job.ran) = (standing, end, min(ran, Self.leastTime))
        return job
    }

    /// The changes that recreate the job in an empty journal.
    public var changes: [JournalChange] {
        let id = record.id
        var changes: [JournalChange] = [.accepted(record), .rewritten(id, settled), .ran(id, ran)]
        changes += checkpoints.map { .passed(id, $0) }
        changes += pieces.map { .done(id, $0) }
        if !credits.isEmpty { changes.append(.credited(id, credits)) }
        if let end { changes.append(.judged(id, end: end)) }
        if standing != .running { changes.append(.stands(id, standing)) }
        return changes
    }

    /// The number of slots in all of its tallies, which take nearly all of its memory.
    public var slots: Int {
        settled.tally.count + checkpoints.reduce(0) { $0 + $1.tally.count } + pieces.reduce(0) { $0 + $1.tally.count }
    }

    private var isSound: Bool {
        var last = settled.blocks
        for piece in pieces {
            guard !piece.blocks.isEmpty, piece.blocks.lowerBound >= last else { return false }
            last = piece.blocks.upperBound
        }
        return zip(checkpoints, checkpoints.dropFirst()).allSatisfy { $0.blocks < $1.blocks }
    }

    /// The index of the first piece that ends after `block`.
    private func place(of block: UInt64) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].blocks.upperBound > block { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Applies a change of this job.
    fileprivate mutating func apply(_ change: JournalChange) {
        guard !standing.isOver else { return }
        switch change {
        case .accepted, .forgotten: break
        case .done(_, let piece): add(piece)
        case .settled(_, let tally): settle(tally)
        case .passed(_, let tally): pass(tally)
        case .rewritten(_, let tally): rewrite(tally)
        case .judged(_, let end): self.end = end
        case .ran(_, let duration): ran = duration
        case .credited(_, let credits): self.credits = credits
        case .stands(_, let standing): self.standing = standing
        }
    }

    private mutating func add(_ piece: BlockTally) {
        guard !piece.blocks.isEmpty, piece.blocks.lowerBound >= settled.blocks else { return }
        let place = place(of: piece.blocks.lowerBound)
        if place < pieces.count, pieces[place].blocks.lowerBound < piece.blocks.upperBound { return }
        pieces.insert(piece, at: place)
    }

    private mutating func settle(_ tally: SettledTally) {
        guard tally.blocks > settled.blocks else { return }
        settled = tally
        // A piece that reaches beyond the settled blocks would count twice. Its blocks are computed again.
        let place = place(of: tally.blocks)
        let reaches = place < pieces.count && pieces[place].blocks.lowerBound < tally.blocks
        pieces.removeFirst(reaches ? place + 1 : place)
    }

    private mutating func pass(_ tally: SettledTally) {
        if let last = checkpoints.last, last.blocks >= tally.blocks { return }
        checkpoints.append(tally)
    }

    private mutating func rewrite(_ tally: SettledTally) {
        settled = tally
        pieces = []
        checkpoints.removeAll { $0.blocks > tally.blocks }
        // They may praise a liar.
        credits = []
    }
}

/// The jobs of a journal, as a value: the result of all changes so far. It defines
/// what every journal holds, on disk or in memory.
public struct KeptJobs: Hashable, Sendable {
    public private(set) var jobs: [JobID: KeptJob] = [:]

    public init() {}

    public init(_ jobs: some Sequence<KeptJob>) { for job in jobs { self.jobs[job.record.id] = job } }

    /// The jobs that are not over, in order of their IDs.
    public var unfinished: [KeptJob] {
        jobs.values.filter { !$0.standing.isOver }.sorted { $0.record.id < $1.record.id }
    }

    public mutating func apply(_ change: JournalChange) {
        let id = change.job
        switch change {
        case .accepted(let record):
            if let known = jobs[id] {
                guard record.epoch >= known.record.epoch else { return }
                jobs[id]?.record.epoch = record.epoch
                jobs[id]?.record.spec = record.spec
            } else {
                jobs[id] = KeptJob(record)
            }
            return
        case .forgotten:
            jobs[id] = nil
            return
        default: break
        }
        // A single access, because this runs a thousand times a second.
        jobs[id]?.apply(change)
    }
}
