import potluck


class Mine(potluck.Simulation):
    """Counts something."""

    won = Count()  # refused: Count is not imported; from potluck import Count

    def trial(self, random):
        self.won.add(random.coin())
