import potluck
from potluck import Count, Moments, Parameter, mean, proportion


class Craps(potluck.Simulation):
    """How often does the shooter win at craps?"""

    sides = Parameter(6, "sides of a die", 2, 100)

    won, rolls = Count(), Moments()

    def throw(self, random):
        return random.integer(1, self.sides) + random.integer(1, self.sides)

    def trial(self, random):
        roll = point = self.throw(random)
        self.note(f"the first roll is {roll}")
        rolls = 1
        if roll in (7, 11):
            self.won.add(True)
        elif roll not in (2, 3, 12):
            roll = 0
            while roll != point and roll != 7:
                roll = self.throw(random)
                self.note(f"then {roll}")
                rolls += 1
            self.won.add(roll == point)
        self.rolls.add(rolls)

    readings = [
        proportion("won", won, exact=lambda self: 244 / 495 if self.sides == 6 else None),
        mean("rolls", rolls, exact=lambda self: 557 / 165 if self.sides == 6 else None),
    ]
