"""The link of a worker: frames, MACs, states and times, against gateways that break every rule."""

from __future__ import annotations

import io
import json
import random
import unittest
from typing import Any, Optional

from potluck._worker import frames
from potluck._worker.fields import BrokenRule, Message
from potluck._worker.link import Link, State
from potluck._worker.order import Chunk, Order
from potluck._worker.ticket import Address, AddressError, Conversation, address, server, ticket, ticket_id

from . import worker_gateway

TICKET = bytes(range(15))
WHERE = Address("10.0.0.1", 7077, TICKET)


class FrameTests(unittest.TestCase):
    def test_a_gateway_reads_what_a_worker_writes(self) -> None:
        for length in (0, 1, 125, 126, 127, 65535, 65536):
            body = bytes(index % 251 for index in range(length))
            read = worker_gateway.frames.read_frame(io.BytesIO(frames.frame(frames.TEXT, body)))
            self.assertEqual(read, (frames.TEXT, body))

    def test_frames_are_the_same_however_they_arrive(self) -> None:
        draw = random.Random(1)
        for _ in range(200):
            sent = [(draw.choice((frames.TEXT, frames.PING, frames.PONG)), draw.randbytes(draw.randrange(126)))
                    for _ in range(5)] + [(frames.TEXT, draw.randbytes(draw.choice((126, 65535, 65536))))]
            octets = b"".join(worker_gateway.frames.frame(kind, body) for kind, body in sent)
            reader, read = frames.Reader(), []
            while octets:
                cut = draw.randrange(1, 1 + min(len(octets), draw.choice((3, 1000, 100_000))))
                read += reader.read(octets[:cut])
                octets = octets[cut:]
            self.assertEqual(read, sent)

    def test_a_truncated_frame_is_no_frame(self) -> None:
        made = worker_gateway.frames.frame
        for whole in (made(frames.TEXT, bytes(300)), made(frames.PING, b"12")):
            for cut in range(len(whole)):
                self.assertEqual(frames.Reader().read(whole[:cut]), [])

    def test_a_broken_frame_is_refused(self) -> None:
        long = (65537).to_bytes(8, "big")
        for octets, why in (
            (b"\x01\x01a", "a piece of a message"), (b"\x80\x01a", "a continuation"), (b"\x82\x01a", "binary"),
            (b"\xc1\x01a", "compressed"), (b"\x81\x81aaaaa", "masked"), (b"\x89\x7e\x00\x7e", "a long ping"),
            (b"\x81\x7f" + long, "a long message"), (b"\x81\x7f" + b"\xff" * 8, "an endless message"),
        ):
            with self.subTest(why), self.assertRaises(frames.FrameError):
                frames.Reader().read(octets)

    def test_noise_is_only_refused(self) -> None:
        draw = random.Random(2)
        for _ in range(2000):
            reader = frames.Reader()
            try:
                for _ in range(4):
                    reader.read(draw.choice((b"\x81", b"\x88", b"")) + draw.randbytes(draw.randrange(40)))
            except frames.FrameError:
                pass


class AddressTests(unittest.TestCase):
    def test_a_ticket_is_read_as_people_type_it(self) -> None:
        for octets in (bytes(15), TICKET, b"\xff" * 15, b"\x08\x42" * 7 + b"\x10"):
            number = int.from_bytes(octets, "big")
            plain = "".join("0123456789abcdefghjkmnpqrstvwxyz"[number >> 5 * place & 31] for place in reversed(range(24)))
            groups = [plain[at:at + 4] for at in range(0, 24, 4)]
            for typed in (plain, "-".join(groups), "#" + " ".join(groups).upper(), plain.replace("0", "O").replace("1", "l")):
                self.assertEqual(ticket(typed), octets, typed)

    def test_an_address_has_a_host_a_port_and_a_ticket(self) -> None:
        self.assertEqual(address("http://ana.local:7079/#000g-40r4-0m30-e209-185g-r38e"), Address("ana.local", 7079, TICKET))
        self.assertEqual(
            address(" http://[fe80::1]:80/?projector#000g-40r4-0m30-e209-185g-r38e\n"), Address("fe80::1", 80, TICKET))
        self.assertEqual(address("http://10.0.0.1/#000G40R40M30E209185GR38E").place, "10.0.0.1:80")
        self.assertEqual(Address("::1", 5, TICKET).place, "[::1]:5")

    def test_another_text_is_refused_with_advice(self) -> None:
        for text in ("", "Monty", "ana.local:7077", "https://a:1/", "http://:7/", "http://a:99999/", "http://[::1/",
                     "http://a:0/", "http://ana@a:7/"):
            with self.subTest(text), self.assertRaisesRegex(AddressError, "use one like http://10.0.0.1:7077/#"):
                server(text)
        for text in ("", "#", "#000g-40r4-0m30-e209-185g-r38", "#000g-40r4-0m30-e209-185g-r38u"):
            with self.subTest(text), self.assertRaisesRegex(AddressError, "is not complete"):
                address(f"http://a:7/{text}")


class Wire:
    """A connection whose other side is the test."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.closed: Optional[int] = None

    def send(self, octets: bytes) -> None:
        self.sent.append(octets)

    def close(self, code: int) -> None:
        self.closed = code


class Bench:
    """A link with a clock and wires of the test."""

    def __init__(self) -> None:
        self.now = 100.0
        self.wires: list[Wire] = []
        self.arrivals: list[str] = []
        self.states: list[State] = []
        self.link = Link(WHERE, self.dial, self, lambda: self.now)
        self.link.turn()

    def dial(self, where: Address, link: Link) -> Wire:
        self.wires.append(Wire())
        return self.wires[-1]

    def greeting(self) -> dict[str, Any]:
        return {"do": "join"}

    def changed(self) -> None:
        self.states.append(self.link.state)

    def arrived(self, message: Message) -> None:
        self.arrivals.append(message.text("is"))

    @property
    def wire(self) -> Wire:
        return self.wires[-1]

    def challenge(self) -> None:
        """The gateway answers the first message of the latest wire."""
        self.link.opened(self.wire)
        hello = json.loads(self.wire.sent[0])
        nonce = bytes(16)
        self.link.received(self.wire, json.dumps({"nonce": nonce.hex()}).encode())
        self.gateway = Gateway(bytes.fromhex(hello["nonce"]), nonce)

    def tell(self, message: Any) -> None:
        self.link.received(self.wire, self.gateway.seal(json.dumps(message).encode()))

    def open(self) -> None:
        self.challenge()
        self.tell({"is": "welcome"})


class Gateway:
    """The other end of a conversation, by the code with which the page is tested."""

    def __init__(self, worker: bytes, own: bytes) -> None:
        import hashlib
        import hmac

        from node import mac_of

        both = hmac.new(TICKET, b"potluck/1 page" + worker + own, hashlib.sha256).digest()
        self.keys = [hmac.new(both, name, hashlib.sha256).digest() for name in (b"to page", b"to gateway")]
        self.mac, self.counts = mac_of, [0, 0]

    def seal(self, text: bytes) -> bytes:
        self.counts[0] += 1
        return bytes(self.mac(self.keys[0], self.counts[0] - 1, text)) + text

    def open(self, message: bytes) -> Any:
        self.counts[1] += 1
        assert message[:32] == self.mac(self.keys[1], self.counts[1] - 1, message[32:])
        return json.loads(message[32:])


class LinkTests(unittest.TestCase):
    def test_a_worker_proves_its_ticket_and_never_sends_it(self) -> None:
        bench = Bench()
        bench.open()
        hello = json.loads(bench.wire.sent[0])
        self.assertEqual((hello["potluck"], hello["ticket"]), (1, ticket_id(TICKET)))
        self.assertEqual(bench.gateway.open(bench.wire.sent[1]), {"do": "join"})
        self.assertEqual(bench.link.state, State.OPEN)
        bench.tell({"is": "ping"})
        self.assertEqual(bench.gateway.open(bench.wire.sent[2]), {"do": "pong"})
        for sent in bench.wire.sent:
            self.assertNotIn(TICKET.hex().encode(), sent)

    def test_each_code_of_closing_has_its_state(self) -> None:
        wanted = {
            None: State.LOST, 1000: State.LOST, 1006: State.LOST, 4400: State.LOST, 4401: State.TICKET,
            4403: State.REMOVED, 4408: State.LOST, 4409: State.ELSEWHERE, 4410: State.AWAY, 4411: State.HOST,
            4429: State.FULL}
        for code, state in wanted.items():
            bench = Bench()
            bench.open()
            bench.link.ended(bench.wire, code, "")
            self.assertEqual(bench.link.state, state, code)
            bench.now += 3600
            bench.link.turn()
            self.assertEqual(len(bench.wires), 1 if state.is_final else 2, code)

    def test_a_link_tries_again_later_and_later(self) -> None:
        for code, delays in ((None, [0.5, 1, 2, 4, 5, 5, 5]), (4429, [0.5, 1, 2, 4, 8, 16, 32, 60, 60])):
            bench = Bench()
            for delay in delays:
                bench.link.ended(bench.wire, code, "nothing answers there")
                before, count = bench.now, len(bench.wires)
                while len(bench.wires) == count:
                    due = bench.link.turn()
                    self.assertGreater(due, bench.now)
                    bench.now = due
                    bench.link.turn()
                self.assertEqual(bench.now - before, delay)
            bench.open()
            bench.link.ended(bench.wire, code, "")
            self.assertEqual(bench.link.turn() - bench.now, 0.5, "after a success it begins anew")

    def test_a_silent_gateway_is_given_up(self) -> None:
        for opens in (False, True):
            bench = Bench()
            if opens:
                bench.open()
            bench.now += 14.9
            bench.link.turn()
            self.assertIsNone(bench.wire.closed)
            bench.now += 0.2
            bench.link.turn()
            self.assertEqual(bench.wire.closed, 4408)
            self.assertEqual(bench.link.state, State.LOST if opens else State.CONNECTING)

    def test_a_machine_that_slept_connects_again(self) -> None:
        bench = Bench()
        bench.open()
        bench.now += 8 * 3600
        bench.now = bench.link.turn()
        bench.link.turn()
        self.assertEqual(len(bench.wires), 2)
        bench.open()
        self.assertEqual(bench.states[-2:], [State.LOST, State.OPEN])

    def test_a_wrong_mac_ends_the_connection_and_is_never_final(self) -> None:
        draw = random.Random(3)
        for _ in range(300):
            bench = Bench()
            bench.challenge()
            message = bytearray(bench.gateway.seal(b'{"is": "welcome"}'))
            message[draw.randrange(len(message))] ^= 1 << draw.randrange(8)
            bench.link.received(bench.wire, bytes(message))
            self.assertEqual((bench.wire.closed, bench.link.state), (4401, State.CONNECTING))
            self.assertEqual(bench.arrivals, [])

    def test_a_message_that_is_repeated_or_left_out_ends_the_connection(self) -> None:
        for repeats in (False, True):
            bench = Bench()
            bench.open()
            first = bench.gateway.seal(b'{"is": "ping"}')
            if repeats:
                bench.link.received(bench.wire, first)
                self.assertIsNone(bench.wire.closed)
            bench.link.received(bench.wire, first if repeats else bench.gateway.seal(b'{"is": "ping"}'))
            self.assertEqual(bench.wire.closed, 4401)

    def test_a_message_that_is_no_message_ends_the_connection(self) -> None:
        for text in (b"", b"[]", b"1", b"\xff", b"{", b'{"is": 1}', b"[" * 60_000, b'{"is": NaN}', b'{"no": "is"}'):
            bench = Bench()
            bench.open()
            bench.link.received(bench.wire, bench.gateway.seal(text))
            self.assertEqual(bench.wire.closed, 4400, text[:20])
        for text in (b"", b"{}", b'{"nonce": "00"}', b'{"nonce": "' + b"g" * 32 + b'"}'):
            bench = Bench()
            bench.link.received(bench.wire, text)
            self.assertEqual(bench.wire.closed, 4400, text)

    def test_what_an_old_connection_says_is_nothing(self) -> None:
        bench = Bench()
        bench.open()
        old = bench.wire
        bench.now += 16
        bench.link.turn()
        bench.now = bench.link.turn()
        bench.link.turn()
        self.assertIsNot(bench.wire, old)
        bench.link.received(old, b"x")
        bench.link.ended(old, 4403, "")
        bench.link.opened(old)
        self.assertEqual((bench.link.state, len(old.sent)), (State.LOST, 2))

    def test_a_worker_keeps_the_pace(self) -> None:
        draw = random.Random(4)
        for _ in range(20):
            bench = Bench()
            bench.open()
            wanted = [{"do": draw.choice(("fetch", "output"))} for _ in range(3000)]
            for message in wanted:
                bench.link.send(message)
            # The hello and the greeting were counted, too.
            allowed, at, got, read = 510.0, bench.now, 0, 2
            bench.gateway.open(bench.wire.sent[1])
            while got < len(wanted):
                for octets in bench.wire.sent[read:]:
                    message = bench.gateway.open(octets)
                    allowed -= 4 if message["do"] == "fetch" else 1
                    got += message in wanted
                    read += 1
                self.assertGreaterEqual(allowed, 0)
                bench.now = min(bench.link.turn(), bench.now + draw.random())
                bench.tell({"is": "ping"})
                bench.link.turn()
                allowed, at = min(512.0, allowed + 200 * (bench.now - at)), bench.now

    def test_another_address_is_tried_at_once(self) -> None:
        bench = Bench()
        bench.link.ended(bench.wire, 4401, "")
        other = Address("10.0.0.2", 7078, bytes(15))
        bench.link.look_again(other)
        bench.link.turn()
        bench.link.opened(bench.wire)
        self.assertEqual(len(bench.wires), 2)
        self.assertEqual(json.loads(bench.wire.sent[0])["ticket"], ticket_id(bytes(15)))

    def test_conversations_of_two_sides_agree(self) -> None:
        ours, theirs = Conversation(TICKET, b"a" * 16, b"b" * 16), Gateway(b"a" * 16, b"b" * 16)
        for number in range(300):
            text = json.dumps({"number": number}).encode()
            self.assertEqual(ours.open(theirs.seal(text)), text)
            self.assertEqual(theirs.open(ours.seal(text)), {"number": number})


ORDER: dict[str, Any] = {
    "is": "prepare", "job": "0000000000000001", "name": "coins", "shape": 1, "module": {"hash": "a" * 64, "size": 5},
    "tables": {"hash": "b" * 64, "size": 16}, "inputs": 1, "parameters": ["3", "18446744073709551615"], "seed": "7",
    "block": 16, "trials": "1000", "writes": False, "layout": [{"kind": 1, "bins": 0}], "slots": 1, "memory": 1 << 28,
    "seconds": 2}
#: Values that no field may have, or only some.
ODD: list[Any] = [
    None, True, -1, 0, 1.5, 1 << 53, 1 << 70, "", "x", "-1", "1" * 30, "\u0661", "a" * 64, "A" * 64, [], {}, [[]],
    [1, 2, 3], {"hash": 5}, {"hash": "c" * 64, "size": 1 << 40}]


class FieldTests(unittest.TestCase):
    def test_an_order_is_read(self) -> None:
        order = Order.read(Message(ORDER))
        self.assertEqual((order.seed, order.trials, order.parameters), (7, 1000, [3, (1 << 64) - 1]))
        self.assertEqual((order.refusal, order.memory), ("", 256 << 20))
        self.assertIsNone(Order.read(Message({**ORDER, "tables": None, "trials": None})).tables)

    def test_a_host_takes_no_more_than_the_limits(self) -> None:
        order = Order.read(Message({**ORDER, "memory": 1 << 50, "seconds": 1e300}))
        self.assertEqual((order.memory, order.seconds), (256 << 20, 60))

    def test_what_no_worker_can_compute_is_said(self) -> None:
        for changes in ({"shape": 4}, {"shape": 2, "trials": None}, {"slots": 5601}):
            self.assertTrue(Order.read(Message({**ORDER, **changes})).refusal, changes)

    def test_wrong_fields_break_a_rule_and_nothing_else(self) -> None:
        draw, refused = random.Random(5), 0
        for _ in range(5000):
            order = json.loads(json.dumps(ORDER))
            place = order if draw.random() < 0.7 else order[draw.choice(("module", "tables"))]
            place[draw.choice(list(place))] = draw.choice(ODD)
            try:
                Order.read(Message(order))
            except BrokenRule:
                refused += 1
        self.assertGreater(refused, 3000)
        for chunks in ODD + [[["1", "0", 5], ["2", "5"]], [["1", 0, 5]], [["1", "0", -5]], [["1", "0", True]]]:
            if chunks != []:
                with self.assertRaises(BrokenRule, msg=repr(chunks)):
                    Chunk.read(Message({"chunks": chunks}))
        self.assertEqual(Chunk.read(Message({"chunks": [["a", "7", 5]]})), [Chunk("a", 7, 5)])
