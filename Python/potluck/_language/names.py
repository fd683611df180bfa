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
