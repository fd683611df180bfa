from enum import Enum

import potluck
from potluck import Count


class Suit(Enum):
    HEARTS = 1
    SPADES = 2


class Mine(potluck.Simulation):
    """Counts something."""

    won = Count()

    def trial(self, random):
        suit = random.integer(1, 2)
        self.won.add(suit == Suit.HEARTS)  # refused: a constant at the top of the file: HEARTS = 1
