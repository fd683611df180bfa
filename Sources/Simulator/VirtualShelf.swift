import PotluckModel

/// The blobs at a laptop, kept and let go of as the real store does it: each as long as somebody holds it.
struct VirtualShelf {
    enum Holder: Hashable {
        /// It came from another node, and the engine has not said yet who takes it.
        case fetched
        case ordered(JobTicket)
        case job(JobID)
        case attempt(AttemptID)
        /// All that a job wrote.
        case sealed(JobID)
        /// A module, which outlives the node.
        case disk
    }

    private struct Entry {
        let size: Int
        var holders: Set<Holder>
    }

    private var entries: [BlobHash: Entry] = [:]
    /// The attempts that somebody still wants, and what each wrote. What other attempts write is dropped at once.
    private var expected: [AttemptID: Set<BlobHash>] = [:]

    subscript(hash: BlobHash) -> Int? { entries[hash]?.size }

    mutating func put(_ blob: BlobReference, for holder: Holder) {
        entries[blob.hash, default: Entry(size: blob.size, holders: [])].holders.insert(holder)
    }

    /// Where it is here.
    mutating func hold(_ hash: BlobHash, for holder: Holder) { entries[hash]?.holders.insert(holder) }

    mutating func release(_ hash: BlobHash, _ holder: Holder) {
        entries[hash]?.holders.remove(holder)
        if entries[hash]?.holders.isEmpty == true { entries[hash] = nil }
    }

    // MARK: Attempts

    mutating func expect(_ attempt: AttemptID) { expected[attempt, default: []].formUnion([]) }

    mutating func put(_ blob: BlobReference, of attempt: AttemptID) {
        guard expected[attempt]?.insert(blob.hash) != nil else { return }
        put(blob, for: .attempt(attempt))
    }

    mutating func drop(_ attempts: some Sequence<AttemptID>) {
        for attempt in attempts {
            for hash in expected.removeValue(forKey: attempt) ?? [] { release(hash, .attempt(attempt)) }
        }
    }

    /// A job has ended here.
    mutating func release(all job: JobID) {
        drop(expected.keys.filter { $0.job == job })
        for hash in entries.keys { release(hash, .job(job)) }
    }

    /// What is there when the node starts again.
    var onDisk: VirtualShelf {
        var shelf = VirtualShelf()
        shelf.entries = entries.filter { $0.value.holders.contains(.disk) }
        for hash in shelf.entries.keys { shelf.entries[hash]?.holders = [.disk] }
        return shelf
    }
}
