"""Checks of a session of a program, a worker in Python and a browser, each on a network of its own."""
import glob
import os
import signal
import subprocess
import sys
import tempfile
import time

import __main__ as room
from browser import Browser

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = os.path.join(HERE, "../../Python")
# A worker joins within this many seconds, and has at least this part of the speed of the program's sandbox.
JOINS, RATIO = 2.0, 0.9
# A worker of four cores has at most this many bytes of memory. Pages that its processes share count once.
MEMORY = 200 << 20
SLOWNESS = max(1.0, float(os.environ.get("POTLUCK_LAB_PATIENCE") or 1))


class Desk:
    """A network of its own, at a cable to the server."""
    count = 0

    def __init__(self):
        Desk.count += 1
        self.cable, number = f"desk{Desk.count}", 100 + Desk.count
        self.server = f"10.{number}.0.1"
        self.holder = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo; exec cat"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE)
        self.holder.stdout.readline()
        self.prefix = ["nsenter", f"--net=/proc/{self.holder.pid}/ns/net"]
        for words in (
            ["ip", "link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", str(self.holder.pid)],
            ["ip", "address", "add", f"{self.server}/24", "dev", self.cable], ["ip", "link", "set", self.cable, "up"],
            [*self.prefix, "ip", "address", "add", f"10.{number}.0.2/24", "dev", "eth0"],
            [*self.prefix, "ip", "link", "set", "eth0", "up"], [*self.prefix, "ip", "link", "set", "lo", "up"],
        ):
            subprocess.run(words, check=True)

    def plug(self, is_plugged):
        subprocess.run(["ip", "link", "set", self.cable, "up" if is_plugged else "down"], check=True)

    def close(self):
        self.holder.kill()
        self.holder.communicate()


class Python(room.Lines):
    """A worker in Python, whose lines are events."""

    def __init__(self, program, desk, address, *arguments, home):
        os.environ.update(POTLUCK_WASMTIME=wasmtime(program), PYTHONPATH=PYTHON, PYTHONDONTWRITEBYTECODE="1")
        address = address.replace("10.77.0.1", desk.server)
        self.began = time.clock_gettime(time.CLOCK_BOOTTIME)
        super().__init__(*desk.prefix, sys.executable, "-m", "potluck._command", "join", address, "--json", "--priority",
                         "interactive", *arguments, home=home)

    def stands(self, standing, since=0):
        return self.until(f"it is {standing}", lambda line: line if line.get("event") in ("lending", "link")
                          and line["state"] == standing and line["at"] >= since else None)


def family(process):
    """A process and its children."""
    children = [read(path).split() for path in glob.glob(f"/proc/{process}/task/*/children")]
    return [process, *(int(child) for some in children for child in some)]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def memory(process):
    """The bytes of a process and its children."""
    lines = [line for one in family(process) for line in read(f"/proc/{one}/smaps_rollup").splitlines()]
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))


def seconds(process):
    """The CPU time of a process and its children."""
    fields = [read(f"/proc/{one}/stat").rsplit(")", 1)[1].split() for one in family(process)]
    return sum(int(one[11]) + int(one[12]) for one in fields) / os.sysconf("SC_CLK_TCK")


def wasmtime(program):
    """The library that the program uses."""
    above = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    places = [f"{above}/lib/potluck/libwasmtime.so", os.path.join(HERE, "../../.build/wasmtime/*/libwasmtime.so")]
    found = [path for place in places for path in glob.glob(place)]
    return os.environ.get("POTLUCK_WASMTIME") or os.path.abspath(found[0])


def guest(room_, *arguments, prefix=()):
    """A program with one core, which has no more priority than the worker."""
    return room.Lines(*prefix, room_.program, "join", "Monty", "--cores", "1", "--priority", "interactive", "--json",
                      *arguments, home=f"{room_.folder}/guest")


class Class:
    """A server that does not compute; a guest that does, a worker in Python and a tab, each at its desk."""

    def __init__(self, program, browser):
        self.program, self.desks = program, [Desk() for _ in range(3)]
        self.room = room.Room(program, browser, "--no-compute", tabs=0)
        self.home, self.address = self.room.folder, self.room.address
        self.guest, self.worker, self.tab = self.sit_guest(), self.sit_worker(), None
        self.sit_tab()

    def sit_guest(self):
        desk, port = self.desks[0], self.address.split(":")[2].split("/")[0]
        return guest(self.room, "--name", "guest", "--connect", f"{desk.server}:{port}", prefix=desk.prefix)

    def sit_worker(self):
        return Python(
            self.program, self.desks[1], self.address, "--cores", "1", "--name", "ida", home=f"{self.home}/ida")

    def sit_tab(self):
        """Opens a browser at its desk."""
        starter = os.path.join(self.home, "chromium")
        with open(starter, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec {" ".join(self.desks[2].prefix)} chromium "$@"\n')
        os.chmod(starter, 0o755)
        self.room.browser = Browser(starter)
        address, self.room.address = self.room.address, self.address.replace("10.77.0.1", self.desks[2].server)
        self.tab = self.room.tab("phone")
        self.room.address = address

    def all_compute(self, what):
        """Waits until a program, a worker and a tab have done something since now."""
        before = self.trials()

        def found(line):
            names = {node["name"] for node in line["nodes"] if node["trials"] > before.get(node["node"], 0)}
            return {"guest", "ida", "phone"} <= {name.split(" ")[0] for name in names}

        self.room.server.until(f"all compute {what}", lambda line: line.get("event") == "job" and line["at"] > self.seen
                               and found(line))

    def trials(self):
        """The trials of each node in the latest report."""
        with self.room.server.changed:
            jobs = [line for line in self.room.server.lines if line.get("event") == "job"]
        self.seen = jobs[-1]["at"] if jobs else 0
        return {node["node"]: node["trials"] for node in jobs[-1]["nodes"]} if jobs else {}

    def close(self):
        self.room.browser.stop()
        for one in (self.guest, self.worker):
            one.stop()
        self.room.server.stop()
        for desk in self.desks:
            desk.close()


def kills_and_cuts_of_each_kind_change_nothing(program, browser):
    """A program, a worker in Python and a tab compute one job. Each is killed, and each loses its network."""
    class_ = Class(program, browser)
    try:
        # Too many trials to compute, so that it lasts until all has happened.
        run = class_.room.run("option-price", "--trials", "1e15", "--wait-for", "3")
        class_.all_compute("at first")
        class_.worker.process.kill()
        class_.guest.process.kill()
        os.killpg(class_.room.browser.process.pid, signal.SIGKILL)
        class_.room.browser.stop()
        class_.guest, class_.worker = class_.sit_guest(), class_.sit_worker()
        class_.sit_tab()
        class_.all_compute("after the kills")
        cut = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        for desk in class_.desks:
            desk.plug(False)
        class_.worker.stands("lost", cut)
        class_.tab.until("document.querySelector('#state').textContent.startsWith('Connection lost')")
        for desk in class_.desks:
            desk.plug(True)
        class_.all_compute("after the cuts")
        class_.room.cancel()
        result = class_.room.result(run)
        print(f"    {room.shares(result)}")
        same = class_.room.alone("option-price", "--trials", str(result["trials"]))
        assert result["digest"] == same["digest"], "another digest"
    finally:
        class_.close()


def a_worker_in_python_is_fast_and_small(program, browser):
    """It joins soon and takes little memory. On a machine with nothing else to do, it computes as fast as the program's sandbox."""
    desk, here = Desk(), room.Room(program, browser, "--no-compute", tabs=0)
    worker = None

    def begin(cores):
        return Python(program, desk, here.address, "--cores", cores, home=f"{here.folder}/ida")

    try:
        joined = []
        for _ in range(3):
            worker = begin("1")
            joined.append(worker.stands("member")["at"] / 1e9 - worker.began)
            worker.stop()
        assert max(joined) <= JOINS * SLOWNESS, joined
        if SLOWNESS == 1:
            compare_speed(here, begin)
        worker = begin("4")
        begun = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
        run = here.run("option-price", "--trials", "1e15", "--wait-for", "1")
        here.server.until("its cores compute", lambda line: line.get("event") == "job" and line["at"] > begun and any(
            node["trials"] >= 100 * 65536 for node in line["nodes"]))
        bytes, processes = memory(worker.process.pid), len(family(worker.process.pid))
        here.cancel()
        here.result(run)
        print(f"    joined within {max(joined):.2f} s; four cores have {bytes / 2**20:.0f} MiB in {processes} processes")
        assert bytes <= MEMORY and processes == 5, (bytes, processes)
    finally:
        if worker:
            worker.stop()
        here.close()
        desk.close()


def compare_speed(here, begin):
    """Compares the speed of a worker in Python with that of the program's sandbox. `begin` starts such a worker."""
    rates = {"program": [], "Python": []}
    for _ in range(2):
        for name, start in (("program", lambda: guest(here)), ("Python", lambda: begin("1"))):
            worker = start()
            try:
                rates[name].append(measured(here, worker.process.pid))
            finally:
                worker.stop()
    (wall, busy), (its_wall, its_busy) = (map(max, zip(*rates[name])) for name in ("Python", "program"))
    print(f"    {busy / 1e6:.1f} M trials in a second of CPU time, the program's sandbox {its_busy / 1e6:.1f}: ratio "
          f"{busy / its_busy:.2f}; by the clock {wall / 1e6:.1f} and {its_wall / 1e6:.1f}: {wall / its_wall:.2f}")
    assert busy / its_busy >= RATIO, rates


def measured(here, process):
    """The trials in a second of a job that every node computes in its sandbox: by the clock, and of CPU time."""
    game = os.path.join(HERE, "../../Examples/Python/craps.py")
    # Everything is prepared then.
    here.result(here.run(game, "--trials", "5e6", "--wait-for", "1"))
    before = seconds(process)
    result = here.result(here.run(game, "--for", "4s"))
    return result["trials"] / result["elapsed"], result["trials"] / (seconds(process) - before)


def a_room_guesses_first(program, browser):
    """A job waits until two pages have guessed and the host resumes it. Then it gives the digest of one core."""
    here = room.Room(program, browser, "--cores", "1")
    try:
        job = ("monty-hall", "--trials", "1000000")
        run = here.run(*job, "--guess")
        for tab, guess in zip(here.tabs, ("0.25", "1/2")):
            # A browser draws nothing in a tab that is behind another.
            tab.call("Page.bringToFront")
            tab.until("document.querySelector('#job .guesses form')?.checkVisibility()")
            tab.evaluate(f"document.querySelector('#job .guesses input').value = '{guess}'; document.querySelector('#job .guesses form').requestSubmit()")
        for tab in here.tabs:
            tab.call("Page.bringToFront")
            tab.until_text("#job .guesses", "2 guesses so far.")
        answer = subprocess.run([program, "resume", "Monty"], capture_output=True, text=True, env=here.server.environment)
        assert answer.returncode == 0, answer.stderr
        assert here.result(run)["digest"] == here.alone(*job)["digest"], "another digest"
        for tab, guess in zip(here.tabs, ("0.25", "0.5")):
            tab.call("Page.bringToFront")
            tab.until_text("#job .guesses", "2 guesses of stay, from 0.25 to 0.5; the middle one is 0.375.")
            tab.until_text("#job .guesses", "The host has not shown the answer yet.")
            assert f"You guessed {guess}." in tab.text("#job .guesses")
            assert "exact" not in tab.text("#job .readings"), tab.text("#job .readings")
            tab.until_text("#job dl", "potluck run monty-hall --trials 1e6 --seed 2015")
    finally:
        here.close()


CHECKS = [a_room_guesses_first, kills_and_cuts_of_each_kind_change_nothing, a_worker_in_python_is_fast_and_small]
