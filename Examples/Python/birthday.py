import math

import potluck
from potluck import Count, Parameter, proportion


class Birthday(potluck.Simulation):
    """Do two people in a room share a birthday?"""

    people = Parameter(23, "people in the room", 2, 1000)
    days = Parameter(365, "days in a year", 1, 100_000)

    shared = Count()

    def steps(self):
        # The first pair comes after about √(π/2 · days) people.
        return min(self.people, int(1.26 * math.sqrt(self.days)))

    def trial(self, random):
        taken = [False] * self.days
        for _ in range(self.people):
            birthday = random.below(self.days)
            if taken[birthday]:
                self.shared.add(True)
                return
            taken[birthday] = True

    def chance(self):
        # The sum over the first person to share a birthday. One minus the opposite would cancel in long years.
        shared, different = 0.0, 1.0
        for before in range(self.people):
            match = min(1.0, before / self.days)
            shared += different * match
            different *= 1 - match
        return shared

    readings = [proportion("shared", shared, exact=lambda self: self.chance())]
