extension Template {
    /// Names of classes that mean something else in the file or in Python.
    private static let taken: Set<String> = ["Count", "False", "None", "Parameter", "True"]

    /// The file of a simulation in Python.
    public var python: String {
        let type = Self.taken.contains(type("")) ? type("Simulation") : type("")
        return """
            import potluck
            from potluck import Count, Parameter, proportion


            class \(type)(potluck.Simulation):
                \"""How often do all dice show the same number?

                The line above says what the simulation computes. Replace it with your own question.
                \"""

                # The name for `potluck run`.
                name = "\(name)"

                # Parameters, set with: `potluck run \(name).py -p sides=20`.
                dice = Parameter(\(dice), "how many dice", 2, 10)
                sides = Parameter(6, "sides of each die", 2, 100)

                # What the trials count. There are also ExactSum, Moments, Minimum, Maximum and Histogram. All merge exactly, so
                # the result is the same on one laptop and on twenty.
                same = Count()

                # One trial. Take random numbers only from `random`. Nothing but the tally outlives a trial.
                def trial(self, random):
                    first = random.below(self.sides)
                    is_same = True
                    for _ in range(1, self.dice):
                        number = random.below(self.sides)
                        self.note(f"{first} and {number}")  # shown by `potluck replay`; costs nothing otherwise
                        if number != first:
                            is_same = False
                    self.same.add(is_same)

                # The numbers to show, with the exact answer if you know it.
                readings = [proportion("same", same, exact=lambda self: (1 / self.sides) ** (self.dice - 1))]

            """
    }
}
