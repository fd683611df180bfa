"""Command lines: what a command takes, and what was typed."""

from __future__ import annotations

from typing import Any, Callable, Mapping, NamedTuple, Optional, Sequence

from . import spelling
from .failures import Stray, UsageError, ValueIsWrong, of_value

#: Stands for a space at which a line must not end.
_UNBROKEN = "\u00a0"
#: Longer lines are hard to read.
_WIDEST = 80
#: Notes up to this length are not broken over two lines.
_LONGEST_WHOLE = 20


class Option(NamedTuple):
    """An option. A flag has no placeholder."""

    name: str
    help: str
    group: str
    placeholder: str = ""
    short: str = ""
    #: What holds if it is not given, in words.
    standard: str = ""
    repeats: bool = False
    #: The variable that is used if it is not given.
    variable: str = ""
    read: Callable[[str], Any] = str

    @property
    def spelled(self) -> str:
        return (f"-{self.short}, " if self.short else "") + f"--{self.name}" + (
            f" {self.placeholder}" if self.placeholder else "")

    @property
    def explained(self) -> str:
        notes = [f"default: {self.standard}"] * bool(self.standard) + ["repeatable"] * self.repeats
        notes += [f"env: {self.variable}"] * bool(self.variable)
        if not notes:
            return self.help
        text = f"({'; '.join(notes)})"
        return f"{self.help} {text.replace(' ', _UNBROKEN) if len(text) <= _LONGEST_WHOLE else text}"


class Command(NamedTuple):
    """A command of the program. `arguments` has the name and the help of each; an optional one is in brackets."""

    name: str
    summary: str
    arguments: tuple[tuple[str, str], ...] = ()
    options: tuple[Option, ...] = ()
    details: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def usage(self) -> str:
        return " ".join(
            [self.name, *(name for name, _ in self.arguments), *(["[OPTIONS]"] if self.options else [])])

    def help(self, columns: int) -> list[str]:
        """Returns the lines of its help, for a terminal with this many columns."""
        parts: list[Any] = [f"Usage: potluck {self.usage}", sentence(self.summary)]
        if self.arguments:
            parts.append(("", [(name.strip("[]"), help) for name, help in self.arguments]))
        for group in dict.fromkeys(option.group for option in self.options):
            rows = [(option.spelled, option.explained) for option in self.options if option.group == group]
            parts.append((f"{group}:", rows))
        parts.append(("", [("-h, --help", "show this help")]))
        parts += self.details
        if self.examples:
            parts.append(["Examples:", *(f"  potluck {example}" for example in self.examples)])
        return laid_out(parts, columns)


def sentence(summary: str) -> str:
    """`run a program` as `Run a program.`"""
    return summary[:1].upper() + summary[1:] + "."


def laid_out(parts: Sequence[Any], columns: int) -> list[str]:
    """Returns texts, lists of lines, and tables with a heading and two columns, with an empty line between them."""
    width = max(10, min(columns, _WIDEST))
    left = max((len(head) for part in parts if isinstance(part, tuple) for head, _ in part[1]), default=0)
    lines: list[str] = []
    for place, part in enumerate(parts):
        lines += [""] * (place > 0)
        if isinstance(part, str):
            lines += wrapped(part, width)
        elif isinstance(part, list):
            lines += part
        else:
            lines += [part[0]] * bool(part[0]) + _table(part[1], left, width)
    return lines


def _table(rows: Sequence[tuple[str, str]], left: int, width: int) -> list[str]:
    if width - left - 4 < 20:
        return [line for head, text in rows for line in
                (f"  {head}", *(f"    {line}" for line in wrapped(text, width - 4)))]
    return [f"  {head if place == 0 else '':{left + 2}}{line}" for head, text in rows
            for place, line in enumerate(wrapped(text, width - left - 4))]


def wrapped(text: str, width: int) -> list[str]:
    """Breaks a text into lines between words. A word that is wider than a line stays whole."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [line.replace(_UNBROKEN, " ") for line in lines]


class Arguments:
    """The words of a command line, checked against what its command takes."""

    def __init__(
        self, options: Mapping[str, list[str]], sources: Mapping[str, list[str]], words: Sequence[str]
    ) -> None:
        self._options, self._sources, self.words = options, sources, tuple(words)

    def has(self, option: Option) -> bool:
        return option.name in self._options

    def all(self, option: Option) -> list[Any]:
        """Returns the values of an option, in the order given."""
        found = []
        for text, source in zip(self._options.get(option.name, []), self._sources.get(option.name, [])):
            try:
                found.append(option.read(text))
            except ValueIsWrong as why:
                raise of_value(text, source, why) from None
        return found

    def value(self, option: Option) -> Any:
        """Returns the value of an option; None if it was not given."""
        return (self.all(option) or [None])[-1]


class HelpWanted(Exception):
    """Somebody wants to see the help of a command."""

    def __init__(self, command: Command) -> None:
        super().__init__(command.name)
        self.command = command


class VersionWanted(Exception):
    """Somebody wants to see the version."""


def parse(command: Command, line: Sequence[str], environment: Mapping[str, str]) -> Arguments:
    """Parses the words after a command's name."""
    for word in line:
        if word == "--":
            break
        if word in ("--help", "-h"):
            raise HelpWanted(command)
        if word in ("--version", "-V"):
            raise VersionWanted
    parser = _Parser(command, line)
    parser.parse()
    for option in command.options:
        value = environment.get(option.variable, "") if option.variable else ""
        # A flag's variable may also turn it off.
        if option.name in parser.given or not value:
            continue
        if option.placeholder or value.lower() not in ("0", "no", "false"):
            parser.note(option, value, option.variable)
    return Arguments(parser.given, parser.sources, parser.words)


class _Parser:
    def __init__(self, command: Command, line: Sequence[str]) -> None:
        self.command, self.line, self._rest = command, tuple(line), list(line)
        self.given: dict[str, list[str]] = {}
        self.sources: dict[str, list[str]] = {}
        self.words: list[str] = []

    def parse(self) -> None:
        while self._rest:
            word = self._rest.pop(0)
            if word == "--":
                for rest in self._rest:
                    self._word(rest)
                break
            if word.startswith("--"):
                name, mark, value = word[2:].partition("=")
                self._named(name, value if mark else None)
            elif word.startswith("-") and word != "-":
                option = next((each for each in self.command.options if each.short == word[1]), None)
                if option is None:
                    raise self._unknown(word, None)
                self._option(option, word[2:] or None, f"-{word[1]}")
            else:
                self._word(word)
        missing = [name for name, _ in self.command.arguments[len(self.words):] if not name.startswith("[")]
        if missing:
            raise UsageError(f"missing argument {missing[0]}; usage: potluck {self.command.usage}")

    def note(self, option: Option, value: str, source: str) -> None:
        self.given.setdefault(option.name, []).append(value)
        self.sources.setdefault(option.name, []).append(source)

    def _word(self, word: str) -> None:
        if len(self.words) >= len(self.command.arguments):
            name, mark, value = word.partition("=")
            stray = Stray(name, value, self.line) if mark and name and value else None
            raise UsageError(
                f"unexpected argument {spelling.quoted(word)}; usage: potluck {self.command.usage}", stray)
        self.words.append(word)

    def _named(self, name: str, value: Optional[str]) -> None:
        option = next((each for each in self.command.options if each.name == name), None)
        if option is None:
            raise self._unknown(f"--{name}", value)
        self._option(option, value, f"--{name}")

    def _option(self, option: Option, attached: Optional[str], name: str) -> None:
        value = ""
        if option.placeholder:
            found = attached if attached is not None else self._next()
            if found is None:
                raise UsageError(f"{name} needs a value; usage: {name} {option.placeholder}")
            value = found
        elif attached is not None:
            raise UsageError(f"{name} takes no value")
        if option.name in self.given and not option.repeats:
            raise UsageError(f"{name} is given twice")
        self.note(option, value, name)

    def _next(self) -> Optional[str]:
        """Takes the next word, unless it is another option: in `--trials --json` the number is missing."""
        if not self._rest or self._rest[0].startswith("--"):
            return None
        # A negative number is a value.
        if self._rest[0][:1] == "-" and any(option.short == self._rest[0][1:2] != "" for option in self.command.options):
            return None
        return self._rest.pop(0)

    def _unknown(self, word: str, attached: Optional[str]) -> UsageError:
        from . import absent

        name = word.lstrip("-")
        follows = self._rest[0] if self._rest and not self._rest[0].startswith("-") else None
        stray = Stray(name, attached if attached is not None else follows, self.line)
        own = absent.OPTIONS.get(self.command.name, {}).get(name)
        if own is not None:
            return UsageError(f"'--{name}' is in the program for Linux: {own}")
        names = [option.name for option in self.command.options] + ["help", "version"]
        found = spelling.hint(name, names, "--") or f"; see 'potluck {self.command.name} --help'"
        return UsageError(f"unknown option {spelling.quoted(word)}{found}", stray)
