from potluck import Count


class Mine:  # refused: Mine is no simulation; class Mine(potluck.Simulation):
    """Counts something."""

    won = Count()

    def trial(self, random):
        self.won.add(random.coin())
