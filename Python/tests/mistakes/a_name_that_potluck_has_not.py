"""A name with a typing error, imported and not used."""

import potluck
from potluck import Count, derived, propotion  # refused: potluck has no 'propotion'; did you mean 'proportion'


class Coin(potluck.Simulation):
    heads = Count()

    def trial(self, random):
        self.heads.add(random.coin())

    readings = [derived("heads", lambda self, tally, trials: tally.heads.value / trials)]
