"""`potluck watch ADDRESS`: shows the jobs of a session as text."""

from __future__ import annotations

from .._command.arguments import Command
from . import machine, picture
from .fields import Message
from .guest import Guest
from .place import ADDRESS, CONNECT_FILE, JSON, Place, command
from .report import Report

COMMAND = Command(
    "watch", "watch the jobs of a session", (ADDRESS,), (JSON, CONNECT_FILE),
    ("This shows what the session's page shows, as text. With --json it prints what the server sends.",),
    ("watch http://ana.local:7077/#…",))

#: The states of a job that can still change.
_UNDER_WAY = ("waiting", "running", "paused", "stopping", "lost")


class Watcher(Guest):
    def __init__(self, place: Place, report: Report) -> None:
        super().__init__(place.address, machine.name(), report, place.again)
        #: The latest pictures of the jobs that are under way.
        self._jobs: dict[str, Message] = {}
        #: The jobs whose results were shown. A gateway shows its latest ones to everybody who joins.
        self._shown_results: set[str] = set()
        self._members = ""

    def left(self) -> None:
        self._jobs.clear()

    def take(self, message: Message) -> None:
        kind = message.text("is")
        if kind != "ping":
            own = ("is", "event", "at")
            self.report.event(kind, **{key: value for key, value in message.values.items() if key not in own})
        if kind == "session":
            self._members = picture.members(message)
        elif kind == "over":
            self._jobs.pop(message.text("job"), None)
        elif kind == "job":
            self._see(message.text("job"), message)

    def _see(self, job: str, message: Message) -> None:
        is_under_way = message.text("state") in _UNDER_WAY
        # Whatever is wrong with a picture shows here, and not when it is drawn.
        summary, lines = picture.summary(message), [picture.heading(message), *picture.table(message)]
        if is_under_way:
            self._jobs[job] = message
            return
        self._jobs.pop(job, None)
        # The digest comes with the result.
        if job not in self._shown_results and (message.has("digest") or message.text("state") == "failed"):
            self._shown_results.add(job)
            self.report.lines(["", *lines, ""] if message.has("digest") else [summary])

    def show(self, absence: str) -> None:
        if absence or not self._jobs:
            return self.report.status([absence or f"In {self.session}: {self._members}"])
        jobs = list(self._jobs.values())
        self.report.status(
            [picture.summary(job) for job in jobs],
            [line for job in jobs for line in [picture.progress(job), *picture.table(job), ""]])


def main(words: list[str]) -> int:
    """Runs the command with the words after its name. Returns the exit code."""
    return command(COMMAND, words, lambda given: lambda place, report: Watcher(place, report))
