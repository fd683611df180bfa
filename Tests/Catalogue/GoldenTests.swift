import Foundation
import PotluckKit
import Testing

/// The tallies that are checked in: whoever changes one changes everybody's results. Where that is meant, raise
/// `RandomStream.version` (for a draw of the kit), run the tests with POTLUCK_GOLDENS=write, and look at the difference.
@Suite struct GoldenTests {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "goldens.txt")

    /// One trial, one short block, and a block and a short one.
    private func trials(_ each: Case) -> [UInt64] { [1, 1000, UInt64(each.prepared.blockSize) + 37] }

    private func line(_ each: Case, trials: UInt64, seed: UInt64) -> String {
        let reply = each.reply(of: 0..<each.blocks(for: trials), trials, seed: seed)
        return "\(each.description), seed \(seed), \(trials) trials: \(hash(reply))"
    }

    @Test func everyTallyIsTheOneCheckedIn() throws {
        let lines = try Cases.all.get().flatMap { each in
            trials(each).enumerated().map { line(each, trials: $1, seed: [1, 0xfedc_ba98_7654_3210, 42][$0]) }
        }
        if ProcessInfo.processInfo.environment["POTLUCK_GOLDENS"] == "write" {
            try (lines.joined(separator: "\n") + "\n").write(to: Self.file, atomically: true, encoding: .utf8)
            Issue.record("goldens.txt is written anew: look at the difference, and run again without POTLUCK_GOLDENS")
            return
        }
        let known = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
        for line in lines where !known.contains(line) { Issue.record("not in goldens.txt: \(line)") }
        for line in known where !lines.contains(line) { Issue.record("only in goldens.txt: \(line)") }
    }

    @Test func everySimulationHasOne() throws {
        #expect(Set(try Cases.all.get().map(\.simulation.name)) == Set(Catalogued.names))
    }

    /// FNV-1a over the slots' octets, the least significant first, and what is written.
    private func hash(_ reply: ChunkReply) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ octet: UInt64) { hash = (hash ^ octet) &* 0x100_0000_01b3 }
        for slot in reply.slots { for shift in stride(from: 0 as UInt64, to: 64, by: 8) { mix(slot >> shift & 0xff) } }
        for octet in reply.outputs.joined() { mix(UInt64(octet)) }
        return String(hash, radix: 16)
    }
}
