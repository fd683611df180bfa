"""Tests the Avahi shim with `shim.c`, a program that uses only the shim."""
import os
import subprocess

from laptops import HERE, PATIENCE, Lab, Process, check

# How many rounds of starting and stopping the shim are waited for during each fault; they take about a third of a
# second.
ROUNDS = 12


class Shim(Process):
    """The program `shim.c`. It prints plain text, and runs until its standard input is closed."""

    parse = staticmethod(str.rstrip)
    stdin = subprocess.PIPE

    def says(self, start, seconds):
        return self.wait(lambda: any(line.startswith(start) for line in self.lines), seconds)

    def rounds(self):
        return self.lines.count("round")

    def finish(self, seconds):
        """Closes its input. Returns the exit status, or None if the program does not end in time."""
        self.popen.stdin.close()
        try:
            self.popen.wait(PATIENCE * seconds)
        except subprocess.TimeoutExpired:
            return None
        self.join()
        return self.popen.returncode

    def wrote(self):
        return "\n".join([*self.errors, *self.lines[-20:]])[-2000:]


def build(folder, sanitizer):
    source = os.path.join(HERE, "../../Sources/CAvahi")
    files = [os.path.join(source, name) for name in os.listdir(source) if name.endswith(".c")]
    program = os.path.join(folder, sanitizer.split(",")[0])
    built = subprocess.run(
        [os.path.join(HERE, "sanitized"), sanitizer, program, os.path.join(HERE, "shim.c"), *files,
         "-I" + os.path.join(source, "include"), "-lavahi-client", "-lavahi-common"], capture_output=True, text=True)
    check(f"builds with -fsanitize={sanitizer}", built.returncode == 0, built.stderr.strip())
    return program


def shim():
    """The Avahi shim under the sanitizers, while daemons and buses die and hang; and name collisions."""
    with Lab() as lab:
        lab("up", 3)
        programs = [build(lab.scratch.name, sanitizer) for sanitizer in ("address,undefined", "thread")]
        storms(lab, programs)
        names(lab, programs[0])


def storms(lab, programs):
    running = [Shim(lab, host, program, "storm", host) for host, program in enumerate(programs, 1)]

    def lasts(storm, rounds):
        before = storm.rounds()
        return storm.wait(lambda: storm.rounds() >= before + rounds, 20)

    for storm in running:
        host = storm.host
        went_on = [lasts(storm, ROUNDS)]
        for words in [("no-avahi", host, "--crash"), ("avahi", host), ("no-avahi", host), ("avahi", host),
                      ("no-avahi", host, "--crash", "--bus"), ("avahi", host), ("hang", host)]:
            lab(*words)
            went_on.append(lasts(storm, ROUNDS))
        went_on.append(lasts(storm, 3 * ROUNDS))
        lab("unhang", host)
        went_on.append(lasts(storm, ROUNDS))
        check(f"nothing delays a start or a stop on host {host}", all(went_on), str(went_on))
    for sanitizer, storm in zip(("address", "thread"), running):
        status = storm.finish(60)
        detail = f"{storm.rounds()} rounds" if status == 0 else f"exit {status}: {storm.wrote()}"
        check(f"a storm of daemons under the {sanitizer} sanitizer", status == 0, detail)


def names(lab, program):
    def wrote(holds, *shims):
        return "" if holds else " / ".join(one.wrote() for one in shims)

    def expect(what, one, start, seconds=20):
        holds = one.says(start, seconds)
        check(what, holds, wrote(holds, one))

    def say(host, name):
        return Shim(lab, host, program, "say", name)

    def ends(shims):
        for one in shims:
            holds = one.finish(20) == 0
            check(f"it ends on host {one.host}", holds, wrote(holds, one))

    first = say(1, "same")
    expect("a name is published", first, "PUBLISHED same")
    second = say(1, "same")
    expect("a name taken on this machine", second, "PUBLISHED same #2")
    ends([first, second])

    lab("cut", 2)
    both = [say(1, "late"), say(2, "late")]
    for one in both:
        expect(f"a name is published on host {one.host} while a cable is cut", one, "PUBLISHED late")
    lab("heal", 2)
    holds = both[0].wait(lambda: any(line.startswith("PUBLISHED late #2") for one in both for line in one.lines), 30)
    check("a name taken on another: one gives way", holds, wrote(holds, *both))
    ends(both)

    renamed = say(3, "name")
    expect("a service is at the machine's name", renamed, "FOUND name at host3.local")
    lab("exec", 3, "avahi-set-host-name", "other")
    expect("the machine's name changes", renamed, "FOUND name at other.local", 30)
    ends([renamed])
