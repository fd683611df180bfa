"""What only the program for Linux has: its commands and options, and what each is for."""

from __future__ import annotations

WHERE = "install this wheel on Linux for x86-64, or build Potluck from its sources"

#: The commands, with their summaries.
COMMANDS = {
    "merge": "put together the parts of a job that shards computed",
    "campaign": "have a batch engine compute a job in rounds, until it is precise enough",
    "scale": "measure how the speed of a job grows with the number of cores or nodes",
    "difference": "compare settings that meet the same random numbers",
    "sensitivity": "measure how much of a reading's variance each parameter explains",
    "launch": "run a program whose ranks send messages to each other, as with MPI",
    "build": "compile a simulation or a program with ranks to a WebAssembly module",
    "replay": "run one block again to find the trial that fails",
    "serve": "start a session for others to join",
    "peer": "take part in a session without a server",
    "pause": "pause a job of a session",
    "resume": "resume a stopped run of this machine, or a paused job of a session",
    "cancel": "cancel a job of a session",
    "takeover": "continue the jobs of a lost coordinator on this machine",
    "say": "show a message on every screen of a session",
    "kick": "remove a node or a viewer from a session",
    "web": "show the address of a session's page for browsers",
    "history": "list, compare and annotate recorded runs",
    "report": "make a printable page of a run, of several or of a sweep",
    "config": "show and change settings",
    "browse": "show the sessions and nodes nearby",
    "completions": "print completions for bash, zsh or fish",
}

_SESSION = "use 'potluck join' to compute for a session"
_HISTORY = "this command records no runs"
#: The options of commands that are here, with what to do without them.
OPTIONS = {
    "run": {
        **{name: "it runs shards" for name in ("shard", "partial", "with-output")},
        **{name: _SESSION for name in (
            "session", "wait-for", "start-in", "nodes", "no-browsers", "code", "code-file", "open", "name", "connect",
            "connect-file", "interface", "no-mdns", "no-beacon")},
        "native": "modules run in the sandbox only", "pick": "use -p airports=LHR,JFK", "watch": "it watches files", "csv": "use --json",
        "state": _HISTORY, "log-file": "messages go to stderr",
        "log-level": "messages go to stderr", "verbose": "messages go to stderr",
        "hide-exact": "it has screens for a class", "slow": "it has screens for a class",
    },
    "new": {name: "simulations in Swift are compiled there" for name in ("swift", "search", "lanes", "ranks")},
}


def command(name: str) -> str:
    """Returns the line about a command that is not here."""
    return f"'potluck {name}' is in the program for Linux ({COMMANDS[name]}); {WHERE}"
