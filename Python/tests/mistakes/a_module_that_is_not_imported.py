from potluck import Count


class Mine(potluck.Simulation):  # refused: potluck is not imported
    """Counts something."""

    won = Count()

    def trial(self, random):
        self.won.add(random.coin())
