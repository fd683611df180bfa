"""Words in messages: what a user typed, quoted, and what may have been meant."""

from __future__ import annotations

import re
import unicodedata
from typing import Iterable, Optional, Sequence

#: Longer than any name, and the work grows with the length.
_LONGEST = 64
#: How much of a word, and of a path, a message quotes.
_WORD, _PATH = 60, 4096
#: The most names in a list.
_LISTED = 10
_UNPRINTABLE = ("Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn")


def nearest(word: str, candidates: Iterable[str]) -> Optional[str]:
    """Returns the candidate nearest to a word, if it is near enough for a hint. Of equally near ones, the first."""
    typed = _fold(word)
    if not 1 <= len(typed) <= _LONGEST:
        return None
    near = []
    for place, candidate in enumerate(candidates):
        wanted = _fold(candidate)
        # The beginning of a name most likely means that name.
        distance = 1 if len(typed) >= 3 and wanted.startswith(typed) else _distance(typed, wanted)
        # A third of the letters may differ, and always one, unless the word has only one.
        if distance <= max(1, len(wanted) // 3) and distance < len(wanted):
            near.append((distance, place, candidate))
    return min(near)[2] if near else None


def hint(word: str, candidates: Iterable[str], prefix: str = "") -> str:
    """Returns "; did you mean 'X'?" for a message, or an empty text."""
    found = nearest(word, candidates)
    return "" if found is None else f"; did you mean '{prefix}{found}'?"


def _fold(word: str) -> str:
    return word.lower().replace("_", "-")


def _distance(a: str, b: str) -> int:
    """The number of letters to insert, delete, replace or swap with their neighbour."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, letter in enumerate(a):
        row = [i + 1]
        for j, other in enumerate(b):
            cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (letter != other))
            if i > 0 and j > 0 and letter == b[j - 1] and a[i - 1] == other:
                cost = min(cost, before[j - 1] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]


def path(name: str) -> str:
    """Quotes the path of a file in full, because users type it again."""
    shown = _harmless(name, _PATH)
    return f"'{shown}'" if not name or " " in name else shown


def quoted(word: str) -> str:
    """Quotes what a user typed: in one line, of limited length, and harmless to a terminal."""
    return f"'{_harmless(word, _WORD)}'"


def escaped(text: str) -> str:
    """Returns a text in full that is harmless to a terminal."""
    return _harmless(text, len(text))


def names(words: Sequence[str]) -> str:
    """Lists quoted words in a sentence (NameList.swift)."""
    shown = [quoted(word) for word in words]
    if len(shown) > _LISTED:
        return f"{', '.join(shown[:_LISTED])} and {len(shown) - _LISTED} more"
    return " and ".join([", ".join(shown[:-1]), *shown[-1:]][len(shown) < 2:])


def _harmless(word: str, longest: int) -> str:
    shown = "".join(
        f"\\u{{{ord(c):x}}}" if unicodedata.category(c) in _UNPRINTABLE else c for c in word[:longest])
    return shown + ("…" if len(word) > longest else "")


def shell(text: str) -> str:
    """Returns a text as one word that a shell takes literally."""
    if text and re.fullmatch(r"[-A-Za-z0-9_.,:+=@%/]*", text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"
