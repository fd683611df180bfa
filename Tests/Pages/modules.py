"""Small modules, assembled here, which behave well up to a block and then misbehave. They count trials, 16 in a block."""
import struct

import kit
import tallies
from simulations import SIMULATIONS

I32, I64 = 0x7F, 0x7E
BLOCK = 16
VERDICT, ANSWER, REQUEST, DESCRIPTION = 16, 64, 1024, 4096


class Counted:
    """What the modules compute, for `work.Job`."""
    is_gathering = False

    def __init__(self, given, tables):
        pass

    def tally(self):
        return {"blocks": tallies.Count()}

    def block_size(self):
        return BLOCK

    def inputs(self):
        return []

    def parameters(self):
        return []


SIMULATIONS["counted"] = Counted


def leb(value, signed=False):
    octets = b""
    while True:
        low = value & 0x7F
        value >>= 7
        if signed and (value == 0 and not low & 0x40 or value == -1 and low & 0x40) or not signed and value == 0:
            return octets + bytes([low])
        octets += bytes([low | 0x80])


def vector(parts):
    return leb(len(parts)) + b"".join(parts)


def sized(octets):
    return leb(len(octets)) + octets


def i32(value):
    return b"\x41" + leb(value, signed=True)


def i64(value):
    return b"\x42" + leb(value, signed=True)


def load(slot):
    """A slot of the request."""
    return b"\x20\x00\x29\x03" + leb(8 * slot)


def store(address, value):
    return i32(address) + value + b"\x37\x03\x00"


def packed(address, length):
    return i64(kit.signed(address << 32 | length))


END = b"\x0b"
TRAP = b"\x00"
HANG = b"\x03\x40\x0c\x00" + END
DIVIDE = i32(1) + i32(0) + b"\x6d\x1a"
# Calls itself: function 3 is potluck_run.
RECURSE = b"\x20\x00\x20\x01\x10\x03\x1a"


# A variable, and what each call makes of it: one more, or its first block.
VARIABLE = 512
# Why it stops.
SENTENCE = 600
KEPT = i32(VARIABLE) + b"\x29\x03\x00"
COUNTS = KEPT + i64(1) + b"\x7c"
# Adds to the tally what earlier calls left.
ADDS = i32(ANSWER + 40) + i32(ANSWER + 40) + b"\x29\x03\x00" + KEPT + b"\x7c\x37\x03\x00"
FILLS = load(2)
# Keeps the first block's number for ever.
FIRST = load(2) + i64(1) + b"\x7c" + KEPT + KEPT + b"\x50\x1b"


def slots(*parts):
    """A record of numbers and texts."""
    return b"".join(
        struct.pack("<Q", part) if isinstance(part, int) else
        struct.pack("<Q", len(part)) + part.encode() + bytes(-len(part) % 8) for part in parts)


def grow(pages):
    """Stops if it gets no more memory."""
    return i32(pages) + b"\x40\x00" + i32(-1) + b"\x46\x04\x40" + TRAP + END


def answers(address, length):
    """Returns another place for its answer."""
    return packed(address, length) + b"\x0f"


def module(after=None, act=b"", fault=None, abi=1, pages=1, imports=False, verdict=(0, BLOCK), shape=1, keeps=None, why=None):
    """A module whose calls act from block `after` on. `fault` and `why` are what it says after a trap, `keeps` what a call leaves in a variable."""
    types = vector([b"\x60\x00" + vector([bytes([I32])]), b"\x60" + vector([bytes([I32])]) + vector([bytes([I32])]),
                    b"\x60" + vector([bytes([I32])] * 2) + vector([bytes([I64])]), b"\x60\x00" + vector([bytes([I64])])])
    condition = b""
    if after is not None:
        condition = load(2) + load(3) + b"\x7c" + i64(after) + b"\x56\x04\x40" + act + END
    run = store(ANSWER + 8, load(3)) + store(ANSWER + 40, load(3)) + (store(VARIABLE, FIRST) if keeps == FIRST else b"") + (ADDS if keeps in (COUNTS, FIRST) else b"") + condition + (store(VARIABLE, keeps) if keeps else b"") + packed(ANSWER, 64)
    # A page does not ask for it. Its tally has one count and its readings are none.
    description = slots(shape, 1, "counted", "Counts its blocks", "", 0, 1, "blocks", 1, 0, 0, 0, 0)
    functions = [("potluck_abi", 0, i32(abi)), ("potluck_alloc", 1, i32(REQUEST)),
                 ("potluck_configure", 2, packed(VERDICT, 8 * len(verdict))), ("potluck_run", 2, run),
                 ("potluck_describe", 3, packed(DESCRIPTION, len(description)))]
    if fault is not None:
        functions.append(("potluck_fault", 0, i32(fault)))
    if keeps is not None:
        functions.append(("potluck_kept", 3, KEPT))
    if why is not None:
        functions.append(("potluck_why", 3, packed(SENTENCE, len(why))))
    exports = [sized(b"memory") + b"\x02\x00"]
    exports += [sized(name.encode()) + b"\x00" + leb(place + imports) for place, (name, _, _) in enumerate(functions)]
    data = [(VERDICT, struct.pack(f"<{len(verdict)}Q", *verdict)), (ANSWER, struct.pack("<8Q", shape, 0, 0, 0, 1, 0, 0, 0)),
            (SENTENCE, (why or "").encode()), (DESCRIPTION, description)]
    sections = [(1, types)]
    if imports:
        sections.append((2, vector([sized(b"env") + sized(b"now") + b"\x00\x00"])))
    sections += [
        (3, vector([leb(kind) for _, kind, _ in functions])), (5, vector([b"\x00" + leb(pages)])), (7, vector(exports)),
        (10, vector([sized(vector([]) + body + END) for _, _, body in functions])),
        (11, vector([b"\x00" + i32(address) + END + sized(octets) for address, octets in data]))]
    return b"\0asm\x01\0\0\0" + b"".join(bytes([number]) + sized(body) for number, body in sections)


LANES = sized(b"potluck.lanes")


def with_lanes(module, lanes):
    """A module that carries another."""
    return module + b"\0" + sized(LANES + lanes)


def without_lanes(module):
    """A module without the one that it carries."""
    kept, rest = module[:8], module[8:]
    while rest:
        size, shift, at = 0, 0, 1
        while True:
            size |= (rest[at] & 0x7F) << shift
            shift += 7
            at += 1
            if rest[at - 1] < 0x80:
                break
        if rest[0] != 0 or not rest[at:].startswith(LANES):
            kept += rest[:at + size]
        rest = rest[at + size:]
    return kept
