"""Plays a schedule with real processes in a lab, and records what the judges need."""
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

import chaos_judges
from chaos_jobs import Job
from chaos_schedule import FOREVER, FOR_GOOD, AWAY
from laptops import CODE, GLANCE, PATIENCE, POTLUCK, Lab, Member, Process, milliseconds, now, until

# Bounds in seconds for a few nodes to start and connect, and for a job of some seconds to end; far more than they need.
CONNECTING = 30
ENDING = 120
# How many seconds a job runs after the last fault before it is cancelled, so that nodes that reconnected compute again.
AFTERMATH = 2.0
# Within this many seconds every connected node must hear of the end.
HEARING = 15
# The bound in seconds for reading a host's history.
LOOKING = 30


class Laptop(Member):
    """A node of the session: it computes on one core, or only watches."""

    def __init__(self, lab, host, command, *options):
        computes = command != "watch" and "--no-compute" not in options
        power = ("--cores", "1", "--priority", "normal") if computes else ()
        super().__init__(lab, host, command, *power, *options)
        self.watcher = chaos_judges.Watcher(f"host {host}", host, self.begun, lines=self.lines)

    def shows_trials(self):
        return any(line["event"] == "job" and line["trials"] > 0 for line in self.lines)

    def has_result(self):
        return any(line["event"] == "result" for line in self.lines)

    def knows_the_job(self):
        return any(line["event"] == "job" for line in self.lines)


class Runner(Process):
    """`potluck run --session`, which prints its result as a single line."""


class Play:
    """One run of a schedule, from starting the hosts to ending them."""

    def __init__(self, schedule, folder):
        self.schedule, self.folder = schedule, folder
        self.job = Job(schedule, folder)
        self.laptops = {}  # host: the node that runs there, or ran there last
        self.everybody = []
        self.runner = None
        self.away = {}
        self.deeds = []
        self.began = None
        self.played = 0

    # --- nodes

    def start(self, host):
        schedule = self.schedule
        options = []
        orders = schedule.form in ("served", "peers") and host == 1
        if orders:
            options = ["--run", *self.job.words, *self.job.output("together"), "--wait-for", str(len(schedule.able))]
        if schedule.form == "peers":
            command = "peer"
        elif host == schedule.looker:
            command = "watch"
        elif host == 1:
            command, options = "serve", ["--guests", "submit", *options]
            if not schedule.server_computes:
                options.append("--no-compute")
        else:
            command = "join"
        laptop = Laptop(self.lab, host, command, *options)
        self.laptops[host] = laptop
        self.everybody.append(laptop)

    def order(self):
        words = [*self.job.words, *self.job.output("together"), "--wait-for", str(len(self.schedule.able))]
        self.runner = Runner(self.lab, self.schedule.orderer, "env", f"POTLUCK_CODE={CODE}", POTLUCK, "run", *words,
                             "--session", "Monty", "--json")

    def on(self, host):
        """Returns the processes that run on a host."""
        mine = [self.laptops[host]] if host in self.laptops else []
        if self.runner is not None and host == self.schedule.orderer:
            mine.append(self.runner)
        return [process for process in mine if process.popen.poll() is None]

    def there(self):
        return [laptop for laptop in self.laptops.values() if laptop.popen.poll() is None]

    # --- faults

    def happens(self, words, deed, *parameters):
        """Calls `deed` and records it. Returns when it began and when it was done."""
        begin = now()
        deed(*parameters)
        self.deeds.append((begin, now(), words))
        return begin, self.deeds[-1][1]

    def end_node(self, host):
        for process in self.on(host):
            process.end(signal.SIGKILL)
        if host in self.laptops:
            self.laptops[host].watcher.ended = now()

    def begin(self, fault):
        for host in fault.hosts:
            match fault.kind:
                case "kill" | "restart":
                    self.end_node(host)
                case "crash" | "reboot":
                    self.lab("crash", host)
                    self.end_node(host)
                case "stop":
                    for process in self.on(host):
                        process.popen.send_signal(signal.SIGSTOP)
                case "asleep":
                    self.lab("sleep", host)
                case "cut":
                    self.lab("cut", host)
                case "silent":
                    self.lab("cut", host, "--silent")
                case "slow":
                    self.lab("slow", host, "--delay", f"{fault.delay}ms", "--loss", f"{fault.loss}%")
                case "newcomer":
                    self.start(host)
        if fault.kind == "split":
            self.lab("split", *fault.hosts)

    def undo(self, fault):
        for host in fault.hosts:
            match fault.kind:
                case "restart":
                    self.start(host)
                case "reboot":
                    self.lab("boot", host, "--no-avahi")
                    self.start(host)
                case "stop":
                    for process in self.on(host):
                        process.popen.send_signal(signal.SIGCONT)
                case "asleep":
                    self.lab("wake", host)
                case "cut" | "silent":
                    self.lab("heal", host)
                case "slow":
                    self.lab("fast", host)
        if fault.kind == "split":
            self.lab("merge")

    def is_over(self):
        if self.runner is not None and self.runner.popen.poll() is not None:
            return True
        return any(laptop.has_result() for laptop in self.everybody)

    def troubles(self):
        """Plays the faults, each at its time. Once the job is over, no fault begins and those under way end at once."""
        begins = [(fault.at, fault, False) for fault in self.schedule.faults]
        ends = [(fault.end, fault, True) for fault in self.schedule.faults if fault.lasting != FOREVER]
        under_way = {}
        for moment, fault, is_end in sorted(begins + ends, key=lambda deed: (deed[0], not deed[2])):
            while milliseconds(now() - self.began) < moment * 1000 and not self.is_over():
                time.sleep(GLANCE / 2)
            if is_end and fault in under_way:
                _, done = self.happens(f"{fault.kind} of host {fault.hosts} ends", self.undo, fault)
                for host in fault.hosts if fault.kind in AWAY else ():
                    self.away[host].append((under_way[fault], done))
            elif not is_end and not self.is_over():
                self.played += 1
                under_way[fault], _ = self.happens(f"{fault.kind} of host {fault.hosts}", self.begin, fault)
                for host in fault.hosts if fault.kind in AWAY else ():
                    self.away.setdefault(host, [])
                    if fault.kind in FOR_GOOD:
                        self.away[host].append((under_way[fault], FOREVER))

    def cancel(self):
        """Cancels the job from a running host. Retries if that is refused, because the coordinator may be changing."""
        time.sleep(AFTERMATH)
        host = 1 if self.schedule.form != "peers" else min(laptop.host for laptop in self.there())
        words = self.lab.command(host, POTLUCK, "cancel", "Monty")

        def cancelled():
            done = subprocess.run(words, env=self.lab.environment, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=PATIENCE * ENDING)
            self.deeds.append((now(), now(), f"cancel on host {host}: {(done.stdout + done.stderr).strip()}"))
            return done.returncode == 0 or self.is_over()

        until(cancelled, HEARING)

    # --- from beginning to end

    def play(self):
        """Plays the schedule. Returns what the judges need."""
        with Lab() as lab:
            self.lab = lab
            try:
                lab("up", self.schedule.highest_host, "--no-avahi")
                self.gather()
                self.troubles()
                self.conclude()
                self.dismiss()
                histories = {host: self.history(host) for host in range(1, self.schedule.highest_host + 1)}
            finally:
                self.keep()
        return self.evening(histories)

    def gather(self):
        """Starts the first nodes, and waits until the job has begun."""
        schedule = self.schedule
        for host in [*range(1, schedule.hosts + 1), *([schedule.looker] if schedule.looker else [])]:
            self.start(host)
        first = self.laptops[1]
        if schedule.form in ("visit", "guest"):
            # A node that runs on the orderer's host takes the order, so it too must be connected.
            first.links(len(self.laptops) - 1, CONNECTING)
            if schedule.orderer in self.laptops:
                self.laptops[schedule.orderer].links(1, CONNECTING)
            self.order()
        if not first.wait(first.shows_trials, CONNECTING):
            raise RuntimeError("no job began: " + " ".join(first.errors + (self.runner.errors if self.runner else [])))
        self.began = now()

    def conclude(self):
        """Waits until every running node that knows the job has its result."""
        if self.schedule.kind == "cancelled":
            self.cancel()
        until(self.is_over, ENDING)
        until(lambda: all(laptop.has_result() for laptop in self.there() if laptop.knows_the_job()), HEARING)
        if self.runner is not None:
            until(lambda: self.runner.popen.poll() is not None, HEARING)
            self.runner.end()
        elif self.schedule.kind == "list":
            # A node that stays in the session writes the file after it has reported the result.
            until(lambda: any("output written to" in line for line in self.laptops[1].errors), HEARING)

    def dismiss(self):
        """Ends all nodes with SIGTERM. A node that has ended before, or does not end so, has failed."""
        for laptop in self.everybody:
            if laptop.watcher.ended is not None:
                continue
            status = laptop.popen.poll()
            if status is not None:
                laptop.watcher.died = f"ended by itself with {status}"
            laptop.end()
            if status is None and laptop.popen.returncode < 0:
                laptop.watcher.died = f"did not end when it was told to, but with {laptop.popen.returncode}"

    def history(self, host):
        """Returns the runs that a host recorded. A host's folder survives its crash."""
        home = os.path.join(self.lab.environment["POTLUCK_LAB"], "hosts", str(host), "home")
        state = os.path.join(home, ".local/state/potluck")
        if not os.path.isdir(state):
            return []
        done = subprocess.run([POTLUCK, "history", "--json", "--state", state], capture_output=True, text=True, check=True,
                              timeout=PATIENCE * LOOKING)
        return json.loads(done.stdout)

    def evening(self, histories):
        results = [line for laptop in self.everybody for line in laptop.watcher.results()]
        count = results[0]["result"]["trials"] if results else None
        if count is None and self.runner is not None and self.runner.lines:
            count = self.runner.lines[0]["trials"]
        order = None
        if self.runner is not None:
            order = chaos_judges.Order(self.runner.popen.returncode, self.runner.lines, " ".join(self.runner.errors[-2:]))
        if count is None and self.schedule.kind == "cancelled":
            truth = {"digest": "unknown", "trials": 0}
        else:
            truth = self.job.truth(count)
        return chaos_judges.Evening(
            form=self.schedule.form, kind=self.schedule.kind, began=self.began,
            watchers=[laptop.watcher for laptop in self.everybody], away=self.away, histories=histories, truth=truth,
            orderer=self.schedule.orderer, order=order, has_same_file=self.job.has_same_file(), patience=PATIENCE)

    def keep(self):
        """Writes the faults and the output of all processes to the folder."""
        def seconds(moment):
            return milliseconds(moment - self.began) / 1000 if self.began else 0

        with open(os.path.join(self.folder, "deeds"), "w") as file:
            print(f"potluck run {' '.join(self.job.words)}; the first tally at {self.began}", file=file)
            for begin, end, words in self.deeds:
                print(f"{seconds(begin):7.2f} to {seconds(end):7.2f} s  {words}", file=file)
        for number, process in enumerate(self.everybody + ([self.runner] if self.runner else [])):
            kind = "runner" if process is self.runner else "node"
            with open(os.path.join(self.folder, f"{number}-{kind}-host{process.host}"), "w") as file:
                for line in process.lines:
                    print(json.dumps(line), file=file)
                for text in process.errors:
                    print(text, file=file)


def played(schedule):
    """Plays a schedule. Returns what is wrong, the play, the longest pause in seconds, and the folder, which is kept if
    something is wrong."""
    folder = tempfile.mkdtemp(prefix=f"potluck-chaos-{schedule.seed}-")
    play, pause = None, None
    try:
        play = Play(schedule, folder)
        evening = play.play()
        wrong, pause = chaos_judges.judge(evening), chaos_judges.longest_pause(evening)[0]
    except (RuntimeError, ValueError, subprocess.SubprocessError, OSError) as error:
        wrong = [f"the schedule could not be played: {error}"]
    if not wrong:
        shutil.rmtree(folder)
    else:
        with open(os.path.join(folder, "wrong"), "w") as file:
            print(schedule.table(), *wrong, sep="\n", file=file)
    return wrong, play, pause, folder
