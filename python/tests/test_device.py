"""The device that programs compute on."""

from __future__ import annotations

import os
import sys
import unittest
import unittest.mock
from typing import Optional

import fake_worker  # noqa: F401  finds the package below

from optimus_yarn.job import GPUS_VARIABLE, Job

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]


@unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
class DeviceTest(unittest.TestCase):
    def job(self, gpus: Optional[str], visible: bool) -> Job:
        self.patched(unittest.mock.patch.dict(os.environ, {GPUS_VARIABLE: gpus} if gpus else {}))
        self.patched(unittest.mock.patch.object(torch.cuda, "is_available", return_value=visible))
        return Job(None)

    def patched(self, patch: unittest.mock._patch) -> None:
        patch.start()
        self.addCleanup(patch.stop)

    def test_a_gpu_that_is_seen(self) -> None:
        for gpus in (None, "2"):
            self.assertEqual("cuda", self.job(gpus, True).device.type)

    def test_cpu_without_a_warning_where_no_gpu_is_asked_for(self) -> None:
        for gpus in (None, "0"):
            with unittest.mock.patch("optimus_yarn.job._log.warning") as warning:
                self.assertEqual(torch.device("cpu"), self.job(gpus, False).device)
            warning.assert_not_called()

    def test_cpu_with_one_warning_where_gpus_are_missing(self) -> None:
        job = self.job("2", False)
        with self.assertLogs("optimus_yarn", "WARNING") as logs:
            self.assertEqual([torch.device("cpu")] * 2, [job.device, job.device])
        self.assertEqual(1, len(logs.output))
        self.assertIn("asks for 2 GPUs for each worker", logs.output[0])


if __name__ == "__main__":
    unittest.main()
