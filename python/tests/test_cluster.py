"""Programs on a cluster that resizes train as plain torch does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unittest
from typing import Callable

from fake_worker import PROGRAMS, PYTHON_FOLDER, TIMEOUT_SECONDS, FakeCluster

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

if torch is not None:
    import reference

needs_torch = unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
TRAIN = str(PROGRAMS / "train.py")


def resizing(step: int) -> int:
    """Between one and three workers, with joins and leaves inside of epochs and at their ends (6.6 steps each)."""
    return [1, 2, 2, 1, 3, 2, 1][step * 7 // 140] if step < 132 else 2


@needs_torch
class ClusterTest(unittest.TestCase):
    def assert_trains_as_torch(
        self, arguments: str = "", plan: Callable[[int], int] = resizing, divided: bool = False
    ) -> FakeCluster:
        """Trains on a cluster, and holds losses and rates against plain torch."""
        cluster = FakeCluster([TRAIN, *arguments.split()], plan)
        self.addCleanup(cluster.__exit__)
        cluster.train()
        options = dict(re.findall(r"--(model|optimizer|schedule|epochs|clip) (\S+)", arguments))
        losses, rates, model = reference.train(workers_of=plan if divided else None, **options)
        self.assertEqual(len(losses), len(cluster.losses))
        for step, (expected, got) in enumerate(zip(losses, cluster.losses)):
            self.assertAlmostEqual(expected, got, delta=1e-5, msg=f"step {step}")
        self.assertEqual(rates, cluster.rates)
        for name, value in reference.named_values(model):
            difference = abs(value.numpy().reshape(-1) - cluster.block(name)).max()
            self.assertLess(difference, 1e-4, name)
        return cluster

    def test_six_lines_train(self) -> None:
        with FakeCluster([str(PROGRAMS / "six_lines.py")], lambda step: 1 if step < 7 else 2) as cluster:
            cluster.train()
            self.assertEqual(20, len(cluster.losses))
            self.assertLess(cluster.losses[-1], 0.8 * cluster.losses[0])
            self.assertEqual("", cluster.members[0].output())

    def test_sgd(self) -> None:
        cluster = self.assert_trains_as_torch()
        self.assertGreater(len(cluster.losses), 100)
