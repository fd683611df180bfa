import PotluckCore

/// The blobs of a laptop. As in the real store, a blob is kept as long as it has a holder.
struct VirtualShelf {
    enum Holder: Hashable {
        /// The blob was fetched, and the engine has not yet said which job takes it.
        case fetched
        case ordered(JobTicket)
        case job(JobID)
        case attempt(AttemptID)
        /// The joined output of a job.
        case sealed(JobID)
        /// The cache of modules on disk, which outlives the node.
        case disk
    }

    private struct Entry {
        let size: Int
        var holders: Set<Holder>
    }

    private var entries: [BlobHash: Entry] = [:]
    /// The attempts still wanted, with the blobs that each wrote. The output of other attempts is dropped at once.
    private var expected: [AttemptID: Set<BlobHash>] = [:]

    subscript(hash: BlobHash) -> Int? { entries[hash]?.size }

    mutating func put(_ blob: BlobReference, for holder: Holder) {
        entries[blob.hash, default: Entry(size: blob.size, holders: [])].holders.insert(holder)
    }

    /// Whether an attempt here wrote the blob.
    func isOutput(_ hash: BlobHash) -> Bool {
        entries[hash]?.holders.contains { if case .attempt = $0 { true } else { false } } ?? false
    }

    /// Adds a holder to a blob, if the blob is here.
    mutating func hold(_ hash: BlobHash, for holder: Holder) { entries[hash]?.holders.insert(holder) }

    mutating func release(_ hash: BlobHash, _ holder: Holder) {
        entries[hash]?.holders.remove(holder)
        if entries[hash]?.holders.isEmpty == true { entries[hash] = nil }
    }

    // MARK: Attempts

    mutating func expect(_ attempt: AttemptID) { if expected[attempt] == nil { expected[attempt] = [] } }

    mutating func put(_ blob: BlobReference, of attempt: AttemptID) {
        guard expected[attempt]?.insert(blob.hash) != nil else { return }
        put(blob, for: .attempt(attempt))
    }

    mutating func drop(_ attempts: some Sequence<AttemptID>) {
        for attempt in attempts {
            for hash in expected.removeValue(forKey: attempt) ?? [] { release(hash, .attempt(attempt)) }
        }
    }

    /// Releases everything that a job holds. Called when it has ended here.
    mutating func release(all job: JobID) {
        drop(expected.keys.filter { $0.job == job })
        for hash in entries.keys { release(hash, .job(job)) }
    }

    /// The shelf of the next node: the blobs on disk.
    var onDisk: VirtualShelf {
        var shelf = VirtualShelf()
        shelf.entries = entries.filter { $0.value.holders.contains(.disk) }
        for hash in shelf.entries.keys { shelf.entries[hash]?.holders = [.disk] }
        return shelf
    }
}
