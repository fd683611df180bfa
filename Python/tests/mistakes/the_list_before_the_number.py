import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def trial(self, random):
        deck = list(range(52))
        hand = random.sample(deck, 5)  # refused: the number comes first; random.sample(count, list)
        self.won.add(0 in hand)
