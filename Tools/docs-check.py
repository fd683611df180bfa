#!/usr/bin/env python3
"""Tools/docs-check.py GRAPH...: fails if a public name in these symbol graphs has no comment, and lists such names.

A name has a comment of its own, or a requirement of a protocol explains it: a type's `write` is that of `Accumulator`.
Names that the compiler writes need none.
"""
import json
import sys


def place(symbol):
    location = symbol.get("location")
    if location is None:
        return symbol["kind"]["displayName"]
    path = location["uri"].partition("/Sources/")[2]
    return f"Sources/{path}:{location['position']['line'] + 1}"


def main():
    names, bare = set(), {}
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            graph = json.load(file)
        required = {each["source"] for each in graph["relationships"] if "sourceOrigin" in each}
        for symbol in graph["symbols"]:
            name = symbol["identifier"]["precise"]
            if "::SYNTHESIZED::" in name:
                continue
            names.add(name)
            lines = symbol.get("docComment", {}).get("lines", [])
            if name not in required and not any(line["text"].strip() for line in lines):
                bare[name] = f"{place(symbol)}: {'.'.join(symbol['pathComponents'])}"
    for text in sorted(bare.values()):
        print(f"{text} has no comment", file=sys.stderr)
    if bare or not names:
        sys.exit(f"docs: {len(bare)} of {len(names)} public names have no comment; write a /// comment above each")
    print(f"{len(names)} public names, each with a comment")


main()
