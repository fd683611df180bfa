"""Nothing in the package needs a call that Windows or macOS lack, except where `_platform` asks for it."""

from __future__ import annotations

import ast
import ctypes
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Iterator
from unittest import TestCase, mock

import potluck
from potluck import _platform
from potluck._platform import System

from .pure import PureTest
from .support import SOURCES, FakeTest, event, result

#: Modules of the standard library that Windows lacks.
MODULES = {
    "crypt", "curses", "fcntl", "grp", "nis", "posix", "pty", "pwd", "readline", "resource", "spwd", "syslog", "termios",
    "tty"}
#: Functions that Windows or macOS lack, by their modules.
NAMES = {
    "os": {
        "WNOHANG", "chown", "chroot", "ctermid", "eventfd", "fork", "forkpty", "getegid", "geteuid", "getgid", "getgroups",
        "getloadavg", "getpgid", "getpriority", "getuid", "killpg", "mkfifo", "memfd_create", "nice", "openpty", "pipe2",
        "posix_spawn", "pread", "sched_getaffinity", "sched_setaffinity", "sched_yield", "sendfile", "setpriority", "setsid",
        "setuid", "statvfs", "sysconf", "uname", "wait3", "wait4"},
    "signal": {name for name in dir(signal) if name.startswith("SIG")} - {"SIGINT", "SIGTERM", "SIG_IGN", "SIG_DFL", "Signals"}
    | {"alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "sigwait"},
    "socket": {"AF_UNIX", "AF_PACKET", "SO_BINDTODEVICE", "SO_REUSEPORT", "send_fds", "recv_fds"},
    "time": {"clock_gettime", "clock_gettime_ns", "pthread_getcpuclockid", "tzset"},
    "multiprocessing": {"set_start_method"},
}
#: Methods that only the event loops of POSIX have.
METHODS = {"add_signal_handler", "connect_read_pipe", "preexec_fn"}


def uses(source: str) -> Iterator[str]:
    """Gives what a module uses that some systems lack."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            own = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            names = own if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            yield from (name for name in names if name.split(".")[0] in MODULES)
            if isinstance(node, ast.ImportFrom) and not node.level:
                yield from (alias.name for alias in node.names if alias.name in NAMES.get(node.module or "", ()))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in NAMES.get(node.value.id, ()) or node.attr in METHODS:
                yield f"{node.value.id}.{node.attr}"


class LintTests(TestCase):
    def test_only_one_module_asks_for_what_some_systems_lack(self) -> None:
        found = {}
        for file in sorted((SOURCES / "potluck").rglob("*.py")):
            lacking = sorted(set(uses(file.read_text(encoding="utf-8"))))
            if lacking and file.name != "_platform.py":
                found[str(file.relative_to(SOURCES))] = lacking
        self.assertEqual(found, {})

    def test_the_lint_sees_such_calls(self) -> None:
        source = """
            import fcntl
            import os, signal
            from resource import setrlimit
            from os import fork
            os.setpriority(os.PRIO_PROCESS, 0, 5)
            signal.signal(signal.SIGKILL, None)
        """
        self.assertEqual(
            sorted(uses(textwrap.dedent(source))), ["fcntl", "fork", "os.setpriority", "resource", "signal.SIGKILL"])


class PlatformTests(TestCase):
    def test_every_system_has_its_library(self) -> None:
        places = {
            System("linux", "x86_64"): "linux-x86_64/_libwasmtime.so",
            System("linux", "aarch64"): "linux-aarch64/_libwasmtime.so",
            System("darwin", "aarch64"): "darwin-aarch64/_libwasmtime.dylib",
            System("darwin", "x86_64"): "darwin-x86_64/_libwasmtime.dylib",
            System("win32", "x86_64"): "win32-x86_64/_wasmtime.dll",
            System("win32", "aarch64"): "win32-aarch64/_wasmtime.dll"}
        self.assertEqual({system: system.wasmtime for system in places}, places)

    def test_processors_have_one_name(self) -> None:
        for name, wanted in (("AMD64", "x86_64"), ("arm64", "aarch64"), ("ARM64", "aarch64"), ("x86_64", "x86_64")):
            with mock.patch("platform.machine", return_value=name):
                self.assertEqual(_platform._here().machine, wanted)

    def test_windows_is_asked_in_its_own_way(self) -> None:
        group, brake = 0x200, 21
        with mock.patch.object(_platform, "SYSTEM", System("win32", "x86_64")), \
                mock.patch.object(subprocess, "CREATE_NEW_PROCESS_GROUP", group, create=True), \
                mock.patch.object(signal, "CTRL_BREAK_EVENT", 1, create=True), \
                mock.patch.object(signal, "SIGBREAK", brake, create=True), \
                mock.patch.dict(os.environ, {"LOCALAPPDATA": "/local"}):
            kill = signal.SIGKILL
            del signal.SIGKILL
            try:
                self.assertEqual(_platform.apart(), {"creationflags": group})
                self.assertEqual((_platform.ask_to_stop(), _platform.kill()), (1, signal.SIGTERM))
                self.assertEqual(_platform.interrupts(), [signal.SIGINT, signal.SIGTERM, brake])
                self.assertTrue(_platform.is_interrupt(brake))
            finally:
                signal.SIGKILL = kill
            self.assertEqual(_platform.cache_folder(), Path("/local/potluck"))
            self.assertTrue(_platform.shows_unicode("utf-8"))
            self.assertFalse(_platform.shows_unicode("cp1252"))

    def test_what_is_lacking_is_left_out(self) -> None:
        class Kernel:
            classes: list[int] = []

            def GetCurrentProcess(self) -> int:
                return -1

            def SetPriorityClass(self, process: int, kind: int) -> None:
                self.classes.append(kind)

        class Windows:
            kernel32 = Kernel()

        with mock.patch.dict(sys.modules, {"resource": None}):
            _platform.limit(1, 1)
        nice, affinity = os.nice, os.sched_getaffinity
        del os.nice, os.sched_getaffinity
        try:
            self.assertEqual(_platform.cores(), os.cpu_count())
            _platform.give_way(19)
            with mock.patch.object(ctypes, "windll", Windows, create=True):
                for level in (0, 5, 19):
                    _platform.give_way(level)
        finally:
            os.nice, os.sched_getaffinity = nice, affinity
        self.assertEqual(Kernel.classes, [0x4000, 0x40])

    def test_macs_keep_caches_in_their_own_folder(self) -> None:
        with mock.patch.object(_platform, "SYSTEM", System("darwin", "aarch64")), \
                mock.patch.dict(os.environ, {"HOME": "/Users/ana"}):
            os.environ.pop("XDG_CACHE_HOME", None)
            self.assertEqual(_platform.cache_folder(), Path("/Users/ana/Library/Caches/potluck"))


class PipeTests(FakeTest):
    def test_threads_read_the_pipes_where_no_selector_does(self) -> None:
        import json

        lines = [json.dumps(event(trials)) for trials in (1000, 2000)]
        self.fake(["out", lines[0] + "\n"], ["err", "potluck: a remark\n"], ["out", lines[1] + "\n"],
                  ["out", json.dumps(result()) + "\n"])
        told = []
        with mock.patch.object(_platform, "SYSTEM", System("win32", "x86_64")), \
                self.assertWarns(potluck.PotluckWarning):
            found = potluck.run("monty-hall", trials=2000, callback=lambda tally: told.append(tally.trials))
        self.assertEqual((told, found.digest), ([1000, 2000, 2000], "ab" * 32))
        self.assertNoChild()


class FakeSystemTests(PureTest):
    def test_a_run_on_a_bare_system_has_the_same_digest(self) -> None:
        script = textwrap.dedent("""\
            import os, signal, sys
            for module, names in ((os, ["nice", "sched_getaffinity", "getuid"]), (signal, ["SIGXCPU", "SIGHUP"])):
                for name in names:
                    delattr(module, name)
            sys.modules["resource"] = None
            from potluck import _platform
            _platform.SYSTEM = _platform.System("win32", "x86_64")
            from potluck._command.main import main
            sys.exit(main(sys.argv[1:]))
            """)
        words = ["run", "option-price", "--trials", "1e5", "--seed", "1"]
        done = subprocess.run(
            [sys.executable, "-c", script, *words], capture_output=True, text=True, env=self.environment, check=False,
            cwd=self.folder)
        self.assertEqual(done.stderr, "")
        wanted = self.native(*words).stdout.splitlines()
        self.assertEqual([line for line in done.stdout.splitlines() if "digest" in line],
                         [line for line in wanted if "digest" in line])
