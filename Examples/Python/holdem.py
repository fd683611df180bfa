import potluck
from potluck import Counts, proportions

# All hands of seven cards.
ALL = 133_784_560


class Holdem(potluck.Simulation):
    """What is the best hand of poker in two cards and the five on the table?"""

    hand = Counts(
        "high card", "pair", "two pairs", "three of a kind", "straight", "flush", "full house", "four of a kind",
        "straight flush")

    def prepare(self):
        self.deck = list(range(52))

    def steps(self):
        # A hand takes as long as 60 draws.
        return 60

    def trial(self, random):
        ranks, suits = [0] * 13, [0] * 4
        for card in random.sample(7, self.deck):
            ranks[card % 13] += 1
            suits[card // 13] |= 1 << card % 13
        pairs, most, seen = 0, 0, 0
        for rank in range(13):
            pairs += ranks[rank] >= 2
            most = max(most, ranks[rank])
            seen |= (1 if ranks[rank] > 0 else 0) << rank
        flush, straight_flush = False, False
        for suit in suits:
            if self.cards(suit) >= 5:
                flush, straight_flush = True, self.is_straight(suit)
        if straight_flush:
            self.hand.add(8)
        elif most == 4:
            self.hand.add(7)
        elif most == 3 and pairs >= 2:
            self.hand.add(6)
        elif flush:
            self.hand.add(5)
        elif self.is_straight(seen):
            self.hand.add(4)
        else:
            self.hand.add(3 if most == 3 else min(pairs, 2))

    def is_straight(self, ranks):
        # The ace, 12, is also below the two.
        row = ranks << 1 | ranks >> 12
        return row & row >> 1 & row >> 2 & row >> 3 & row >> 4 != 0

    def cards(self, ranks):
        return sum([ranks >> rank & 1 for rank in range(13)])

    readings = [proportions(hand, exact=lambda self: [
        23_294_460 / ALL, 58_627_800 / ALL, 31_433_400 / ALL, 6_461_620 / ALL, 6_180_020 / ALL, 4_047_644 / ALL,
        3_473_184 / ALL, 224_848 / ALL, 41_584 / ALL])]
