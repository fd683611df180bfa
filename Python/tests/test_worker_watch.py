"""What a watcher shows of pictures, and which sessions are near."""

from __future__ import annotations

import copy
import io
import json
import os
import random
import socket
import struct
import threading
import unittest
from typing import Any
from unittest import mock

from potluck._worker import machine, near, picture
from potluck._worker.fields import BrokenRule, Message
from potluck._worker.guest import Ending
from potluck._worker.near import Near, NoneNear
from potluck._worker.place import Place
from potluck._worker.report import Report
from potluck._worker.watch import Watcher

from .support import PATIENCE, ProgramTest
from .worker_gateway import Node, address

JOB: dict[str, Any] = {
    "is": "job", "job": "00000000000000aa", "simulation": "monty-hall", "summary": "", "submitter": "ana",
    "parameters": [
        {"name": "doors", "value": "5", "isDefault": False}, {"name": "opened", "value": "1", "isDefault": True}],
    "state": "running", "detail": None, "trials": "33554432", "goal": "200 000 000 trials", "fraction": 0.1677,
    "elapsed": 5.1, "left": 95.2, "rate": 1.75e6,
    "readings": [
        {"name": "switch", "kind": "proportion", "value": 0.66656, "low": 0.6664, "high": 0.66672, "exact": 2 / 3,
         "text": "0.66656", "note": None, "bins": None},
        {"name": "spread", "kind": "histogram", "value": None, "low": None, "high": None, "exact": None, "text": "",
         "note": None, "bins": {"low": 0, "high": 1, "counts": ["1"]}}],
    "nodes": [{"name": "ida", "cores": 4, "share": 0.75, "rate": 1.0, "state": "computing", "kind": "browser",
               "recomputed": None}],
    "isSearch": False, "best": None, "digest": None, "browsers": None}
MEMBERS = {"is": "session", "waiting": [], "members": [
    {"name": "ana", "cores": 1, "kind": "laptop", "state": "here", "isYou": False},
    {"name": "ida", "cores": 4, "kind": "browser", "state": "lost", "isYou": False},
    {"name": "bob", "cores": 0, "kind": "viewer", "state": "here", "isYou": True}]}


class PictureTests(unittest.TestCase):
    def test_a_picture_is_a_line(self) -> None:
        self.assertEqual(
            picture.summary(Message(JOB)).replace("\u202f", " "),
            "monty-hall: running; 33 554 432 trials for 200 000 000 trials, 5 s, 1.75 million/s, 16 %, about 1 min 35 s "
            "left; switch 0.66656 ± 0.00016")

    def test_a_result_is_a_table(self) -> None:
        done = Message({**JOB, "state": "done", "digest": "ab" * 32})
        self.assertEqual([line.replace("\u202f", " ") for line in [picture.heading(done), *picture.table(done)]], [
            "monty-hall, doors 5: 33 554 432 trials", "",
            "           value     95 % interval       exact",
            "  switch   0.66656   0.66640 … 0.66672   0.66667", "",
            "        cores   share",
            "  ida   4       75.0 %   computing",
            "digest " + "ab" * 32])

    def test_members_are_counted(self) -> None:
        self.assertEqual(
            picture.members(Message(MEMBERS)), "2 nodes with 5 cores in this session; no contact with ida.")

    def test_a_broken_picture_breaks_a_rule_and_nothing_else(self) -> None:
        draw, refused = random.Random(1), 0
        odd: list[Any] = [
            None, True, -1, 1.5, 1e308, "", "x", "-1", [], {}, [5], [[]], [{}], 1 << 80, 1 << 2000, float("inf")]
        for _ in range(5000):
            job = copy.deepcopy(JOB)
            place = draw.choice([job, job, *job["readings"], *job["nodes"], *job["parameters"]])
            place[draw.choice(list(place))] = draw.choice(odd)
            try:
                picture.summary(Message(job))
                picture.table(Message(job))
            except BrokenRule:
                refused += 1
        self.assertGreater(refused, 1000)


class WatcherTests(unittest.TestCase):
    def watched(self, is_json: bool, *pictures: dict[str, Any]) -> str:
        """Returns what a watcher prints of these messages."""
        node, out = Node(), io.StringIO()
        self.addCleanup(node.stop)
        node.greeting = list(pictures)
        watcher = Watcher(Place(address(node), None), Report(is_json, out))
        ending: list[Ending] = []
        thread = threading.Thread(target=lambda: ending.append(watcher.run()))
        thread.start()
        page = node.joined()
        # It answers in order, so what came before is printed by then.
        page.send({"is": "ping"})
        node.until("it answers", lambda: page.messages("pong"))
        page.close(4403)
        thread.join(PATIENCE)
        self.assertEqual(ending[0].code, 1)
        return out.getvalue()

    def test_results_are_printed_once(self) -> None:
        done = {**JOB, "state": "done", "digest": "ab" * 32}
        text = self.watched(False, MEMBERS, JOB, done, done)
        self.assertEqual(text.count("digest " + "ab" * 32), 1)
        self.assertIn("switch   0.66656", text)
        failed = self.watched(False, {**JOB, "state": "failed", "detail": "it crashed"})
        self.assertIn("monty-hall: failed: it crashed", failed)

    def test_json_has_every_picture(self) -> None:
        events = [json.loads(line) for line in self.watched(True, MEMBERS, JOB).splitlines()]
        jobs = [event for event in events if event["event"] == "job"]
        self.assertEqual({key: value for key, value in jobs[0].items() if key not in ("event", "at")},
                         {key: value for key, value in JOB.items() if key != "is"})
        self.assertIn("session", [event["event"] for event in events])

    def test_names_do_not_control_the_terminal(self) -> None:
        text = self.watched(False, {**JOB, "simulation": "\x1b[2Jx", "state": "failed"})
        self.assertNotIn("\x1b", text)
        self.assertIn("\\u{1b}[2Jx", text)


def beacon(session: str, name: str, *, kind: int = 0, mode: int = 1, port: int = 7077, version: int = 1) -> bytes:
    """A beacon as docs/PROTOCOL.md says, with a wrong tag."""
    texts = b"".join(bytes([len(text.encode())]) + text.encode() for text in (session, name))
    return (b"PTLK" + bytes([version, kind, mode]) + struct.pack("<H", port) + os.urandom(16) + os.urandom(8)
            + struct.pack("<I", 1) + texts + b"\0\0" + os.urandom(16))


class NearTests(unittest.TestCase):
    def test_a_beacon_says_where_a_session_is(self) -> None:
        self.assertEqual(near.read(beacon("Monty", "ana"), "10.0.0.1"), Near("Monty", "ana", "10.0.0.1", 7077))
        self.assertEqual(near.read(beacon("Ü" * 31, "a" * 63, kind=1, mode=3), "10.0.0.1"),
                         Near("Ü" * 31, "a" * 63, "10.0.0.1", 7077))

    def test_everything_else_is_left_out(self) -> None:
        for octets in (
            b"", b"PTLK", beacon("Monty", "ana", kind=2), beacon("Monty", "ana", kind=3),
            beacon("Monty", "ana", mode=2), beacon("Monty", "ana", port=0), beacon("Monty", "ana", version=2),
            beacon("", ""), beacon("Monty", "\x1b[2J"), beacon("Monty", "a" * 64), beacon("Monty", "ana") + bytes(400),
            beacon("Monty", "ana").replace(b"Monty", b"M\xffnty"),
        ):
            self.assertIsNone(near.read(octets, "10.0.0.1"), octets)
        draw = random.Random(2)
        for _ in range(5000):
            octets = bytearray(beacon("Monty", "ana"))
            for _ in range(draw.randrange(4)):
                octets[draw.randrange(7, len(octets))] = draw.randrange(256)
            near.read(bytes(octets[:draw.randrange(len(octets) + 1)]), "10.0.0.1")

    def test_beacons_are_heard_and_nodes_are_asked_for_their_page(self) -> None:
        node = Node()
        self.addCleanup(node.stop)
        mouth = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with mouth, socket.create_server(("127.0.0.1", 0)) as silent:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
                free.bind(("127.0.0.1", 0))
                port = free.getsockname()[1]
            heard: list[Near] = []
            thread = threading.Thread(target=lambda: heard.extend(near.listen(PATIENCE, port, most=2)))
            thread.start()
            while thread.is_alive():
                for name, where in (("ana", node.port), ("bob", silent.getsockname()[1])):
                    mouth.sendto(beacon("Monty", name, port=where), ("127.0.0.1", port))
                thread.join(0.01)
            with mock.patch.object(near, "PATIENCE", 0.1):
                self.assertEqual([one.name for one in near.with_pages(heard)], ["ana"])
            self.assertEqual([one.name for one in heard], ["ana", "bob"])

    def test_what_to_do_is_said(self) -> None:
        ana, bob = Near("Monty", "ana", "10.0.0.1", 7077), Near("Monty", "bob", "10.0.0.2", 7077)
        other = Near("Other", "eve", "10.0.0.3", 7077)
        again = ana._replace(host="192.168.0.1")
        self.assertEqual(near.find("monty", [ana, again, other], [ana, again]), ana)
        for wanted, nodes, serving, why in (
            ("Monty", [], [], "no session is near; ask the host for the address that 'potluck web' prints"),
            ("Mnty", [ana, other], [ana], "no session called 'Mnty' is near, but Monty, Other; ask the host"),
            ("Monty", [ana, other], [other], "ana serves Monty without a page; start it there with"),
            ("Monty", [ana, bob], [ana, bob], "several nodes serve Monty: ana at http://10.0.0.1:7077/, bob at"),
        ):
            with self.assertRaisesRegex(NoneNear, why):
                near.find(wanted, nodes, serving)


class PowerTests(ProgramTest):
    def power(self, **supplies: dict[str, str]) -> str:
        folder = self.folder / str(len(list(self.folder.iterdir())))
        folder.mkdir()
        for name, words in supplies.items():
            (folder / name).mkdir()
            for word, text in words.items():
                (folder / name / word).write_text(text + "\n")
        return machine.power(folder).value

    def test_the_source_of_power_is_read(self) -> None:
        mains, battery = {"type": "Mains", "online": "1"}, {"type": "Battery", "status": "Discharging"}
        away = {"type": "Mains", "online": "0"}
        for wanted, supplies in (
            ("unknown", {}), ("mains", {"AC": mains}), ("mains", {"AC": mains, "BAT0": battery}),
            ("battery", {"AC": away, "BAT0": battery}), ("battery", {"AC": away, "BAT0": {"type": "Battery"}}),
            ("mains", {"BAT0": {"type": "Battery", "status": "Charging"}}), ("unknown", {"BAT0": {"type": "Battery"}}),
            ("unknown", {"BAT0": {**battery, "present": "0"}}), ("unknown", {"mouse": {**battery, "scope": "Device"}}),
            ("mains", {"AC": away, "BAT0": {"type": "Battery", "status": "Full"}}), ("unknown", {"AC": away}),
        ):
            self.assertEqual(self.power(**supplies), wanted, supplies)
        self.assertEqual(machine.power(self.folder / "missing"), machine.Power.UNKNOWN)
