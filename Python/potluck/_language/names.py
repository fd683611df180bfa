"""The names that users type, made from those of Python."""

from __future__ import annotations


def of_class(name: str) -> str:
    """Returns the name of a simulation whose class has none: MontyHall is monty-hall, and HTTPLine http-line."""
    spaced = ""
    for place, letter in enumerate(name):
        before, after = name[max(0, place - 1):place], name[place + 1:place + 2]
        if letter.isupper() and (not before.isupper() or after.islower()):
            spaced += "_"
        spaced += letter
    return "-".join(word for word in spaced.lower().split("_") if word)


def of_attribute(name: str) -> str:
    """Returns the word of a parameter: a dash for each underscore, and nothing for one at the end, which a name needs
    that is a word of Python's own."""
    return name.rstrip("_").replace("_", "-")


#: The attributes that mean something of their own, so that no parameter and no field has their names.
_RESERVED = frozenset({
    "block", "block_size", "name", "note", "play", "prepare", "readings", "self", "sketch", "steps", "trial",
    "trials_in_block", "units", "writes"})


def is_reserved(attribute: str) -> bool:
    """Whether no parameter and no field may have this name."""
    return attribute in _RESERVED or attribute.startswith("_")


def reserved(attribute: str) -> str:
    """The sentence that refuses such a name."""
    if attribute.startswith("_"):
        return f"a name with '_' in front is Potluck's own; call it {attribute.lstrip('_') or 'something else'}"
    return f"'{attribute}' means something else in a simulation; call it {attribute}_, and users still type {attribute}"
