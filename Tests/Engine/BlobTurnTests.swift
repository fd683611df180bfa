import PotluckCore
import PotluckKit
import Testing

@testable import PotluckEngine

/// The outputs of one job do not hold up another job, however many of them wait for the same link.
@Suite struct BlobTurnTests {
    /// Random jobs want outputs of one node at random times, some of which take a whole part. While a job has outputs
    /// waiting, each other job begins at most as many fetches as may be in flight.
    @Test(arguments: UInt64(0)..<100) func everyJobHasItsTurn(seed: UInt64) throws {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        let source = BlobsTests.node(1)
        let jobs = 2 + random.below(4)
        var blobs = Blobs()
        var turn = Turn(now: .start, keepsJournal: false)
        /// The wishes that were not requested yet, and the number of fetches that each job has seen go by.
        var waiting: [BlobHash: JobID] = [:]
        var sizes: [BlobHash: Int] = [:]
        var passed: [JobID: Int] = [:]
        var inFlight: [BlobHash] = []
        var most = 0
        func read() {
            for (_, message) in turn.mail {
                guard case .fetch(let hash, _) = message, let job = waiting.removeValue(forKey: hash) else { continue }
                inFlight.append(hash)
                passed[job] = 0
                for other in Set(waiting.values) where other != job { passed[other, default: 0] += 1 }
            }
            turn = Turn(now: .start, keepsJournal: false)
            most = max(most, waiting.count)
            for (job, count) in passed where waiting.values.contains(job) {
                #expect(count <= JobLimits.smallFetchesOfOne * jobs, "\(job) waits while \(count) fetches begin")
            }
        }
        for number in 0..<240 {
            // The first job has outputs waiting all the time, as one that computes faster than its link carries.
            let job = JobID(UInt64(1 + (number < 100 ? 0 : random.below(jobs))))
            let isLarge = job != JobID(1) && random.below(2) == 0
            let hash = try #require(BlobHash([UInt8](repeating: UInt8(number), count: BlobHash.length)))
            let blob = try #require(BlobReference(hash: hash, size: isLarge ? JobMessage.longestPart : 100))
            sizes[hash] = blob.size
            let purpose = Blobs.Purpose.output(AttemptID(job: job, number: UInt64(number)))
            waiting[hash] = job
            passed[job] = waiting.values.filter { $0 == job }.count == 1 ? 0 : passed[job]
            _ = blobs.get(blob, for: purpose, from: source, &turn)
            read()
            for _ in 0..<random.below(2) where !inFlight.isEmpty {
                let hash = inFlight.removeFirst()
                let octets = [UInt8](repeating: 7, count: sizes[hash] ?? 0)
                _ = blobs.part(hash, 0, octets, from: source, &turn)
                _ = blobs.shelved(hash, .right, &turn)
                blobs.begin(&turn)
                read()
            }
        }
        #expect(most > JobLimits.smallFetchesOfOne * jobs, "too little waited to show anything")
    }
}
