"""A list in a note."""

import potluck
from potluck import Count


class Dice(potluck.Simulation):
    won = Count()

    def trial(self, random):
        rolls = [random.integer(1, 6) for _ in range(3)]
        self.note(f"rolled {rolls}")  # refused: a note shows numbers; a list of whole numbers; for x in
        self.won.add(sum(rolls) == 7)
