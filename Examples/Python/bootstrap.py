import potluck
from potluck import Quantiles, Table, derived, quantile


def middle_of(numbers):
    ordered = sorted(numbers)
    return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


class Bootstrap(potluck.Simulation):
    """How sure are a median and a ratio of measured numbers?"""

    # A bootstrap draws as many rows as there are, from themselves and again and again, and looks how much the median of such
    # a sample varies. The middle 95 % of the medians are a confidence interval.
    penguins = Table("their weights and the lengths of their wings", columns=["grams", "millimetres"])

    # How far a sample is off the data. Quantiles are exact to a part of a number, so they say more of a small one.
    medians, ratios = Quantiles(), Quantiles()

    def prepare(self):
        if len(self.penguins) == 0:
            raise ValueError("it needs numbers, such as --input penguins=Examples/penguins.csv")
        self.grams = self.penguins.column("grams")
        self.millimetres = self.penguins.column("millimetres")
        self.middle = middle_of(self.grams)
        self.share = sum(self.grams) / sum(self.millimetres)

    def steps(self):
        # A sample draws each number, and sorts them.
        return 20 * len(self.penguins)

    def trial(self, random):
        sample = self.grams[:]
        weight, length = 0.0, 0.0
        for place in range(len(sample)):
            row = random.below(len(sample))
            sample[place] = self.grams[row]
            weight += self.grams[row]
            length += self.millimetres[row]
        self.medians.add(middle_of(sample) - self.middle)
        self.ratios.add(weight / length - self.share)

    readings = [
        derived("median, from", quantile("low", medians, 0.025), lambda self, x: self.middle + x),
        derived("median, to", quantile("high", medians, 0.975), lambda self, x: self.middle + x),
        derived("grams per mm, from", quantile("low", ratios, 0.025), lambda self, x: self.share + x),
        derived("grams per mm, to", quantile("high", ratios, 0.975), lambda self, x: self.share + x),
    ]
