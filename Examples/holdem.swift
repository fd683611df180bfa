import PotluckKit

/// The best hand of poker in two cards and the five on the table.
struct Holdem: Simulation {
    static let name: StaticString = "holdem"
    static let summary: StaticString = "What is the best hand of poker in two cards and the five on the table?"

    struct Tally: SimulationTally {
        var hand = Counts<9>()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("hand", &hand) }
    }

    let deck = Array(0..<52)
    // A hand takes as long as 60 draws.
    var blockSize: Int { Block.size(forTrialsOf: 60) }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        var (ranks, suits) = ([13 of Int](repeating: 0), [4 of Int](repeating: 0))
        for card in random.sample(7, of: deck) {
            ranks[card % 13] += 1
            suits[card / 13] |= 1 << (card % 13)
        }
        var (pairs, most, seen) = (0, 0, 0)
        for rank in 0..<13 {
            pairs += ranks[rank] >= 2 ? 1 : 0
            most = max(most, ranks[rank])
            seen |= ranks[rank] > 0 ? 1 << rank : 0
        }
        var flush: Int?
        for suit in 0..<4 where suits[suit].nonzeroBitCount >= 5 { flush = suits[suit] }
        if let flush, isStraight(flush) { return tally.hand.add(8) }
        if most == 4 { return tally.hand.add(7) }
        if most == 3, pairs >= 2 { return tally.hand.add(6) }
        if flush != nil { return tally.hand.add(5) }
        if isStraight(seen) { return tally.hand.add(4) }
        tally.hand.add(most == 3 ? 3 : min(pairs, 2))
    }

    /// The ace, 12, is also below the two.
    private func isStraight(_ ranks: Int) -> Bool {
        let row = ranks << 1 | ranks >> 12
        return row & row >> 1 & row >> 2 & row >> 3 & row >> 4 != 0
    }

    static var readings: [ReadingRule<Holdem>] {
        proportions(
            [
                "high card", "pair", "two pairs", "three of a kind", "straight", "flush", "full house",
                "four of a kind", "straight flush",
            ], { $0.hand }, exact: { _ in exact })
    }

    /// How many of all hands of seven cards each category has.
    private static let exact: [9 of Double] = {
        let hands: [9 of Double] = [
            23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 41_584,
        ]
        return [9 of Double] { hands[$0] / 133_784_560 }
    }()
}
