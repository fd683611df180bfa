import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckSystem

/// Blobs in transit, and the output of jobs.
extension JobShell {
    // MARK: Jobs that are submitted here

    /// Adds the module of a job that is submitted here. Returns nil if it is empty or too large.
    func put(_ module: [UInt8]) -> BlobReference? { blobs.put(module: module) }

    /// Adds the tables of a job that is submitted here. Returns nil if there are none.
    func put(_ tables: [Table], _ ticket: JobTicket) throws(SpoolFile.SpoolError) -> BlobReference? {
        tables.isEmpty ? nil : try blobs.put(tables.payload, for: .ordered(ticket), atMost: BlobReference.largest)
    }

    /// Ends the submission of a job. `job` is its ID; nil if the order was refused.
    func settled(_ ticket: JobTicket, _ payload: BlobReference?, as job: JobID?) {
        guard let payload else { return }
        if let job { _ = blobs.hold(payload.hash, for: .job(job)) }
        blobs.release(payload.hash, .ordered(ticket))
    }

    // MARK: Parts

    func readPart(_ hash: BlobHash, _ offset: Int, for node: NodeID) {
        carrying.async { [self] in
            let octets = blobs.part(of: hash, at: offset, atMost: JobMessage.longestPart)
            report(.event(.partRead(hash, offset: offset, octets, for: node)))
        }
    }

    func shelve(_ blob: BlobReference) {
        carrying.async { [self] in
            let shelved: Checked
            do throws(SpoolFile.SpoolError) {
                shelved = try blobs.shelve(blob) ? .right : .wrong
            } catch {
                shelved = .trouble(error.reason)
            }
            report(.event(.shelved(blob.hash, shelved)))
        }
    }

    // MARK: Output

    /// Checks a chunk's output against its tally and stores it on the job's shelf. Reports `collected`.
    func collect(_ attempt: AttemptID, _ blocks: Range<UInt64>, _ tally: [UInt64], _ blob: BlobReference) {
        carrying.async { [self] in
            let verdict: Checked
            do throws(SpoolFile.SpoolError) {
                verdict = try look(attempt.job, blocks, tally, blob)
            } catch {
                verdict = .trouble(error.reason)
            }
            report(.event(.collected(attempt, verdict)))
        }
    }

    private func look(
        _ job: JobID, _ blocks: Range<UInt64>, _ tally: [UInt64], _ blob: BlobReference
    ) throws(SpoolFile.SpoolError) -> Checked {
        guard let layout = ready.with({ $0[job] ?? nil })?.simulation.layout,
            let octets = blobs.octets(of: blob.hash, atMost: BlobReference.largestOutput)
        else { return .trouble("the output is no longer available") }
        guard let outputs = Framed.outputs(octets, blocks: blocks.count),
            layout.print(in: tally) == OutputPrint(outputs, from: blocks.lowerBound)
        else { return .wrong }
        let shelf = shelves.with { shelves in
            if let shelf = shelves[job] { return shelf }
            let shelf = OutputStore(folder: spool)
            shelves[job] = shelf
            return shelf
        }
        for (block, octets) in zip(blocks, outputs) { try shelf.put(octets, of: block) }
        return .right
    }

    /// Joins the output of the job's blocks up to `end`. Reports `sealed`.
    func seal(_ id: JobID, _ end: UInt64) {
        carrying.async { [self] in
            let sealed: Sealed
            do {
                sealed = .whole(try join(id, end))
            } catch let trouble as SpoolFile.SpoolError {
                sealed = .trouble(trouble.reason)
            } catch {
                sealed = .trouble("the output is no longer available")
            }
            report(.event(.sealed(id, sealed)))
        }
    }

    private func join(_ id: JobID, _ end: UInt64) throws -> BlobReference {
        guard let shelf = shelves.with({ $0[id] }) else { throw SpoolFile.SpoolError(reason: "there is no output") }
        let file = try blobs.newFile()
        let sum = SHA256.Sum()
        var piece: [UInt8] = []
        var start = 0
        func flush() throws {
            try file.write(piece, at: start)
            sum.add(piece)
            start += piece.count
            piece.removeAll(keepingCapacity: true)
        }
        try shelf.read(0..<end) { octets in
            piece += Framed.head(octets)
            piece += octets
            if piece.count >= BlobStore.piece { try flush() }
        }
        try flush()
        guard let hash = BlobHash(sum.hash()), let blob = BlobReference(hash: hash, size: start) else {
            throw SpoolFile.SpoolError(reason: "the output is too large")
        }
        blobs.put(sealed: file, count: start, hash, of: id)
        return blob
    }

    /// Returns the output that a caller on this node asked for, and ends its hold on it. Returns nil if the store does
    /// not have it.
    func takeOutput(_ blob: BlobReference, _ token: UInt64) -> JobOutput? {
        defer { blobs.release(blob.hash, .asked(token: token)) }
        return blobs.body(of: blob.hash).map { JobOutput($0) }
    }

    /// Removes the outputs that were collected for a job.
    func forgetCollected(of id: JobID) {
        // On the queue, after outputs that are still being stored.
        carrying.async { [self] in shelves.with { $0[id] = nil } }
    }
}
