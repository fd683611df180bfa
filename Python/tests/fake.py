"""A program that prints what a test says, in the place of potluck.

FAKE_DEEDS is a list: ["out", TEXT] and ["err", TEXT] print, with a number after it that often, ["exit", CODE] and
["kill"] end it, ["close"] closes stdout, ["flood"] prints without an end, ["wait"] waits for SIGINT, and
["read", PATH] notes what a file contains. FAKE_DIARY is the file in which it notes its arguments and the signals that
it gets. To "run --help" it says that it has events.
"""

import json
import os
import signal
import sys


def note(text):
    with open(os.environ["FAKE_DIARY"], "a", encoding="utf-8") as diary:
        diary.write(text + "\n")


def main():
    if sys.argv[1:] == ["run", "--help"]:
        print("" if os.environ.get("FAKE_IS_OLD") else "  --progress-json")
        return
    if sys.argv[1:2] == ["simulations"] and "FAKE_SIMULATION" in os.environ:
        print(os.environ["FAKE_SIMULATION"])
        return
    # Blocked before anything is printed, so that no signal is lost.
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    note(json.dumps({"arguments": sys.argv[1:], "code": os.environ.get("POTLUCK_CODE")}))
    for deed, *rest in json.loads(os.environ["FAKE_DEEDS"]):
        if deed == "out":
            print(rest[0] * (rest[1] if rest[1:] else 1), end="", flush=True)
        elif deed == "err":
            print(rest[0] * (rest[1] if rest[1:] else 1), end="", flush=True, file=sys.stderr)
        elif deed == "flood":
            while True:
                os.write(1, b"x" * 65536)
        elif deed == "wait":
            signal.sigwait([signal.SIGINT])
            note("SIGINT")
        elif deed == "read":
            with open(rest[0], encoding="utf-8") as file:
                note(file.read().rstrip("\n"))
        elif deed == "close":
            os.close(1)
        elif deed == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif deed == "exit":
            sys.exit(rest[0])


main()
