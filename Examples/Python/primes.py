import math

import potluck
from potluck import Count, Maximum, Parameter, derived


class Primes(potluck.Gathering):
    """Which primes are there below a limit?"""

    limit = Parameter(1_000_000, "all primes below this number", 2, 10**12)

    primes, last = Count(), Maximum()
    block_size = 1 << 14

    def prepare(self):
        root = math.isqrt(self.limit)
        composite = [False] * (root + 1)
        for number in range(2, root + 1):
            if not composite[number]:
                for multiple in range(number * number, root + 1, number):
                    composite[multiple] = True
        self.divisors = [number for number in range(2, root + 1) if not composite[number]]

    def units(self):
        return self.limit

    def is_prime(self, number):
        for divisor in self.divisors:
            if divisor * divisor > number:
                break
            if number % divisor == 0:
                return False
        return number > 1

    def block(self, units, random, output):
        for number in units:
            if self.is_prime(number):
                self.primes.add()
                self.last.add(number)
                output.line(number)

    readings = [
        derived("primes", lambda self, tally, units: tally.primes.value),
        derived("last prime", lambda self, tally, units: tally.last.value),
    ]
