import PotluckCore
import PotluckEngine

/// Blobs. Their bytes are computed from their hash, so that wrong bytes show.
extension SimulatedCluster {
    /// The sizes of blobs in bytes. Most have a few parts, so that they arrive in time over the slowest links.
    private static let sizes = 1...80_000

    func newModule() -> BlobReference {
        guard let hash = BlobHash(random.octets(BlobHash.length)),
            let module = BlobReference(hash: hash, size: pick(Self.sizes))
        else {
            preconditionFailure("a hash has 32 octets")
        }
        return module
    }

    private static func octet(of hash: BlobHash, at index: Int) -> UInt8 {
        hash.octets[index % BlobHash.length] ^ UInt8(truncatingIfNeeded: index / BlobHash.length &* 31)
    }

    func readPart(_ laptop: Laptop, _ hash: BlobHash, _ offset: Int, for node: NodeID) {
        var octets: [UInt8] = []
        if let size = laptop.storage.shelf[hash], offset < size {
            octets = (offset..<min(size, offset + Modules.longestPart)).map { Self.octet(of: hash, at: $0) }
        }
        // Wrong bytes of an output would make it a liar, which is tested separately. A forged order may name an output
        // as its module.
        let isMade = laptop.storage.recipes.values.contains { $0.names(hash) } && !laptop.storage.shelf.isOutput(hash)
        if laptop.character.forges, isMade, !octets.isEmpty {
            note("\(laptop.name) forges a part of a module")
            octets[pick(0...octets.count - 1)] ^= 1
        }
        let (seat, start) = (laptop.seat, laptop.start)
        // Parts are read independently and may overtake each other.
        after(.microseconds(20) ... .milliseconds(3)) { room in
            room.handle(seat, start: start, .partRead(hash, offset: offset, octets, for: node))
        }
    }

    func keepPart(_ laptop: Laptop, _ module: BlobReference, _ offset: Int, _ octets: [UInt8]) {
        if !laptop.storage.add(octets, at: offset, of: module.hash) {
            fail(.modules, "\(laptop.name) received the part at \(offset) twice")
        }
        if laptop.storage.incomplete > Modules.most {
            fail(.bounded, "\(laptop.name) assembles \(laptop.storage.incomplete) blobs at once")
        }
    }

    func shelve(_ laptop: Laptop, _ module: BlobReference) {
        guard let parts = laptop.storage.removeParts(of: module.hash) else {
            return fail(.modules, "\(laptop.name) stores a blob of which no part arrived")
        }
        var end = 0
        var isRight = true
        for (offset, octets) in parts.sorted(by: { $0.key < $1.key }) {
            if offset != end { fail(.modules, "\(laptop.name) has a part at \(offset) after \(end) bytes of a blob") }
            end = offset + octets.count
            isRight =
                isRight && octets.indices.allSatisfy { octets[$0] == Self.octet(of: module.hash, at: offset + $0) }
        }
        if end != module.size { fail(.modules, "\(laptop.name) has \(end) of \(module.size) bytes of a blob") }
        carry(laptop) { [isRight] room, laptop in
            if isRight {
                laptop.storage.shelf.put(module, for: .fetched)
                room.laws.tally.modules += 1
            } else {
                room.note("\(laptop.name) received other bytes than those it asked for")
            }
            return .shelved(module.hash, isRight ? .right : .wrong)
        }
    }

    // MARK: Outputs

    /// Returns the output of blocks with this tally. If all blocks write the same bytes, it depends only on the number
    /// of blocks, unless a liar wrote something else than it counted, or almost nothing.
    private static func output(
        _ experiment: Experiment, _ blocks: Range<UInt64>, counting tally: [UInt64], writing written: [UInt64],
        stints: Bool = false
    ) -> BlobReference {
        let size = stints ? 1 : min(experiment.octets * blocks.count, 40_000)
        let alike = [experiment.seed, UInt64(blocks.count), written[2] &- tally[2]]
        let apart = [experiment.seed, blocks.lowerBound, blocks.upperBound] + written
        return blob(experiment.writesAlike ? alike : apart, size: size)
    }

    /// Returns the complete output of a job with this tally.
    static func whole(_ experiment: Experiment, _ tally: [UInt64]) -> BlobReference {
        blob([~experiment.seed] + tally, size: 20_000)
    }

    private static func blob(_ words: [UInt64], size: Int) -> BlobReference {
        // Blobs of different sizes have different hashes.
        var generator = SeededGenerator(
            seed: (words + [UInt64(size)]).reduce(0) { ($0 ^ $1) &* 0x9e37_79b9_7f4a_7c15 ^ $0 >> 29 })
        let octets = (0..<BlobHash.length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        guard let hash = BlobHash(octets), let blob = BlobReference(hash: hash, size: min(max(1, size), 40_000)) else {
            preconditionFailure("a hash has 32 octets")
        }
        return blob
    }

    /// Stores and returns the output of a chunk; nil if it is not wanted. A liar may write something else than it
    /// counts.
    func write(
        _ laptop: Laptop, _ attempt: AttemptID, _ experiment: Experiment, _ blocks: Range<UInt64>, _ tally: [UInt64]
    ) -> BlobReference? {
        guard laptop.storage.recipes[attempt.job]?.collects == true, !blocks.isEmpty else { return nil }
        var written = tally
        if laptop.character.lies > 0, !laptop.character.stints, random.next(below: 2 * laptop.character.lies) == 0 {
            written[2] &+= 1
            laptop.observed.lies[attempt.job, default: 0] += 1
            note("\(laptop.name) writes output of \(blocks) that differs from its tally")
        }
        let blob = Self.output(
            experiment, blocks, counting: tally, writing: written, stints: laptop.character.stints)
        laptop.storage.shelf.put(blob, of: attempt)
        return blob
    }

    /// Performs a storage operation after those before it, with a random delay, and hands its event to the engine.
    private func carry(_ laptop: Laptop, _ deed: @escaping (SimulatedCluster, Laptop) -> Event) {
        let time = laptop.storage.operate(
            for: random.duration(from: .microseconds(20), to: .milliseconds(5)), at: now)
        let (seat, start) = (laptop.seat, laptop.start)
        at(time) { room in
            let laptop = room.laptops[seat]
            guard laptop.start == start, laptop.isRunning else { return }
            room.handle(seat, start: start, deed(room, laptop))
        }
    }

    func collect(
        _ laptop: Laptop, _ attempt: AttemptID, _ blocks: Range<UInt64>, _ tally: [UInt64], _ blob: BlobReference
    ) {
        carry(laptop) { room, laptop in
            guard let recipe = laptop.storage.recipes[attempt.job], laptop.storage.shelf[blob.hash] != nil else {
                return .collected(attempt, .trouble("what it wrote is not here any more"))
            }
            // Too little may be written consistently, too.
            let fits = [false, true].contains { stints in
                blob == Self.output(recipe.experiment, blocks, counting: tally, writing: tally, stints: stints)
            }
            guard fits else { return .collected(attempt, .wrong) }
            var kept = tally
            if room.sabotage == .swappedShelves { kept[2] += 1 }
            let collection = Laptop.Storage.Collection(blocks: blocks, tally: kept)
            for block in blocks { laptop.storage.collected[attempt.job, default: [:]][block] = collection }
            return .collected(attempt, .right)
        }
    }

    /// Releases a blob. The effects before this one have taken it for its other holders.
    func discard(_ laptop: Laptop, _ hash: BlobHash) {
        laptop.storage.removeParts(of: hash)
        at(laptop.storage.busyUntil) { _ in laptop.storage.shelf.release(hash, .fetched) }
    }

    func unseal(_ laptop: Laptop, _ id: JobID, _ hash: BlobHash) {
        at(laptop.storage.busyUntil) { _ in laptop.storage.shelf.release(hash, .sealed(id)) }
    }

    /// Forgets the collected output of a job, after the storage operations in progress.
    func forgetWritten(_ laptop: Laptop, _ id: JobID) {
        at(laptop.storage.busyUntil) { _ in laptop.storage.collected[id] = nil }
    }

    /// Joins the output of a job. Its tally must be the sum of the tallies that the chunks came with.
    func seal(_ laptop: Laptop, _ id: JobID, _ end: UInt64) {
        carry(laptop) { room, laptop in
            var tally = VirtualSimulation.layout.empty
            var block: UInt64 = 0
            while block < end {
                guard let collection = laptop.storage.collected[id]?[block], collection.blocks.lowerBound == block
                else {
                    room.fail(.exact, "\(laptop.name) joins the output of \(id) without block \(block)")
                    return .sealed(id, .trouble("a block is missing"))
                }
                VirtualSimulation.layout.merge(collection.tally, into: &tally)
                block = collection.blocks.upperBound
            }
            guard let recipe = laptop.storage.recipes[id] else { return .sealed(id, .trouble("it is over")) }
            let blob = Self.whole(recipe.experiment, tally)
            laptop.storage.shelf.put(blob, for: .sealed(id))
            return .sealed(id, .whole(blob))
        }
    }
}

/// The engine's limits.
private enum Modules {
    static let longestPart = JobMessage.longestPart
    /// The most blobs in transfer at a laptop, with some more for those being verified.
    static let most = 36
}
