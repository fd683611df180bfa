import potluck
from potluck import Count, Moments, Parameter, mean, proportion


class GamblersRuin(potluck.Simulation):
    """Bet one coin a round until you reach your goal or lose all: how does it end?"""

    stake = Parameter(10, "coins at the start", 1, 999)
    goal = Parameter(20, "coins to stop at", 2, 1000)
    p = Parameter(0.5, "probability of winning a round", 0.01, 0.99)
    won, rounds = Count(), Moments()

    def prepare(self):
        if self.stake >= self.goal:
            raise ValueError("the goal must be above the stake")
        # With r, the odds against the likelier player, and S(n) = 1 + … + rⁿ⁻¹, that player wins with S(s) / S(goal).
        likelier = max(self.p, 1 - self.p)
        powers, sums, all_sums = [1.0] * (self.goal + 1), [0.0] * (self.goal + 1), [0.0] * (self.goal + 1)
        for n in range(self.goal):
            powers[n + 1] = powers[n] * ((1 - likelier) / likelier)
            sums[n + 1] = sums[n] + powers[n]
            all_sums[n + 1] = all_sums[n] + sums[n]
        s = self.stake if self.p >= 0.5 else self.goal - self.stake
        share = sums[s] / sums[-1]
        self.wins = share if self.p >= 0.5 else sum(powers[s:-1]) / sums[-1]
        self.lasts = (share * all_sums[-1] - all_sums[s]) / likelier

    def trial(self, random):
        coins, rounds = self.stake, 0
        while 0 < coins < self.goal:
            coins += 1 if random.chance(self.p) else -1
            rounds += 1
        self.won.add(coins == self.goal)
        self.rounds.add(rounds)

    def steps(self):
        return int(self.lasts)

    readings = [proportion("won", won, exact=lambda self: self.wins),
                mean("rounds", rounds, exact=lambda self: self.lasts)]
