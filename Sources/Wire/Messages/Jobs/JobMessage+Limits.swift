import PotluckModel

/// What a message about a job may hold, so that nobody allocates or draws on a stranger's word without end.
extension JobMessage {
    /// The most slots a tally has: half a megabyte for each that is under way.
    public static let mostSlots = 1 << 16
    public static let mostParameters = 64
    /// Of a tally, as people see them grow.
    public static let mostCounts = 256
    public static let mostReadings = 256
    /// Of one histogram, and what lies below and above them.
    public static let mostBins = 1 << 14
    /// As many as there are checkpoints.
    public static let mostCourse = 224
    /// The workers of a session and its coordinator.
    public static let mostRows = JobOrder.mostWorkers + 1
    /// Blocks are numbered below this, so that no sum of them overflows.
    public static let mostBlocks: UInt64 = 1 << 60
    /// A simulation's name, as people type it.
    public static let maximumName = 64
    /// The hexadecimal digits of a SHA-256.
    static let maximumSource = 64
    /// A node's name with what `DisplayNames` may put behind it.
    public static let maximumDisplayName = Announcement.maximumName + 96
    /// What a parameter, a count or a reading is called.
    static let maximumLabel = 100
    /// Whatever is said to people in one line.
    static let maximumLine = ChunkFailure.maximumText
    /// So many wait in a line, or are waited for, as far as anybody is told.
    static let mostWaiting = 1 << 16
    /// Octets of a module in one message: with what is around them one frame, so that whatever else waits for the bulk lane
    /// waits for little.
    public static let longestPart = 15 << 10

    /// What is longer goes in the bulk lane, lest a short message wait for it. Half of what the control lane takes.
    static let longestControl = 32 << 10

    /// The most in one message; a node keeps less of what it has done, and a coordinator sends less at a time.
    public static let mostOffered = 4096
    public static let mostChanges = 1 << 16
    /// A message of changes is cut where it gets longer than this: far below what a message may have, and long enough that the
    /// tally of a large simulation fits.
    static let longestReplica = 256 << 10

    /// Whether this goes in the bulk lane: results, pictures and what a job came to, where they may be long. All else is
    /// short, and goes in the control lane, which keeps the order that `job`, `lend`, `interrupt`, `drop`, `over` and
    /// `course` need among themselves. A long `result` may so be overtaken by `over`, which ends the work for a job and not its
    /// showing: whoever shows it waits for the result.
    public var prefersBulk: Bool {
        switch self {
        case .results, .picture, .result, .offer: longest > Self.longestControl
        // In one lane, so that they keep their order; nobody waits for them.
        case .replica: true
        // Nobody's tally is to wait for a module.
        case .part: true
        case .order, .command, .taken, .refused, .job, .ready, .unable, .cores, .lend, .drop, .interrupt, .failure,
            .course, .over, .fetch, .lacking:
            false
        }
    }

    /// The same as messages each of which fits its lane and is taken by its receiver: lists that are too long for one
    /// message are cut. One message stays as it is, nearly always.
    public var pieces: [JobMessage] {
        switch self {
        case .lend(let id, let chunks) where chunks.count > Self.chunksInPiece:
            Self.cut(chunks, atMost: Self.chunksInPiece).map { .lend(id, $0) }
        case .drop(let id, let attempts) where attempts.count > LentChunk.most:
            Self.cut(attempts, atMost: LentChunk.most).map { .drop(id, attempts: $0) }
        case .results(let id, let results) where results.count > 1 && longest > Self.longestControl:
            Self.cut(results, \.longest, below: Self.longestControl).map { .results(id, $0) }
        case .offer(let id, let work) where work.count > 1 && longest > Self.longestControl:
            Self.cut(work, \.longest, below: Self.longestControl).map { .offer(id, $0) }
        case .replica(let id, let changes) where changes.count > 1 && longest > Self.longestReplica:
            Self.cut(changes, \.longest, below: Self.longestReplica).map { .replica(id, $0) }
        default: [self]
        }
    }

    /// At thirty octets each, at worst, these fit the control lane.
    private static let chunksInPiece = 1024

    private static func cut<Item>(_ items: [Item], atMost count: Int) -> [[Item]] {
        stride(from: 0, to: items.count, by: count).map { Array(items[$0..<min($0 + count, items.count)]) }
    }

    private static func cut<Item>(_ items: [Item], _ longest: (Item) -> Int, below limit: Int) -> [[Item]] {
        var pieces: [[Item]] = []
        var piece: [Item] = []
        var length = 0
        for item in items {
            if !piece.isEmpty && length + longest(item) > limit - around {
                pieces.append(piece)
                (piece, length) = ([], 0)
            }
            piece.append(item)
            length += longest(item)
        }
        return pieces + [piece]
    }
}
