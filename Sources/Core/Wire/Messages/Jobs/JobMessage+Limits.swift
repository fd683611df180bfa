/// Limits on the contents of messages about jobs, so that an untrusted sender cannot
/// make a node allocate or draw without end.
extension JobMessage {
    /// The number of bytes of the encoded message, before anything is left out that does not fit.
    package var length: Int { Message.job(self).caseLength }

    /// The most slots of a tally. A tally then takes at most half a megabyte.
    public static let mostSlots = 1 << 16
    public static let mostParameters = 64
    /// The most plain counts of a tally that views show.
    static let mostCounts = 256
    /// The most readings of a simulation.
    static let mostReadings = 256
    /// The most counts of one histogram, including those below and above its range.
    static let mostBins = 1 << 14
    /// The number of checkpoints of a job.
    public static let mostCourse = 224
    /// The most rows of a picture: the workers of a session and its coordinator.
    public static let mostRows = JobOrder.mostWorkers + 1
    /// The number of a block is below this, so that sums of blocks do not overflow.
    public static let mostBlocks: UInt64 = 1 << 60
    /// The most bytes of a simulation's name, which users type.
    public static let maximumName = 64
    /// The hexadecimal digits of a SHA-256.
    static let maximumSource = 64
    /// The most bytes of a node's name with the suffixes that `DisplayNames` may append.
    public static let maximumDisplayName = Announcement.maximumName + 96
    /// The most bytes of the name of a parameter, a count or a reading.
    static let maximumLabel = 100
    /// The most bytes of a line of text for users.
    static let maximumLine = ChunkFailure.maximumText
    /// The most waiting jobs or workers that a message reports.
    static let mostWaiting = 1 << 16
    /// The most jobs in an `unresolved` or `forgotten`: more than a node shows of one coordinator.
    static let mostUnresolved = 256
    /// The most bytes of a blob in one message. With its overhead it fills one frame,
    /// so other messages do not wait long for the bulk lane.
    public static let longestPart = 15 << 10

    /// Longer messages go in the bulk lane, so that short ones need not wait for
    /// them. Half of what the control lane accepts.
    static let longestControl = 32 << 10

    /// The most items in one offer. Workers keep less of what they have computed, and coordinators send less at a time.
    static let mostOffered = 4096
    static let mostChanges = 1 << 16
    /// The most bytes in a message of changes before it is split. It is far below the limit of a message,
    /// and large enough for the tally of a large simulation.
    static let longestReplica = 256 << 10

    /// Whether the message goes in the bulk lane: results, pictures, offers and guesses that may be long, replicas, and parts of
    /// blobs. All other messages are short and go in the control lane. It preserves the order that `job`, `lend`,
    /// `interrupt`, `drop`, `over` and `course` need. So `over` may overtake a long `result`. This does no harm: `over`
    /// ends the work for a job, but views still wait for the result.
    public var prefersBulk: Bool {
        switch self {
        case .results, .picture, .result, .offer, .guesses: length > Self.longestControl
        // Always in the same lane, so that replicas keep their order. Nothing waits for them.
        case .replica: true
        // Tallies must not wait for a module.
        case .part: true
        case .order, .command, .withdraw, .taken, .refused, .list, .listed, .job, .ready, .unable, .cores, .lend, .drop,
            .interrupt, .improved, .bound, .failure, .course, .over, .unresolved, .forgotten, .fetch, .lacking:
            false
        }
    }

    /// Splits the message into messages that fit their lane and that the receiver accepts. Only long lists are
    /// split; nearly always the result is the message itself.
    public var pieces: [JobMessage] {
        switch self {
        case .lend(let id, let chunks) where chunks.count > Self.chunksInPiece:
            Self.cut(chunks, atMost: Self.chunksInPiece).map { .lend(id, $0) }
        case .unresolved(let jobs) where jobs.count > Self.mostUnresolved:
            Self.cut(jobs, atMost: Self.mostUnresolved).map { .unresolved($0) }
        case .drop(let id, let attempts) where attempts.count > LentChunk.most:
            Self.cut(attempts, atMost: LentChunk.most).map { .drop(id, attempts: $0) }
        case .results(let id, let results) where results.count > 1 && length > Self.longestControl:
            Self.cut(results, \.fieldsLength, below: Self.longestControl).map { .results(id, $0) }
        case .offer(let id, let work) where work.count > 1 && length > Self.longestControl:
            Self.cut(work, \.fieldsLength, below: Self.longestControl).map { .offer(id, $0) }
        case .replica(let id, let changes) where changes.count > 1 && length > Self.longestReplica:
            Self.cut(changes, \.fieldsLength, below: Self.longestReplica).map { .replica(id, $0) }
        default: [self]
        }
    }

    /// A lent chunk takes at most thirty bytes, so this many fit the control lane.
    private static let chunksInPiece = 1024

    private static func cut<Item>(_ items: [Item], atMost count: Int) -> [[Item]] {
        stride(from: 0, to: items.count, by: count).map { Array(items[$0..<min($0 + count, items.count)]) }
    }

    /// The most bytes for the kind, the job, and the head of the list.
    private static let around = 32
    /// The most bytes for the length of an item.
    private static let aroundItem = 4

    private static func cut<Item>(_ items: [Item], _ length: (Item) -> Int, below limit: Int) -> [[Item]] {
        var pieces: [[Item]] = []
        var piece: [Item] = []
        var sum = around
        for item in items {
            let length = length(item) + aroundItem
            if !piece.isEmpty && sum + length > limit {
                pieces.append(piece)
                (piece, sum) = ([], around)
            }
            piece.append(item)
            sum += length
        }
        return pieces + [piece]
    }
}
