"""The figures of a run of benchmarks: they are kept in a file, printed as a table, and held against what is wanted."""
import os
import time


def report(what, value, unit, bound="", remark=""):
    """Prints a figure, and adds it to the file that Benchmarks/run makes its table of. `bound` is "≥ 2", "≤ 2" or empty."""
    text = short(value)
    print(f"{what:38}  {f'{text} {unit}':30}  {f'wanted {bound}' if bound else '':14}  {remark}".rstrip(), flush=True)
    if path := os.environ.get("POTLUCK_BENCH_FIGURES"):
        with open(path, "a") as file:
            file.write("\t".join([what, text, unit, bound, remark]) + "\n")


def short(number):
    """A number with as many digits as matter."""
    if number >= 1000 or number == round(number):
        return f"{number:.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def read(path):
    with open(path) as file:
        return [line.rstrip("\n").split("\t") for line in file]


def verdict(value, bound):
    if not bound or not value:
        return ""
    sign, wanted = bound.split()
    return "ok" if (float(value) >= float(wanted) if sign == "≥" else float(value) <= float(wanted)) else "MISSED"


def table(figures):
    """The figures as a table in Markdown, which can be read as plain text, too."""
    lines = [("what", "got", "wanted", "", "measured")]
    for what, value, unit, bound, remark in figures:
        lines.append((what, f"{value} {unit}".strip() or "not measured", bound, verdict(value, bound), remark))
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rows = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines]
    rows.insert(1, "| " + " | ".join("-" * width for width in widths) + " |")
    return "\n".join(rows)


class Quiet:
    """Whether other programs used the machine while the benchmarks ran.

    Steal is the time that a virtual machine had to wait for the real one. Both shares are of all cores.
    """

    MOST_STEAL = 0.01
    MOST_OTHERS = 0.03

    def __init__(self):
        self.load = os.getloadavg()[0]
        self.cores = os.cpu_count() or 1
        self.begin = self.times()

    @staticmethod
    def times():
        """The time passed; the processor time that was stolen, that all programs used, and that our programs used."""
        with open("/proc/stat") as file:
            ticks = [int(word) for word in file.readline().split()[1:9]]
        hertz = os.sysconf("SC_CLK_TCK")
        user, nice, system, _, _, interrupts, soft_interrupts, steal = ticks
        own = os.times()
        used = (user + nice + system + interrupts + soft_interrupts) / hertz
        return time.monotonic(), steal / hertz, used, own.user + own.system + own.children_user + own.children_system

    def end(self):
        passed, stolen, used, own = (after - before for after, before in zip(self.times(), self.begin))
        self.steal = stolen / passed / self.cores
        self.others = max(0.0, used - own) / passed / self.cores

    @property
    def is_quiet(self):
        return self.steal <= self.MOST_STEAL and self.others <= self.MOST_OTHERS

    def __str__(self):
        return (f"steal {self.steal:.1%}, other programs {self.others:.1%} of the machine, load {self.load:.1f} before"
                f" (quiet: at most {self.MOST_STEAL:.0%} and {self.MOST_OTHERS:.0%})")
