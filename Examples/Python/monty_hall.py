import potluck
from potluck import Count, Parameter, proportion


class MontyHall(potluck.Simulation):
    """Behind one door is a car: is it better to stay or to switch?"""

    doors = Parameter(3, "doors to choose from", 3, 100)
    opened = Parameter(1, "doors the host opens", 1, 98)
    stay, switch = Count(), Count()

    def prepare(self):
        if self.opened > self.doors - 2:
            raise ValueError("the host must leave two doors closed: opened is at most doors - 2")

    def steps(self):
        return self.opened + 3

    def trial(self, random):
        car, pick = random.pair(self.doors, self.doors)
        self.stay.add(car == pick)
        # Doors are counted in a circle from the pick. How many goats could the host show, and how many before the car?
        goats = self.doors - 1 if car == pick else self.doors - 2
        before = (car - pick - 1) % self.doors
        # The first goat that the host shows, and the door to which the player switches.
        first, other = random.pair(goats, self.doors - 1 - self.opened)
        if first < before:
            before -= 1
        for shown in range(1, self.opened):
            if random.below(goats - shown) < before:
                before -= 1
        self.switch.add(other == before)

    def chance(self):
        return (self.doors - 1) / (self.doors * (self.doors - 1 - self.opened))

    readings = [
        proportion("stay", stay, exact=lambda self: 1 / self.doors),
        proportion("switch", switch, exact=lambda self: self.chance()),
    ]
