"""Text that may stand in a page."""

from __future__ import annotations

import unicodedata
from html import escape

#: Two joiners stay, because emoji and Indic scripts need them.
JOINERS = "\u200c\u200d"


def text(value: object) -> str:
    """Escapes a text. Characters that XML forbids, or that change the direction of the text around them, become the
    character for unknown ones."""
    return escape("".join(map(_shown, str(value))), quote=True)


def _shown(character: str) -> str:
    kind = unicodedata.category(character)
    bad = kind in ("Cc", "Cs", "Zl", "Zp") or kind == "Cf" and character not in JOINERS
    return "\ufffd" if bad or ord(character) & 0xFFFE == 0xFFFE else character


def clipped(value: str, most: int) -> str:
    """Escapes the beginning of a text that must fit into a chart."""
    return text(value if len(value) <= most else value[: most - 1] + "…")
