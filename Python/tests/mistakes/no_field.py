import potluck


class Mine(potluck.Simulation):  # refused: Count
    """Counts something."""

    def trial(self, random):
        random.coin()
