"""Each wheel says what it has, and depends on nothing but its files."""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

from potluck._sandbox import errors

from .support import ROOT, ProgramTest

FILES = {
    "bin/potluck": b"\x7fELF program", "lib/potluck/libx.so.1": b"library", "lib/potluck/modules/pi.wasm": b"module",
    "lib/potluck/python/runtime.wasm": b"runtime",
    "share/man/man1/potluck.1": b"page", "licenses/libx": b"licence", "LICENSE": b"Apache",
    "sbom.cdx.json": b"{}",
}


class WheelTests(ProgramTest):
    def archive(self, name: str, *, backwards: bool) -> Path:
        """Makes an unpacked archive, whose files are of this or of an earlier time and order."""
        folder = self.folder / name
        for path, octets in sorted(FILES.items(), reverse=backwards):
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(octets)
            if backwards:
                target.chmod(0o600)
                os.utime(target, (1, 1))
        return folder

    def wheel(self, archive: Path, glibc: str = "2.36") -> "subprocess.CompletedProcess[str]":
        out = self.folder / f"{archive.name}-out"
        out.mkdir(exist_ok=True)
        self.set(SOURCE_DATE_EPOCH="1700000000")
        words = [sys.executable, str(ROOT / "Tools/wheel"), str(archive), glibc, str(out)]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    def wheels(self, archive: Path) -> list[Path]:
        """Returns the wheel with the program and the one without."""
        return [Path(path) for path in self.wheel(archive).stdout.split()]

    def test_the_same_files_give_the_same_wheels(self) -> None:
        first, second = (self.wheels(self.archive(name, backwards=name == "b")) for name in "ab")
        self.assertEqual([path.read_bytes() for path in first], [path.read_bytes() for path in second])
        kinds = [f"manylinux_2_36_{os.uname().machine}", "any"]
        version = first[0].name.split("-")[1]
        self.assertEqual([path.name for path in first], [f"potluck_cluster-{version}-py3-none-{kind}.whl" for kind in kinds])

    def expect_record(self, wheel: zipfile.ZipFile) -> None:
        """Checks that RECORD names every file with its hash."""
        names = wheel.namelist()
        record = next(name for name in names if name.endswith(".dist-info/RECORD"))
        rows = list(csv.reader(wheel.read(record).decode().splitlines()))
        self.assertEqual(sorted(row[0] for row in rows), sorted(names))
        self.assertEqual(len(set(names)), len(names))
        for name, digest, size in rows:
            if name != record:
                octets = wheel.read(name)
                expected = base64.urlsafe_b64encode(hashlib.sha256(octets).digest()).decode().rstrip("=")
                self.assertEqual((digest, int(size)), (f"sha256={expected}", len(octets)))

    def test_the_wheel_with_the_program_has_its_files(self) -> None:
        with zipfile.ZipFile(self.wheels(self.archive("a", backwards=False))[0]) as wheel:
            self.expect_record(wheel)
            names = wheel.namelist()
            stem = next(name for name in names if name.endswith("/RECORD"))[: -len(".dist-info/RECORD")]
            places = {
                "bin/potluck": f"{stem}.data/scripts/potluck", "LICENSE": f"{stem}.dist-info/licenses/LICENSE",
                "licenses/libx": f"{stem}.dist-info/licenses/libraries/libx",
                "sbom.cdx.json": f"{stem}.dist-info/sboms/potluck.cdx.json"}
            for path, octets in FILES.items():
                self.assertEqual(wheel.read(places.get(path, f"{stem}.data/data/{path}")), octets)
            self.assertLessEqual({"potluck/__init__.py", "potluck/py.typed"}, set(names))
            self.assertEqual(wheel.getinfo(places["bin/potluck"]).external_attr >> 16 & 0o777, 0o755)
            about = Parser().parsestr(wheel.read(f"{stem}.dist-info/METADATA").decode())
            self.assertEqual((about["Name"], f"potluck_cluster-{about['Version']}"), ("potluck-cluster", stem))
            self.assertEqual(about.get_all("License-File"), ["LICENSE", "libraries/libx"])
            self.assertEqual(about.get_all("Requires-Dist"), ["pandas; extra == 'pandas'"])
            self.assertNotIn("](docs/", str(about.get_payload()))

    def test_the_wheel_for_all_systems_has_the_modules_and_no_program(self) -> None:
        with zipfile.ZipFile(self.wheels(self.archive("a", backwards=False))[1]) as wheel:
            self.expect_record(wheel)
            names = wheel.namelist()
            stem = next(name for name in names if name.endswith("/RECORD"))[: -len(".dist-info/RECORD")]
            self.assertEqual(wheel.read("potluck/_bundle/modules/pi.wasm"), FILES["lib/potluck/modules/pi.wasm"])
            self.assertEqual(wheel.read("potluck/_bundle/runtime.wasm"), FILES["lib/potluck/python/runtime.wasm"])
            self.assertEqual(wheel.read("potluck/_bundle/version").decode().strip(), stem.split("-")[1])
            self.assertLessEqual({"potluck/_command/main.py", "potluck/_sandbox/chunk.py"}, set(names))
            self.assertFalse([name for name in names if ".data/" in name])
            points = wheel.read(f"{stem}.dist-info/entry_points.txt").decode()
            self.assertEqual(points, "[console_scripts]\npotluck = potluck._command.main:main\n")
            about = Parser().parsestr(wheel.read(f"{stem}.dist-info/METADATA").decode())
            self.assertEqual(
                about.get_all("Requires-Dist"), [f"wasmtime=={errors.VERSION}", "pandas; extra == 'pandas'"])
            self.assertIn("Operating System :: Microsoft :: Windows", about.get_all("Classifier", []))
            self.assertIn("Root-Is-Purelib: true\nTag: py3-none-any", wheel.read(f"{stem}.dist-info/WHEEL").decode())

    def test_what_is_missing_or_wrong_is_named(self) -> None:
        archive = self.archive("a", backwards=False)
        self.assertIn("is not a version of glibc", self.wheel(archive, "3").stderr)
        (archive / "bin/potluck").unlink()
        failed = self.wheel(archive)
        self.assertEqual(failed.returncode, 1)
        self.assertIn("bin/potluck is missing", failed.stderr)
