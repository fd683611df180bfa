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

    /// What is longer goes in the bulk lane, lest a short message wait for it. Half of what the control lane takes.
    static let longestControl = 32 << 10

    /// Whether this goes in the bulk lane: results, pictures and what a job came to, where they may be long. All else is
    /// short, and goes in the control lane, which keeps the order that `job`, `lend`, `interrupt`, `drop`, `over` and
    /// `course` need among themselves. A long `result` may so be overtaken by `over`.
    public var prefersBulk: Bool {
        switch self {
        case .results, .picture, .result: longest > Self.longestControl
        case .order, .command, .taken, .refused, .job, .ready, .unable, .cores, .lend, .drop, .interrupt, .failure,
            .course, .over:
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
            Self.cut(results).map { .results(id, $0) }
        default: [self]
        }
    }

    /// At thirty octets each, at worst, these fit the control lane.
    private static let chunksInPiece = 1024

    private static func cut<Item>(_ items: [Item], atMost count: Int) -> [[Item]] {
        stride(from: 0, to: items.count, by: count).map { Array(items[$0..<min($0 + count, items.count)]) }
    }

    private static func cut(_ results: [WorkResult]) -> [[WorkResult]] {
        var pieces: [[WorkResult]] = []
        var piece: [WorkResult] = []
        var length = 0
        for result in results {
            if !piece.isEmpty && length + result.longest > longestControl - around {
                pieces.append(piece)
                (piece, length) = ([], 0)
            }
            piece.append(result)
            length += result.longest
        }
        return pieces + [piece]
    }
}
