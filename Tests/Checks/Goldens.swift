import PotluckKit

/// The tallies of known runs, checked in as `Tests/Catalogue/goldens.txt`. A change of one changes everybody's results.
/// The tests compare them in a debug build, `potluck-check` in an optimised one.
package enum Goldens {
    package static let path: String = {
        let tests = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return tests.joined(separator: "/") + "/Catalogue/goldens.txt"
    }()

    package static func computed() throws -> [String] {
        try Cases.all.get().flatMap { each in
            // One trial, one short block, and a full block followed by a short one.
            [1, 1000, UInt64(each.prepared.blockSize) + 37].enumerated().map { index, trials in
                line(each, trials: trials, seed: [1, 0xfedc_ba98_7654_3210, 42][index])
            }
        }
    }

    /// Returns the lines that only the file has or only this build computes.
    package static func differences(from file: String) throws -> [String] {
        let (written, computed) = (file.split(separator: "\n").map(String.init), try computed())
        return computed.filter { !written.contains($0) }.map { "computed, but not in goldens.txt: \($0)" }
            + written.filter { !computed.contains($0) }.map { "in goldens.txt, but not computed: \($0)" }
    }

    private static func line(_ each: Case, trials: UInt64, seed: UInt64) -> String {
        let reply = each.reply(of: 0..<each.blocks(for: trials), trials, seed: seed)
        return "\(each.description), seed \(seed), \(trials) trials: \(hash(reply))"
    }

    /// Returns the FNV-1a hash of the slots, as little-endian bytes, and the output.
    private static func hash(_ reply: ChunkReply) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func mix(_ octet: UInt64) { hash = (hash ^ octet) &* 0x100_0000_01b3 }
        for slot in reply.slots { for shift in stride(from: 0 as UInt64, to: 64, by: 8) { mix(slot >> shift & 0xff) } }
        for octet in reply.outputs.joined() { mix(UInt64(octet)) }
        return String(hash, radix: 16)
    }
}
