import PotluckCore
import PotluckKit
import PotluckSystem
import Testing

@testable import Potluck

/// Tests of the stores for blobs, block outputs and tables: what goes in comes out, and damage is found.
@Suite struct BlobStoreTests {
    private static func octets(_ count: Int, _ random: inout RandomStream) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.below(256)) }
    }

    private static func attempt(_ number: UInt64, of job: UInt64 = 1) -> AttemptID {
        AttemptID(job: JobID(job), number: number)
    }

    /// Output that is appended in random pieces is read as it was written. Bytes without valid framing, and bytes that
    /// don't match the print, are refused.
    @Test(arguments: UInt64(0)..<20) func outputOfBlocksReadsBack(seed: UInt64) throws {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        var outputs: [[UInt8]] = []
        for _ in 0..<random.below(30) { outputs.append(Self.octets(random.below(3) * random.below(500), &random)) }
        let framed = Framed.octets(outputs)
        #expect(Framed.outputs(framed, blocks: outputs.count) == outputs)
        #expect(Framed.outputs(framed, blocks: outputs.count + 1) == nil)
        #expect(Framed.outputs(framed + [0], blocks: outputs.count) == nil)
        if !outputs.isEmpty {
            #expect(Framed.outputs(framed, blocks: outputs.count - 1) == nil)
            #expect(Framed.outputs(framed.dropLast(), blocks: outputs.count) == nil)
        }
        let output = try JobOutput(in: "/tmp")
        var rest = framed[...]
        while !rest.isEmpty {
            let piece = rest.prefix(1 + random.below(700))
            try output.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        #expect(output.count == framed.count)
        var found: [[UInt8]] = []
        let (print, blocks) = (OutputPrint(outputs, from: 0), UInt64(outputs.count))
        try output.read(print, blocks: blocks) { found.append($0) }
        #expect(found == outputs)
        // The same blocks at other indices have another print. A wrong number of blocks fails, too.
        let swapped = OutputPrint(outputs, from: 1)
        if !outputs.isEmpty {
            #expect(throws: JobError.self) { try output.read(swapped, blocks: blocks) { _ in } }
            #expect(throws: JobError.self) { try output.read(print, blocks: blocks - 1) { _ in } }
        }
        #expect(throws: JobError.self) { try output.read(print, blocks: blocks + 1) { _ in } }
        try output.append([1])
        #expect(throws: JobError.self) { try output.read(print, blocks: blocks) { _ in } }
    }

    /// A small blob stays in memory and a large one goes to a file. Neither this nor the order of the parts changes the
    /// result.
    @Test(arguments: [1, 100_000, (2 << 20) + 1], [true, false])
    func partsMakeABlob(size: Int, isInOrder: Bool) throws {
        var random = RandomStream(seed: 3, block: 0, lane: 0)
        let octets = Self.octets(size, &random)
        let giver = BlobStore(keptIn: nil, spool: "/tmp")
        let taker = BlobStore(keptIn: nil, spool: "/tmp")
        let blob = try #require(try giver.put(octets, for: .job(JobID(1)), atMost: BlobReference.largest))
        var offsets = Array(stride(from: 0, to: size, by: 15_360))
        if !isInOrder { random.shuffle(&offsets) }
        // If a part arrives twice, the later one replaces the earlier one.
        taker.keep([octets[0] ^ 1], of: blob, at: 0)
        for offset in offsets {
            taker.keep(giver.part(of: blob.hash, at: offset, atMost: 15_360), of: blob, at: offset)
        }
        #expect(try taker.shelve(blob))
        #expect(taker.octets(of: blob.hash, atMost: size) == octets)
        #expect(taker.octets(of: blob.hash, atMost: size - 1) == nil)
        // The forger's copy has one wrong byte.
        let forger = BlobStore(keptIn: nil, spool: "/tmp")
        for offset in offsets {
            var part = giver.part(of: blob.hash, at: offset, atMost: 15_360)
            if offset == offsets[offsets.count / 2] { part[part.count - 1] ^= 1 }
            forger.keep(part, of: blob, at: offset)
        }
        #expect(try !forger.shelve(blob) && forger.body(of: blob.hash) == nil)
        // The blob stays until its last holder releases it.
        #expect(taker.hold(blob.hash, for: .job(JobID(2))))
        taker.discard(blob.hash)
        #expect(taker.octets(of: blob.hash, atMost: size) == octets)
        taker.release(all: JobID(2))
        #expect(taker.body(of: blob.hash) == nil && !taker.hold(blob.hash, for: .fetched))
    }

    /// A dropped attempt's output is discarded, whether it is dropped before or after it is written.
    @Test func aDroppedOutputIsDiscarded() throws {
        let store = BlobStore(keptIn: nil, spool: "/tmp")
        for number in UInt64(1)...3 { store.expect(Self.attempt(number)) }
        store.drop { $0 == Self.attempt(1) }
        let early = try #require(try store.put([1], of: Self.attempt(1)))
        #expect(store.body(of: early.hash) == nil)
        // Two attempts wrote the same bytes: they share a blob, which stays after one of them is dropped.
        let late = try #require(try store.put([2], of: Self.attempt(2)))
        #expect(try store.put([2], of: Self.attempt(3)) == late)
        store.drop { $0 == Self.attempt(2) }
        #expect(store.part(of: late.hash, at: 0, atMost: 9) == [2])
        store.release(all: JobID(1))
        #expect(store.part(of: late.hash, at: 0, atMost: 9).isEmpty)
        #expect(try store.put([], of: Self.attempt(4)) == nil)
    }

    @Test func aFullDiskSaysSo() throws {
        let store = BlobStore(keptIn: nil, spool: "/nowhere/at/all")
        let large = [UInt8](repeating: 7, count: (2 << 20) + 1)
        do {
            _ = try store.put(large, for: .sealed(JobID(1)), atMost: BlobReference.largest)
            Issue.record("it was kept")
        } catch {
            #expect(error.reason == "cannot create a file in /nowhere/at/all: No such file or directory")
        }
        let hash = try #require(BlobHash(SHA256.hash(large)))
        let blob = try #require(BlobReference(hash: hash, size: large.count))
        store.keep(Array(large.prefix(9)), of: blob, at: 0)
        #expect(throws: SpoolFile.SpoolError.self) { try store.shelve(blob) }
    }

    /// Tables survive encoding and decoding. Malformed payloads are refused.
    @Test(arguments: UInt64(0)..<20) func tablesTravel(seed: UInt64) {
        var random = RandomStream(seed: seed, block: 1, lane: 0)
        let tables = (0..<1 + random.below(4)).map { _ -> Table in
            let (rows, columns) = (1 + random.below(9), 1 + random.below(9))
            let numbers = (0..<rows * columns).map { _ in random.real(in: -1..<1) }
            return random.below(4) == 0 ? .empty : Table(rows: rows, columns: columns, numbers: numbers)
        }
        #expect([Table](payload: tables.payload) == tables)
        #expect(tables.obstacle == nil)
        let octets = tables.payload
        for end in 1..<8 { #expect([Table](payload: octets.dropLast(end)) == nil) }
        #expect([Table](payload: octets + [UInt8](repeating: 0, count: 8)) == nil)
        func slots(_ slots: UInt64...) -> [UInt8] { slots.octets }
        for wrong in [
            slots(1, 1), slots(1, 1, Double.nan.bitPattern), slots(1, 1, Double.infinity.bitPattern), slots(.max, 2),
            slots(1 << 62, 4), slots(1 << 40, 1 << 40), slots(0, 3),
        ] {
            #expect([Table](payload: wrong) == nil)
        }
    }
}
