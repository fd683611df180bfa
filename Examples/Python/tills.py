import potluck
from potluck import Moments, Parameter, Quantiles, Series, mean, quantile, series

TIMES = 50  # how often in a day the curve is measured


class Tills(potluck.Simulation):
    """One line before several tills: how long do customers wait?"""

    tills = Parameter(2, "open tills", 1, 20)
    customers = Parameter(200, "customers in a day; about one comes each minute", 1, 10_000)
    minutes = Parameter(1.7, "minutes that a customer takes at a till", 0.1, 20.0)

    wait, waits, day = Moments(), Quantiles(), Series(TIMES)

    def steps(self):
        # The same for any number of tills, so that the days of `potluck difference` have the same customers.
        return 8 * self.customers

    def trial(self, random):
        free = [0.0] * self.tills  # when each till is free
        now, waited = 0.0, 0.0
        every = (self.customers + TIMES - 1) // TIMES
        for customer in range(self.customers):
            now += random.exponential()
            next = 0
            for till in range(1, self.tills):
                if free[till] < free[next]:
                    next = till
            wait = max(0.0, free[next] - now)
            waited += wait
            self.waits.add(wait)
            if customer % every == 0:
                self.day.add(customer // every, wait)
            free[next] = now + wait + random.exponential(self.minutes)
        self.wait.add(waited / self.customers)

    readings = [mean("wait", wait), quantile("p95", waits, 0.95), series("wait in the course of a day", day)]
