/// All that is known of a job's progress: what a journal gives back.
public struct KeptJob: Hashable, Sendable {
    public var record: JobRecord
    public internal(set) var standing = JobStanding.running
    public internal(set) var settled = SettledTally(blocks: 0, tally: [])
    /// Beyond what is settled, in order, none overlapping another.
    public internal(set) var pieces: [JobPiece] = []
    /// The tallies at the checkpoints passed, in order.
    public internal(set) var checkpoints: [SettledTally] = []
    /// Where the job ends, once that was judged.
    public internal(set) var end: UInt64?
    /// How long it was computed.
    public internal(set) var ran = Duration.zero

    public init(_ record: JobRecord) { self.record = record }

    /// As it was read from somewhere that may be wrong: nil where it is not one that changes could have made.
    public init?(
        _ record: JobRecord, standing: JobStanding, settled: SettledTally, pieces: [JobPiece],
        checkpoints: [SettledTally], end: UInt64?, ran: Duration
    ) {
        self.record = record
        self.standing = standing
        self.settled = settled
        self.pieces = pieces
        self.checkpoints = checkpoints
        self.end = end
        self.ran = ran
        guard isSound else { return nil }
    }

    /// As it was ordered, and where it ends if that was judged.
    public var withoutProgress: KeptJob {
        var job = KeptJob(record)
        (job.standing, job.end) = (standing, end)
        return job
    }

    /// What makes it anew, where nothing is known of it.
    public var changes: [JournalChange] {
        let id = record.id
        var changes: [JournalChange] = [.accepted(record), .rewritten(id, settled), .ran(id, ran)]
        changes += checkpoints.map { .passed(id, $0) }
        changes += pieces.map { .done(id, $0) }
        if let end { changes.append(.judged(id, end: end)) }
        if standing != .running { changes.append(.stands(id, standing)) }
        return changes
    }

    /// How many slots its tallies have together: nearly all that it takes up.
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

    /// The place of the first piece that ends after `block`.
    private func place(of block: UInt64) -> Int {
        var (low, high) = (0, pieces.count)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].blocks.upperBound > block { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// One that is about this very job.
    fileprivate mutating func take(_ change: JournalChange) {
        guard !standing.isOver else { return }
        switch change {
        case .accepted, .forgotten: break
        case .done(_, let piece): add(piece)
        case .settled(_, let tally): settle(tally)
        case .passed(_, let tally): pass(tally)
        case .rewritten(_, let tally): rewrite(tally)
        case .judged(_, let end): self.end = end
        case .ran(_, let duration): ran = duration
        case .stands(_, let standing): self.standing = standing
        }
    }

    private mutating func add(_ piece: JobPiece) {
        guard !piece.blocks.isEmpty, piece.blocks.lowerBound >= settled.blocks else { return }
        let place = place(of: piece.blocks.lowerBound)
        if place < pieces.count, pieces[place].blocks.lowerBound < piece.blocks.upperBound { return }
        pieces.insert(piece, at: place)
    }

    private mutating func settle(_ tally: SettledTally) {
        guard tally.blocks > settled.blocks else { return }
        settled = tally
        // A piece that reaches beyond would count twice with what is settled: it is done again.
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
    }
}

/// The jobs of a journal, as a value: what the changes so far come to. Every journal, on disk or in memory, means this.
public struct KeptJobs: Hashable, Sendable {
    public private(set) var jobs: [JobID: KeptJob] = [:]

    public init() {}

    public init(_ jobs: some Sequence<KeptJob>) { for job in jobs { self.jobs[job.record.id] = job } }

    /// In order of their IDs.
    public var unfinished: [KeptJob] {
        jobs.values.filter { !$0.standing.isOver }.sorted { $0.record.id < $1.record.id }
    }

    public mutating func apply(_ change: JournalChange) {
        let id = change.job
        switch change {
        case .accepted(let record):
            if let known = jobs[id] {
                if record.epoch > known.record.epoch { jobs[id]?.record.epoch = record.epoch }
            } else {
                jobs[id] = KeptJob(record)
            }
            return
        case .forgotten:
            jobs[id] = nil
            return
        default: break
        }
        // In one access: this happens a thousand times a second.
        jobs[id]?.take(change)
    }
}
