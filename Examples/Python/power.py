import math

import potluck
from potluck import Count, Moments, Parameter, derived, mean, proportion, student_quantile


class Power(potluck.Simulation):
    """How often does a trial of a medicine find that it works? Two groups, and Welch's test of their means."""

    patients = Parameter(64, "patients in each group", 2, 10_000)
    effect = Parameter(0.5, "by how much the medicine raises the mean", -5.0, 5.0)
    spread = Parameter(1.0, "the standard deviation of those who take it", 0.1, 10.0)
    level = Parameter(0.05, "how often a medicine without effect is found to have one", 1e-6, 0.5)

    found, wrong_way, difference = Count(), Count(), Moments()

    def prepare(self):
        # Welch's degrees of freedom, with the true variances.
        medicine = self.spread * self.spread
        freedom = (self.patients - 1) * (1 + medicine) * (1 + medicine) / (1 + medicine * medicine)
        # The difference in standard errors that counts as found.
        self.limit = student_quantile(1 - self.level / 2, freedom)

    def steps(self):
        return 8 * self.patients

    def group(self, random, middle, spread):
        total, squares = 0.0, 0.0
        for _ in range(self.patients):
            x = random.normal(0.0, spread)
            total += x
            squares += x * x
        middle_found = total / self.patients
        return middle + middle_found, (squares - total * middle_found) / (self.patients - 1)

    def trial(self, random):
        # Streams of their own: with the same seed, other effects meet the same patients.
        medicine = random.stream("medicine")
        placebo = random.stream("placebo")
        treated, spread = self.group(medicine, self.effect, self.spread)
        control, usual = self.group(placebo, 0.0, 1.0)
        difference = treated - control
        error = math.sqrt((spread + usual) / self.patients)
        self.found.add(difference > self.limit * error)
        self.wrong_way.add(difference < -self.limit * error)
        self.difference.add(difference)

    readings = [
        proportion("power", found),
        derived("missed", proportion("power", found), lambda self, power: 1 - power),
        proportion("wrong way", wrong_way),
        mean("difference", difference, exact=lambda self: self.effect),
    ]
