import PotluckCore

extension Laptop {
    /// The data that a laptop's shell stores for its engine: blobs, recipes of jobs, and the output of blocks.
    struct Storage {
        /// The blobs that it stores.
        var shelf = VirtualShelf()
        /// The recipes of the jobs that it has prepared.
        var recipes: [JobID: JobRecipe] = [:]
        /// The collected output of each job: for each block, the chunk that it arrived with.
        var collected: [JobID: [UInt64: Collection]] = [:]
        /// When its last operation ends. Operations run one after the other.
        private(set) var busyUntil = Instant.start
        /// The parts received of incomplete blobs, by offset.
        private var parts: [BlobHash: [Int: [UInt8]]] = [:]

        struct Collection {
            let blocks: Range<UInt64>
            let tally: [UInt64]
        }

        /// Begins an operation that takes this time. Returns when it ends.
        mutating func operate(for time: Duration, at now: Instant) -> Instant {
            busyUntil = max(now, busyUntil) + time
            return busyUntil
        }

        /// The number of incomplete blobs.
        var incomplete: Int { parts.count }

        /// Returns false if it had the part already.
        mutating func add(_ octets: [UInt8], at offset: Int, of hash: BlobHash) -> Bool {
            parts[hash, default: [:]].updateValue(octets, forKey: offset) == nil
        }

        /// Removes and returns the parts of a blob; nil if none has arrived.
        @discardableResult
        mutating func removeParts(of hash: BlobHash) -> [Int: [UInt8]]? { parts.removeValue(forKey: hash) }
    }
}
