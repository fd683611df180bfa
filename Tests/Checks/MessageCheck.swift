import PotluckCore
import PotluckKit

extension Check {
    /// Bytes that were changed, cut, joined or made up are either decoded or refused. A decoded message encodes to at
    /// most as many bytes, because unknown fields are skipped, and these decode to the same message.
    static let messages = Check(name: "messages", few: 16_000) { seeds in
        var read = 0
        for seed in seeds {
            var random = RandomStream(seed: seed, block: 1, lane: 0)
            var octets = Samples.random(&random).encoded()
            for _ in 0...random.next() % 4 { mutate(&octets, &random) }
            guard let message = try? Message.decode(octets) else { continue }
            read += 1
            let again = message.encoded()
            try must(
                (again.count <= octets.count || isReworded(message)) && (try? Message.decode(again)) == message,
                "seed \(seed): \(octets.hexadecimal) is written as \(again.hexadecimal)")
        }
        // If hardly any mutated message could be decoded, this would check nothing.
        try must(read > seeds.count / 40, "seeds \(seeds): only \(read) were read")
    }

    /// Whether the message has a sentence about a failed block, which is made anew from the block's numbers and may become
    /// longer.
    private static func isReworded(_ message: Message) -> Bool {
        guard case .job(.picture(let picture)) = message, case .failed(.block) = picture.state else { return false }
        return true
    }

    private static func mutate(_ octets: inout [UInt8], _ random: inout RandomStream) {
        let place = octets.isEmpty ? 0 : Int(random.next() % UInt32(octets.count))
        switch random.next() % 6 {
        case 0 where !octets.isEmpty: octets[place] ^= UInt8(1 << (random.next() % 8))
        case 1 where !octets.isEmpty: octets[place] = [0, 1, 0x7f, 0x80, 0xff][Int(random.next() % 5)]
        case 2: octets.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
        case 3: octets.removeLast(octets.count - place)
        case 4: octets += Samples.random(&random).encoded().suffix(Int(random.next() % 16))
        default: if !octets.isEmpty { octets.remove(at: place) }
        }
    }
}
