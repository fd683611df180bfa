import Foundation
import PotluckCore
import Testing

@testable import Potluck

@Suite struct PartialFileTests {
    private let path = "/tmp/potluck-partial-\(getpid())-\(UInt32.random(in: 0 ... .max)).part"

    private static let partial = PartialRun(
        job: PartialRun.Job(
            experiment: Experiment(
                simulation: SimulationIdentity(name: "primes", source: "ab", streams: 1), parameters: [7, .max],
                seed: 5, blockSize: 64),
            goal: Goal(trials: 100_000), typed: "a/primes.swift",
            inputs: [RecordedInput(name: "numbers", path: "numbers.csv", rows: 3, columns: 2)]),
        number: ShardNumber(2, of: 3)!, slice: 100..<300, tally: [1, 2, .max],
        checkpoints: Checkpoint.inside(100..<300).map { SettledTally(blocks: $0, tally: [0, 1, 2]) },
        origin: PartialRun.Origin(host: "node17", cores: 8, startedAt: 1_700_000_000_123, elapsed: .seconds(4)),
        output: 4096)!

    private static func octets(_ run: PartialRun, output: [UInt8] = []) throws -> [UInt8] {
        let written = Written()
        try PartialFile.write(run, output: { if !output.isEmpty { try $0(output) } }, to: { written.octets += $0 })
        return written.octets
    }

    private final class Written { var octets: [UInt8] = [] }

    private func trouble(_ octets: [UInt8]) throws -> String? {
        try Data(octets).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            _ = try PartialFile(path)
            return nil
        } catch {
            return error.description
        }
    }

    @Test func aWrittenFileReadsBack() throws {
        let output = (0..<4096).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try Data(try Self.octets(Self.partial, output: output)).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try PartialFile(path)
        #expect(file.run == Self.partial)
        var read: [UInt8] = []
        try file.output { read += $0 }
        #expect(read == output)
        // Another file in its place was not checked.
        try Data(try Self.octets(Self.partial, output: output) + [0]).write(to: URL(fileURLWithPath: path))
        let trouble = #expect(throws: PartialFile.ReadError.self) { try file.output { _ in } }
        #expect(trouble?.description == "was changed during the merge; merge again")
    }

    /// Whatever is cut off or changed is noticed, and a file that was cut off is called that.
    @Test func damageIsNoticed() throws {
        let octets = try Self.octets(Self.partial, output: [UInt8](repeating: 9, count: 4096))
        #expect(try trouble(octets) == nil)
        var random = SeededGenerator(seed: 3)
        let cuts = Array(1..<400) + (0..<100).map { _ in Int(random.next(below: UInt64(octets.count))) }
        for count in cuts where count > 0 {
            #expect(try trouble(Array(octets.prefix(count)))?.contains("cut off") == true, "\(count) bytes")
        }
        for place in Array(0..<400) + (0..<100).map({ _ in Int(random.next(below: UInt64(octets.count))) }) {
            var changed = octets
            changed[place] ^= UInt8(1 << random.next(below: 8))
            #expect(try trouble(changed) != nil, "byte \(place)")
        }
        #expect(try trouble(octets + [0])?.contains("altered") == true)
        #expect(try trouble([])?.contains("cut off") == true)
        #expect(try trouble(Array("doors,stay\n3,0.33\n".utf8))?.contains("not a partial file") == true)
    }

    @Test func aMissingFileIsReported() {
        #expect(throws: PartialFile.ReadError.self) { try PartialFile("/tmp") }
        #expect(throws: PartialFile.ReadError.self) { try PartialFile(path) }
    }
}
