import potluck
from potluck import Count, Moments, Parameter


class Mine(potluck.Simulation):
    """Counts something."""

    sides = Parameter(6, "sides of a die", 2, 100)
    won, rolls = Count(), Moments()

    def prepare(self):
        self.cards = list(range(52))

    def trial(self, random):
        random.shuffle(self.cards)  # refused: only read
        self.rolls.add(self.cards[0])
