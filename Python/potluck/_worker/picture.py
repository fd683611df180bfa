"""A job as a gateway pictures it, in lines of text."""

from __future__ import annotations

import re

from .fields import Message
from .report import amount, count, time

#: The numbers of a reading have at most this many decimals, as those of the page.
_MOST_DECIMALS = 20
_SPACE = "\u202f"
#: The kinds of readings that are no numbers.
_PICTURES = ("histogram", "series", "histogram2D")


def summary(job: Message) -> str:
    """Returns the job in one line, as `potluck run` reports it."""
    readings = [
        f"{reading.text('name')} {reading.text('text')}{_spread(reading)}" for reading in job.objects("readings")
        if reading.text("kind") not in _PICTURES]
    return "; ".join([progress(job), *readings])


def progress(job: Message) -> str:
    """Returns how far the job is."""
    trials = _work(job)
    parts = [f"{trials} for {job.text('goal')}" if job.has("goal") and job.text("state") == "running" else trials]
    if job.has("elapsed"):
        parts.append(time(job.real("elapsed")))
    if job.has("rate"):
        parts.append(f"{amount(job.real('rate'))}/s")
    if job.has("fraction"):
        parts.append(f"{int(100 * min(1.0, job.real('fraction')))} %")
    if job.has("left"):
        parts.append(f"about {time(job.real('left'))} left")
    state = job.text("state") + (f": {job.text('detail')}" if job.has("detail") else "")
    return f"{job.text('simulation')}: {state}; {', '.join(parts)}"


def _work(job: Message) -> str:
    """Returns the trials or units that are done."""
    return f"{_grouped(job.big('trials'))} {job.text('unit') if job.has('unit') else 'trial'}s"


def heading(job: Message) -> str:
    """Returns what was computed."""
    given = [
        f"{one.text('name')} {one.text('value')}" for one in job.objects("parameters") if not one.flag("isDefault")]
    return ", ".join([job.text("simulation"), *given]) + f": {_work(job)}"


def table(job: Message) -> list[str]:
    """Returns the readings and the nodes of a job, one a line."""
    rows = [["", "value", "95 % interval", "exact"]]
    for reading in job.objects("readings"):
        if reading.text("kind") in _PICTURES:
            continue
        text = reading.text("text")
        ends = [_like(text, reading.real(end)) for end in ("low", "high") if reading.has(end)]
        exact = _like(text, reading.real("exact")) if reading.has("exact") else ""
        rows.append([reading.text("name"), text, " … ".join(ends), exact])
    lines = ["", *_aligned(rows)]
    rows = [["", "cores", "share", ""]]
    for node in job.objects("nodes"):
        share = f"{100 * node.real('share'):.1f} %"
        rows.append([node.text("name"), str(node.count("cores")), share, node.text("state")])
    lines += ["", *_aligned(rows)] if len(rows) > 1 else []
    if job.has("browsers"):
        lines.append(job.text("browsers"))
    if job.has("digest"):
        lines.append(f"digest {job.text('digest')}")
    return lines


def members(session: Message) -> str:
    """Returns who takes part, in one line."""
    here = [member for member in session.objects("members") if member.text("kind") != "viewer"]
    cores = sum(member.count("cores") for member in here)
    lost = [member.text("name") for member in here if member.text("state") == "lost"]
    away = f"; no contact with {', '.join(lost)}" if lost else ""
    return f"{count(len(here), 'node')} with {count(cores, 'core')} in this session{away}."


def _spread(reading: Message) -> str:
    if not (reading.has("low") and reading.has("high")):
        return ""
    return f" ± {_like(reading.text('text'), (reading.real('high') - reading.real('low')) / 2)}"


def _like(text: str, value: float) -> str:
    """Returns a number with as many decimals as the text of another one."""
    found = re.fullmatch(r"[-−]?\d+(?:\.(\d*))?", text.replace(_SPACE, ""))
    if found is None:
        return f"{value:.5g}"
    return f"{value:.{min(_MOST_DECIMALS, len(found[1] or ''))}f}".replace("-", "−")


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", _SPACE)


def _aligned(rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  " + "   ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
