"""A program on a terminal of its own, and the screen that its user sees."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time

from laptops import CODE, GLANCE, PATIENCE, POTLUCK

# A control sequence of ECMA-48: parameters and a final letter.
SEQUENCE = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])")


class Screen:
    """What a terminal shows after the sequences that Potluck writes: moves up and down, erased lines, and ink."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines = [""] * rows
        self.row = self.column = 0

    def feed(self, text):
        """Takes what was written, and returns the beginning of a sequence that is not complete."""
        at = 0
        while at < len(text):
            if text[at] == "\x1b":
                found = SEQUENCE.match(text, at)
                if not found:
                    return text[at:]
                self.control(*found.groups())
                at = found.end()
                continue
            self.put(text[at])
            at += 1
        return ""

    def control(self, parameters, letter):
        count = int(parameters) if parameters.isdigit() else 1
        if letter == "A":
            self.row = max(0, self.row - count)
        elif letter == "B":
            self.row = min(self.rows - 1, self.row + count)
        elif letter == "K":
            self.lines[self.row] = ""
        elif letter == "J":
            self.lines[self.row] = self.lines[self.row][:self.column]
            self.lines[self.row + 1:] = [""] * (self.rows - self.row - 1)

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            if self.row == self.rows - 1:
                self.lines = self.lines[1:] + [""]
            else:
                self.row += 1
        elif character >= " ":
            if self.column == self.columns:
                self.put("\r")
                self.put("\n")
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[:self.column] + character + line[self.column + 1:]
            self.column += 1

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.lines)


class Seat:
    """Potluck on a terminal of a host. `text` is the screen of now, `written` all that was ever on it."""

    def __init__(self, lab, host, command, *options, columns=80, rows=24):
        self.lab, self.host = lab, host
        self.screen, self.written, self.changed = Screen(columns, rows), "", threading.Condition()
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.popen = subprocess.Popen(
            lab.command(host, "env", f"POTLUCK_CODE={CODE}", "TERM=xterm", "LANG=C.UTF-8", POTLUCK, command, "Monty", "--name",
                        f"laptop{host}", *options),
            env=lab.environment, stdin=slave, stdout=slave, stderr=slave, start_new_session=True)
        os.close(slave)
        lab.running.append(self)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        rest, octets = "", b""
        while True:
            try:
                octets += os.read(self.master, 65536)
            except OSError:
                return
            # A character may be cut in two.
            text = octets.decode("utf-8", "ignore")
            octets = octets[len(text.encode()):]
            with self.changed:
                self.written += text
                rest = self.screen.feed(rest + text)
                self.changed.notify_all()

    @property
    def text(self):
        with self.changed:
            return self.screen.text

    def shows(self, condition, seconds):
        """Waits until the screen shows a text, or fulfils a condition. Returns whether it did in time."""
        holds = condition if callable(condition) else lambda text: condition in text
        end = time.monotonic() + PATIENCE * seconds
        with self.changed:
            while not holds(self.screen.text):
                if time.monotonic() > end:
                    return False
                self.changed.wait(GLANCE)
            return True

    def mark(self):
        """A moment, for `wrote`."""
        with self.changed:
            return len(self.written)

    def wrote(self, text, since):
        """Whether the text was on the screen at any time since then."""
        with self.changed:
            return text in self.written[since:]

    def type(self, keys):
        os.write(self.master, keys.encode())

    def end(self, how=signal.SIGTERM):
        if self in self.lab.running:
            self.lab.running.remove(self)
        if self.popen.poll() is None:
            self.popen.send_signal(how)
        try:
            self.popen.wait(PATIENCE * 10)
        except subprocess.TimeoutExpired:
            self.popen.kill()
            self.popen.wait()
        return self.popen.returncode
