"""The wheel holds the package and nothing else, and equal sources make equal bytes."""

from __future__ import annotations

import base64
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

from fake_worker import PYTHON_FOLDER, TIMEOUT_SECONDS

import optimus_yarn  # found by fake_worker


class WheelTest(unittest.TestCase):
    def build(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            called = subprocess.run(
                [sys.executable, "-B", str(PYTHON_FOLDER / "build_wheel.py"), folder],
                capture_output=True,
                text=True,
                timeout=TIMEOUT_SECONDS,
                check=True,
            )
            return pathlib.Path(called.stdout.strip()).read_bytes()

    def test_holds_the_package(self) -> None:
        with tempfile.TemporaryFile() as file:
            file.write(self.build())
            with zipfile.ZipFile(file) as wheel:
                names = wheel.namelist()
                record = wheel.read(f"optimus_yarn-{optimus_yarn.__version__}.dist-info/RECORD").decode()
                self.assertIn("optimus_yarn/__main__.py", names)
                self.assertEqual(
                    {"optimus_yarn", f"optimus_yarn-{optimus_yarn.__version__}.dist-info"},
                    {name.split("/")[0] for name in names},
                )
                for line in record.splitlines()[:-1]:
                    name, digest, size = line.split(",")
                    content = wheel.read(name)
                    expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                    self.assertEqual((f"sha256={expected}", str(len(content))), (digest, size))

    def test_equal_sources_make_equal_bytes(self) -> None:
        self.assertEqual(self.build(), self.build())


if __name__ == "__main__":
    unittest.main()
