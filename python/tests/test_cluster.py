"""Programs on a cluster that resizes train as plain torch does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import unittest
from random import Random
from typing import Callable

from fake_worker import PROGRAMS, PYTHON_FOLDER, TIMEOUT_SECONDS, FakeCluster

try:
    import numpy  # noqa: F401
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

if torch is not None:
    import reference

needs_torch = unittest.skipIf(torch is None, f"torch and numpy are not both installed for {sys.executable}")
TRAIN = str(PROGRAMS / "train.py")


def random_sizes(seed: int) -> Callable[[int], int]:
    """Between one and three workers, changed at random after 5 to 25 steps."""
    random = Random(seed)
    sizes: list[int] = []
    while len(sizes) < 200:
        sizes += [random.randint(1, 3)] * random.randint(5, 25)
    return lambda step: sizes[step]


# With this seed a job of 132 steps is resized five times, and four programs start.
resizing = random_sizes(2)


def two_from(joined: int) -> Callable[[int], int]:
    """One worker, and two from a step on."""
    return lambda step: 1 if step < joined else 2


@needs_torch
class ClusterTest(unittest.TestCase):
    def assert_trains_as_torch(
        self,
        arguments: str = "",
        plan: Callable[[int], int] = resizing,
        divided: bool = False,
        fails: Callable[[int], bool] = lambda step: False,
    ) -> FakeCluster:
        """Trains on a cluster, and holds losses and rates against plain torch."""
        cluster = FakeCluster([TRAIN, *arguments.split()], plan, fails=fails)
        self.addCleanup(cluster.__exit__)
        cluster.train()
        options = dict(re.findall(r"--(model|optimizer|schedule|epochs|clip) (\S+)", arguments))
        losses, rates, model = reference.train(workers_of=plan if divided else None, **options)
        self.assertEqual(len(losses), len(cluster.losses))
        for step, (expected, got) in enumerate(zip(losses, cluster.losses)):
            self.assertAlmostEqual(expected, got, delta=1e-5, msg=f"step {step}")
        self.assertEqual(rates, cluster.rates)
        self.assertEqual([], cluster.steps_of_different_rates)
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

    def test_sgd_with_random_resizes(self) -> None:
        cluster = self.assert_trains_as_torch()
        self.assertGreater(len(cluster.losses), 100)

    def test_adam_keeps_gradients_in_place(self) -> None:
        self.assert_trains_as_torch("--optimizer adam --keep-gradients", two_from(40))

    def test_adamw_with_warm_up_at_each_step(self) -> None:
        self.assert_trains_as_torch("--optimizer adamw --schedule steps")

    def test_schedule_of_epochs_with_joins_at_ends_of_epochs(self) -> None:
        # Steps 7 and 14 are the first of epochs 1 and 2; step 21 is the second of epoch 3.
        plan = {0: 1, 7: 2, 10: 1, 14: 2, 18: 1, 21: 2}
        self.assert_trains_as_torch(
            "--schedule epochs --epochs 16", lambda step: plan[max(start for start in plan if start <= step)]
        )

    def test_repeated_steps_do_not_advance_schedules(self) -> None:
        fails = {0, 1, 2, 6, 7, 20, 21}.__contains__
        self.assert_trains_as_torch("--optimizer adamw --schedule steps --epochs 6", two_from(20), fails=fails)
        self.assert_trains_as_torch("--schedule epochs --epochs 6", two_from(20), fails=fails)

    def test_batch_norm_averages_buffers(self) -> None:
        self.assert_trains_as_torch("--model batchnorm --epochs 6", two_from(10), divided=True)

    def test_buffer_that_the_model_replaces(self) -> None:
        self.assert_trains_as_torch("--model running --epochs 3", two_from(5), divided=True)

    def test_tied_weights_appear_once(self) -> None:
        cluster = self.assert_trains_as_torch("--model tied --epochs 6", two_from(10))
        names = [block["name"] for block in cluster.ready["blocks"]]
        self.assertEqual(
            ["first.weight", "first.bias", "second.bias", "last.weight", "last.bias", "optimus.state"], names
        )

    def test_frozen_layers_stay_out(self) -> None:
        cluster = self.assert_trains_as_torch("--model frozen --epochs 6", two_from(10))
        self.assertEqual(["2.weight", "2.bias", "optimus.state"], [block["name"] for block in cluster.ready["blocks"]])

    def test_two_groups(self) -> None:
        cluster = self.assert_trains_as_torch("--optimizer groups --schedule epochs --epochs 6", two_from(10))
        self.assertEqual([0, 0, 1, 1], [block["group"] for block in cluster.ready["blocks"][:-1]])
        self.assertEqual([[0.1, 0.0], [0.02, 1e-3]], cluster.rates[0])

    def test_parameters_without_gradient_push_zeros(self) -> None:
        self.assert_trains_as_torch("--model unused --epochs 6", two_from(10))

    def test_overlap_tells_of_gradients_from_the_last_to_the_first(self) -> None:
        cluster = self.assert_trains_as_torch("--overlap --epochs 6", two_from(10))
        places = [0]
        for block in cluster.ready["blocks"]:
            places.append(places[-1] + numpy.prod(block["shape"], dtype=int))
        state, last_layer = places[4], places[2]
        for told in cluster.told_early:
            self.assertEqual([state, last_layer], told[:2])
            self.assertEqual(0, told[-1])
            self.assertEqual(sorted(told, reverse=True), told)
        self.assertEqual(len(cluster.losses) + len(cluster.losses) - 10, len(cluster.told_early))

    def test_overlap_trains_as_torch(self) -> None:
        for arguments in (
            "--model batchnorm --epochs 6",
            "--model unused --optimizer adamw --schedule steps --epochs 6",
            "--model float64 --keep-gradients --epochs 6",
            "--parts 3 --reduce-once --epochs 3",
        ):
            with self.subTest(arguments):
                cluster = self.assert_trains_as_torch(
                    f"--overlap {arguments}", two_from(10), divided="batchnorm" in arguments
                )
                self.assertTrue(cluster.told_early)

    def test_copies_parameters_of_other_types(self) -> None:
        self.assert_trains_as_torch("--model float64 --epochs 16", two_from(10))

    def test_accumulates_and_clips(self) -> None:
        self.assert_trains_as_torch("--parts 3 --clip 0.2 --keep-gradients", lambda step: 1)

    def test_standalone_equals_one_worker(self) -> None:
        arguments = "--model batchnorm --optimizer adamw --schedule steps --epochs 16 --print-losses".split()
        with FakeCluster([TRAIN, *arguments]) as cluster:
            cluster.train()
            alone = subprocess.run(
                [sys.executable, TRAIN, *arguments],
                env=dict(os.environ, PYTHONPATH=str(PYTHON_FOLDER), OMP_NUM_THREADS="1"),
                capture_output=True,
                text=True,
                timeout=TIMEOUT_SECONDS,
                check=True,
            )
            losses = [float(line.split()[1]) for line in alone.stdout.splitlines() if line.startswith("loss")]
            self.assertEqual(len(cluster.losses), len(losses))
            self.assertGreater(len(losses), 100)
            for step, (expected, got) in enumerate(zip(losses, cluster.losses)):
                self.assertAlmostEqual(expected, got, delta=1e-5, msg=f"step {step}")

    def test_worker_processes_read_the_same_samples_through_resizes(self) -> None:
        losses = {}
        for workers, plan in ((0, lambda step: 1), (2, lambda step: 1 if step < 5 or 11 <= step < 17 else 2)):
            for persistent in {False, workers > 0}:
                with FakeCluster(
                    [str(PROGRAMS / "random_samples.py"), str(workers), str(int(persistent))], plan
                ) as cluster:
                    cluster.train()
                    losses[workers, persistent] = cluster.losses
        expected = losses.pop((0, False))
        self.assertEqual(2, len(losses))
        for got in losses.values():
            self.assertEqual(len(expected), len(got))
            for step, (one, other) in enumerate(zip(expected, got)):
                self.assertAlmostEqual(one, other, delta=1e-5, msg=f"step {step}")

    def test_failure_in_a_process_of_the_loader(self) -> None:
        with FakeCluster([str(PROGRAMS / "failing_samples.py")]) as cluster:
            cluster.resize(1)
            worker = cluster.members[0]
            worker.send(type="step", step=0, count=32, stride=32, rank=0, workers=1, batch=32, **{"from": 0})
            failed = worker.expect("failed")
            self.assertRegex(failed["reason"], "^ValueError: Caught ValueError in DataLoader.* sample 7 is broken$")
            self.assertEqual("failing_samples.py:27", failed["where"])
            self.assertEqual(1, worker.end())

    def test_owners_state_reaches_a_joiner(self) -> None:
        with FakeCluster([str(PROGRAMS / "owner_state.py")], lambda step: 1 if step < 9 else 2) as cluster:
            cluster.train()
            self.assertIn("joined at step 9 of epoch 1 with {'batches': 9}", cluster.members[1].output())

    def test_first_steps_with_a_schedule_correct_themselves(self) -> None:
        # After step 0 nobody knows how often sched.step() is called. The joiner's first step has the rate of step 0.
        with FakeCluster([TRAIN, "--schedule", "steps", "--epochs", "1"], lambda step: 2) as cluster:
            cluster.resize(1)
            cluster.step(0)
            cluster.resize(2)
            for step in range(1, 4):
                cluster.step(step)
            self.assertEqual([1], cluster.steps_of_different_rates)
