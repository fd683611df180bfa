"""The wheel says what it has, and depends on nothing but its files."""

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

from .support import ROOT, ProgramTest

FILES = {
    "bin/potluck": b"\x7fELF program", "lib/potluck/libx.so.1": b"library", "lib/potluck/modules/pi.wasm": b"module",
    "share/man/man1/potluck.1": b"page", "licenses/libx": b"licence", "LICENSE": b"Apache",
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

    def test_the_same_files_give_the_same_wheel(self) -> None:
        first, second = (self.wheel(self.archive(name, backwards=name == "b")).stdout.strip() for name in "ab")
        self.assertEqual(Path(first).read_bytes(), Path(second).read_bytes())
        self.assertTrue(Path(first).name.startswith("potluck_cluster-"))
        self.assertTrue(Path(first).name.endswith(f"-py3-none-manylinux_2_36_{os.uname().machine}.whl"))

    def test_the_record_names_every_file_with_its_hash(self) -> None:
        with zipfile.ZipFile(self.wheel(self.archive("a", backwards=False)).stdout.strip()) as wheel:
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
            stem = record[: -len(".dist-info/RECORD")]
            places = {
                "bin/potluck": f"{stem}.data/scripts/potluck", "LICENSE": f"{stem}.dist-info/licenses/LICENSE",
                "licenses/libx": f"{stem}.dist-info/licenses/libraries/libx"}
            for path, octets in FILES.items():
                self.assertEqual(wheel.read(places.get(path, f"{stem}.data/data/{path}")), octets)
            self.assertLessEqual({"potluck/__init__.py", "potluck/py.typed"}, set(names))
            self.assertEqual(wheel.getinfo(places["bin/potluck"]).external_attr >> 16 & 0o777, 0o755)
            about = Parser().parsestr(wheel.read(f"{stem}.dist-info/METADATA").decode())
            self.assertEqual((about["Name"], f"potluck_cluster-{about['Version']}"), ("potluck-cluster", stem))
            self.assertEqual(about.get_all("License-File"), ["LICENSE", "libraries/libx"])
            self.assertNotIn("](docs/", str(about.get_payload()))

    def test_what_is_missing_or_wrong_is_named(self) -> None:
        archive = self.archive("a", backwards=False)
        self.assertIn("is not a version of glibc", self.wheel(archive, "3").stderr)
        (archive / "bin/potluck").unlink()
        failed = self.wheel(archive)
        self.assertEqual(failed.returncode, 1)
        self.assertIn("bin/potluck is missing", failed.stderr)
