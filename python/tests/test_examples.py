"""Runs the examples of conf/examples by hand for one epoch, as their README says."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import fake_worker  # noqa: F401  finds the packages below

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "conf" / "examples"
DIGITS = ROOT / "am/src/main/resources/io/optimus/am/dataset/digits.csv.gz"


class ExamplesTest(unittest.TestCase):
    def run_example(self, name: str, *arguments: str) -> str:
        # The examples save their models below the folder where they are started.
        folder = tempfile.TemporaryDirectory(prefix="optimus-test-")
        self.addCleanup(folder.cleanup)
        run = subprocess.run(
            [sys.executable, str(EXAMPLES / name / "train.py"), *arguments],
            cwd=folder.name,
            env={**os.environ, "PYTHONPATH": str(ROOT / "python"), "OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            universal_newlines=True,
            timeout=120,
        )
        self.assertEqual(0, run.returncode, run.stdout)
        return run.stdout

    def value(self, line: str) -> float:
        return float(line.split()[-1])

    @unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
    def test_digits_cnn(self) -> None:
        lines = self.run_example("digits-cnn", "--epochs", "2", "--data", str(DIGITS)).splitlines()
        self.assertGreater(self.value(lines[-1]), 0.85)

    @unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
    def test_char_transformer(self) -> None:
        lines = self.run_example("char-transformer", "--epochs", "1", str(ROOT / "LICENSE")).splitlines()
        self.assertRegex(lines[-1], "^epoch 0: held_out_loss ")
        self.assertLess(self.value(lines[-1]), 4.5)

    @unittest.skipIf(numpy is None, f"numpy is not installed for {sys.executable}")
    def test_digits_numpy(self) -> None:
        lines = self.run_example("digits-numpy", "--epochs", "3", "--data", str(DIGITS)).splitlines()
        self.assertEqual(["epoch 0", "epoch 1", "epoch 2"], [line.split(":")[0] for line in lines])
        self.assertGreater(self.value(lines[-1]), 0.85)


if __name__ == "__main__":
    unittest.main()
