"""Reading saved models."""

from __future__ import annotations

import json
import pathlib
import struct
import tempfile
import unittest

import fake_worker  # noqa: F401  finds the packages below

from optimus_yarn import OptimusError, load

try:
    import numpy  # noqa: F401
except ImportError:
    numpy = None  # type: ignore[assignment]

BLOCKS = [
    {"name": "weight", "shape": [2, 3], "kind": "PARAMETER", "group": 0},
    {"name": "optimus.state", "shape": [2], "kind": "STATE", "group": 0},
    {"name": "scale", "shape": [], "kind": "STATISTIC", "group": 0},
]


class ModelsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "model.bin"

    def write(self, floats: int, **header: object) -> None:
        line = json.dumps({"format": "optimus-model", "version": 1, "floats": 9, "blocks": BLOCKS, **header})
        self.path.write_bytes(line.encode().ljust(319) + b"\n" + struct.pack(f"<{floats}f", *range(floats)))

    @unittest.skipUnless(numpy, "numpy is not installed")
    def test_reads_tensors_by_name_without_the_state(self) -> None:
        self.write(9)
        tensors = load(self.path)
        self.assertEqual(["weight", "scale"], list(tensors))
        self.assertEqual([[0, 1, 2], [3, 4, 5]], tensors["weight"].tolist())
        self.assertEqual(8, float(tensors["scale"]))

    def test_refuses_a_file_that_is_cut_off(self) -> None:
        self.write(8)
        with self.assertRaisesRegex(OptimusError, "32 bytes of numbers where its header says 36"):
            load(self.path)

    def test_refuses_other_files_and_versions(self) -> None:
        self.write(9, version=2)
        with self.assertRaisesRegex(OptimusError, "no model of version 1"):
            load(self.path)
        self.path.write_bytes(b"\x80\x04binary")
        with self.assertRaisesRegex(OptimusError, "no model of version 1"):
            load(self.path)


if __name__ == "__main__":
    unittest.main()
