import PotluckCore
import PotluckKit
import PotluckRanks

extension Check {
    /// Bytes that were changed, cut or made up are no item, or the only encoding of one.
    static let items = Check(name: "items of programs with ranks", few: 8000) { seeds in
        var read = 0
        for seed in seeds {
            var any = AnyRankItem(random: RandomStream(seed: seed, block: 3, lane: 0))
            var generator = SeededGenerator(seed: seed)
            let whole = any.item(Int(seed % UInt64(AnyRankItem.kinds)))
            try must((try? RankItem(whole.encoded())) == whole, "seed \(seed): \(whole) is read as another item")
            let octets = mutated(whole.encoded(), &generator, odd: [0, 1, 0x7f, 0x80, 0xff])
            guard let item = try? RankItem(octets) else { continue }
            read += 1
            let again = item.encoded()
            try must(
                again == octets, "seed \(seed): \(octets.hexadecimal) is written as \(again.hexadecimal)")
        }
        // If hardly any mutated item could be decoded, this would check nothing.
        try must(read > seeds.count / 40, "seeds \(seeds): only \(read) were read")
    }
}
