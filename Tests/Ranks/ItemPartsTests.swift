import PotluckChecks
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckRanks

/// Items that are cut into parts arrive whole, and nothing else is believed.
@Suite struct ItemPartsTests {
    /// Cuts bytes at random places. No part is empty.
    private func cut(_ octets: [UInt8], _ random: inout RandomStream) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var begin = 0
        while begin < octets.count {
            let end = begin + 1 + random.below(min(octets.count - begin, 1 + random.below(octets.count)))
            parts.append(octets[begin..<end])
            begin = end
        }
        return parts
    }

    private func joined(_ parts: [ArraySlice<UInt8>], _ whole: inout RankItemParts) throws -> RankItem? {
        for part in parts.dropLast() {
            #expect(try whole.add(part, isLast: false) == nil)
        }
        return try whole.add(parts[parts.count - 1], isLast: true)
    }

    /// The pieces in which an item is sent are its encoding, and any cuts of it are the item again, one after the other.
    @Test func anyCutsAreTheItem() throws {
        for seed: UInt64 in 0..<400 {
            var random = RandomStream(seed: seed, block: 3, lane: 0)
            var any = AnyRankItem(random: random)
            var whole = RankItemParts()
            for kind in 0..<AnyRankItem.kinds {
                let item = any.item(kind)
                let octets = item.encoded()
                #expect(item.pieces.head + item.pieces.tail == octets)
                let parts = cut(octets, &random)
                #expect(try joined(parts, &whole) == item, "seed \(seed)")
                #expect(whole.octets == 0 && whole.count == 0)
            }
        }
    }

    /// Damaged bytes in parts are refused, or are what the same bytes are in one piece.
    @Test func damagedPartsAreNoOtherItem() {
        var read = 0
        for seed: UInt64 in 0..<5_000 {
            var random = RandomStream(seed: seed, block: 4, lane: 0)
            var generator = SeededGenerator(seed: seed)
            var any = AnyRankItem(random: random)
            let octets = mutated(any.next().encoded(), &generator, odd: [0, 1, 0x11, 0x7f, 0x80, 0xff])
            guard !octets.isEmpty else { continue }
            var whole = RankItemParts()
            guard let item = try? joined(cut(octets, &random), &whole) else { continue }
            read += 1
            #expect(item.encoded() == octets, "seed \(seed)")
        }
        #expect(read > 200)
    }

    /// A long message of another length than it claims ends the program, however it is cut.
    @Test(arguments: [-1, 1]) func aMessageHasTheLengthThatItClaims(more: Int) throws {
        let item = RankItem.letter(.octets([UInt8](repeating: 7, count: 1000), source: 1, number: 2, to: 3))
        var octets = item.encoded()
        if more < 0 { octets.removeLast() } else { octets.append(7) }
        for first in [20, 500, octets.count - 1] {
            var whole = RankItemParts()
            #expect(throws: WireError.self) { try joined([octets[..<first], octets[first...]], &whole) }
        }
        // One byte more than can be claimed.
        let longest = RankItem.letter(.octets([], source: 1, number: 2, to: 3))
        var writer = ByteWriter()
        writer.raw(longest.encoded())
        writer.varint(4 as UInt64)
        writer.varint(UInt64(RankLimits.message + 1))
        var whole = RankItemParts()
        #expect(throws: WireError.self) { try whole.add(writer.bytes[...], isLast: false) }
    }
}
