import potluck


class Mine(potluck.Gathering):
    """Writes something."""

    writes = "text"

    def units(self):  # refused: 'units' returns a whole number; true or false
        return True

    def block(self, units, random, output):
        for unit in units:
            output.line(unit)
