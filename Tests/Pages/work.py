"""Orders for pages and what comes of them: a small coordinator that merges tallies and computes the digest."""
import base64
import hashlib
import math
import os
import struct

import kit
import tallies
from simulations import SIMULATIONS

HERE = os.path.dirname(os.path.abspath(__file__))
KINDS = {tallies.Count: 1, tallies.ExactSum: 2, tallies.Minimum: 3, tallies.Maximum: 4, tallies.Histogram: 5,
         tallies.Moments: 6, tallies.Comoments: 9, tallies.Pairs: 9, tallies.Quantiles: 10, tallies.Counts: 11,
         tallies.Series: 12, tallies.Histogram2D: 5}
MOST_KEY = 2**63 - 1


def layout_of(tally):
    """The fields of a tally as `prepare` names them, without the print of an output."""
    return [{"kind": KINDS[type(field)], "bins": bins(field)} for field in tally.values()
            if not isinstance(field, tallies.Output)]


def bins(field):
    """The bins of a histogram, the numbers of comoments, the categories of counts, or the times of a series."""
    if isinstance(field, tallies.Histogram):
        return len(field.counts) - 2
    if isinstance(field, tallies.Histogram2D):
        return len(field.cells)
    if isinstance(field, tallies.Comoments):
        return field.size
    if isinstance(field, tallies.Counts):
        return len(field.counts)
    return len(field.moments) if isinstance(field, tallies.Series) else 0


def parts(field):
    """How the slots of a field merge: 1 for a count, 2 for a sum, 3 for a minimum, 4 for a maximum."""
    kind, count = field["kind"], field["bins"]
    return {5: [1] * (count + 2), 6: [1, 2, 2], 9: [1] + [2] * (count + count * (count + 1) // 2), 10: [1] * 4100,
            11: [1] * count, 12: [1, 2, 2] * count}.get(kind, [kind])


def width(field):
    return sum(5 if part == 2 else 1 for part in parts(field))


def merged(layout, one, other):
    """Merges two tallies, with arithmetic of its own."""
    result = []
    for field in layout:
        for part in parts(field):
            size = 5 if part == 2 else 1
            at = len(result)
            a, b = one[at:at + size], other[at:at + size]
            if part == 1:
                result.append(min(a[0] + b[0], kit.LONG))
            elif part == 2:
                total = sum((x + y) << 64 * place for place, (x, y) in enumerate(zip(a[:4], b[:4]))) % 2**256
                result += [total >> 64 * place & kit.LONG for place in range(4)] + [a[4] | b[4]]
            else:
                keys = [kit.signed(a[0]), kit.signed(b[0])]
                result.append((min(keys) if part == 3 else max(keys)) & kit.LONG)
    return result


class Job:
    """A job that pages compute. It hands out chunks, each page two for each core, and takes back what was lost."""
    number = 0

    def __init__(self, name, module, seed=1, trials=None, given=None, tables=None, blocks=4):
        Job.number += 1
        self.job = f"job-{Job.number}"
        kind = SIMULATIONS[name]
        self.name, self.seed, self.chunk = name, seed, blocks
        self.simulation = kind(given or {}, tables or {})
        self.kind = kind
        gathers = kind.is_gathering
        self.trials = self.simulation.units() if gathers else trials
        tally = self.simulation.tally()
        self.layout = layout_of(tally)
        self.slots = sum(map(width, self.layout))
        self.output = tally.get("output")
        self.writes = gathers and (name != "primes" or self.simulation.list)
        self.block = self.simulation.block_size()
        self.count = math.ceil(self.trials / self.block)
        self.payload = b""
        if any(self.simulation.inputs()):
            for rows in self.simulation.inputs():
                self.payload += struct.pack("<QQ", len(rows), len(rows[0]) if rows else 0)
                self.payload += b"".join(struct.pack("<d", number) for row in rows for number in row)
        self.module = module
        self.shape = 2 if gathers else 1
        self.free = [(at, min(at + blocks, self.count)) for at in range(0, self.count, blocks)]
        self.loans, self.written, self.attempts, self.done = {}, {}, 0, 0
        self.tally = self.empty()
        self.failures, self.refusals, self.first_done, self.computed = [], [], None, []

    def empty(self):
        starts = {3: MOST_KEY, 4: 2**63}
        return [slot for field in self.layout for slot in [starts.get(field["kind"], 0)] * width(field)]

    @property
    def blobs(self):
        return {hashlib.sha256(octets).hexdigest(): octets for octets in (self.module, self.payload) if octets}

    def order(self, **changes):
        def named(octets):
            return {"hash": hashlib.sha256(octets).hexdigest(), "size": len(octets)}
        order = {"is": "prepare", "job": self.job, "name": self.name, "shape": self.shape, "module": named(self.module),
                 "tables": named(self.payload) if self.payload else None,
                 "inputs": len(self.simulation.inputs()), "seed": str(self.seed), "block": self.block,
                 "parameters": [str(slot & kit.LONG) for slot in self.simulation.parameters()],
                 "trials": str(self.trials), "writes": self.writes, "layout": self.layout, "slots": self.slots,
                 "memory": 256 << 20, "seconds": 2}
        return order | changes

    def work(self, page, message):
        """Answers a message of a page; the node calls it for each."""
        if message["do"] == "lend":
            page.cores = message["cores"]
            self.take_back(page)
            if page.cores:
                page.send(self.order())
        elif message["do"] == "ready":
            # An earlier job may be prepared once more, because the page lends again.
            if message["job"] == self.job:
                self.lend(page)
        elif message["do"] == "unable":
            self.refusals.append(message["why"])
        elif message["do"] == "output":
            self.written[message["attempt"]] += base64.b64decode(message["octets"])
        elif message["do"] == "done":
            self.count_chunk(page, message)
        elif message["do"] == "failed":
            self.failures.append((int(message["block"]), message["why"]))

    def lend(self, page):
        mine = [loan for loan in self.loans.values() if loan[0] is page]
        chunks = []
        while self.free and len(mine) + len(chunks) < 2 * page.cores:
            first, last = self.free.pop(0)
            self.attempts += 1
            attempt = f"{self.job}.{self.attempts}"
            self.loans[attempt], self.written[attempt] = (page, first, last), b""
            chunks.append([attempt, str(first), last - first])
        if chunks:
            page.send({"is": "chunks", "job": self.job, "chunks": chunks})

    def take_back(self, page):
        for attempt in [attempt for attempt, loan in self.loans.items() if loan[0] is page]:
            _, first, last = self.loans.pop(attempt)
            self.free.insert(0, (first, last))

    def end_at(self, count):
        """Makes the job end after so many blocks. The pages have none of it now."""
        assert not self.loans
        self.count, self.trials = count, count * self.block
        self.free = [(first, min(last, count)) for first, last in self.free if first < count]

    def count_chunk(self, page, message):
        loan = self.loans.pop(message["attempt"], None)
        if loan is None:
            return
        _, first, last = loan
        end = int(message["end"])
        octets = base64.b64decode(message["tally"])
        tally = list(struct.unpack(f"<{len(octets) // 8}Q", octets))
        assert first <= end <= last and len(tally) == self.slots
        self.tally = merged(self.layout, self.tally, tally)
        if self.writes:
            self.count_output(self.written.pop(message["attempt"]), first, end, message["output"])
        self.done += end - first
        self.computed.append((page, first, end, message["busy"]))
        if end < last:
            self.free.insert(0, (end, last))
        self.lend(page)

    def count_output(self, octets, first, end, length):
        assert len(octets) == length
        for block in range(first, end):
            size = struct.unpack_from("<I", octets)[0]
            self.output.add(octets[4:4 + size], block)
            octets = octets[4 + size:]
        assert not octets

    @property
    def is_done(self):
        return self.done == self.count

    def digest(self):
        """The digest of the run, as docs/RANDOM.md defines it."""
        name = self.kind.__name__
        with open(os.path.join(HERE, "../../Plugins", name, name + ".swift"), "rb") as file:
            source = hashlib.sha256(file.read()).hexdigest()
        parts = tallies.Digest()
        parts.text(self.name)
        parts.text(source)
        parts.number(1)
        parts.numbers(self.simulation.parameters() + tallies.table_slots(self.simulation.inputs()))
        for number in (self.seed, self.block, self.trials):
            parts.number(number)
        parts.numbers(self.tally + (self.output.slots() if self.output else []))
        return parts.hexadecimal()
