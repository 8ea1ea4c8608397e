"""Workers whose gradients servers average make the updates themselves, as plain torch does, whoever joins or dies."""

from __future__ import annotations

import unittest
from typing import Any, Callable

import test_groups
from fake_group import FakeGroup
from test_groups import between, needs_torch, torch


@needs_torch
class ServerAverageTest(unittest.TestCase):
    assert_trains_as_torch = test_groups.GroupTest.assert_trains_as_torch
    assert_losses_of_torch = test_groups.GroupTest.assert_losses_of_torch
    started = test_groups.GroupTest.started

    def group(self, arguments: str = "", plan: Callable[[int], int] = lambda step: 1, **settings: Any) -> FakeGroup:
        group = FakeGroup([test_groups.TRAIN, *arguments.split()], plan, communication="averaging-server", **settings)
        self.addCleanup(group.__exit__)
        return group

    def test_one_worker_is_plain_torch(self) -> None:
        group = self.assert_trains_as_torch("--optimizer adamw --epochs 16", lambda step: 1, tolerance=0.0)
        self.assertGreaterEqual(len(group.losses), 100)

    def test_joins_and_leaves_with_an_optimizer_that_servers_do_not_know(self) -> None:
        group = self.assert_trains_as_torch(
            "--optimizer rmsprop --schedule steps --clip 0.5 --epochs 16",
            between((0, 1), (17, 3), (41, 2), (66, 1), (90, 2)),
        )
        self.assertGreater(len(group.losses), 100)

    def test_averages_floating_point_buffers(self) -> None:
        self.assert_trains_as_torch("--model batchnorm --epochs 4", between((0, 1), (10, 2)), divided=True)

    def test_program_accumulates(self) -> None:
        self.assert_trains_as_torch("--parts 3 --reduce-once --clip 0.2 --epochs 3", between((0, 1), (9, 2)))

    def test_refuses_a_second_average_of_a_step(self) -> None:
        group, _ = self.started("--parts 2 --epochs 1", 1)
        group.begin(0, group.steps())
        worker = group.members[0]
        group._share(worker, worker.await_message("share"))
        self.assertIn("give the others last=False", worker.await_message("failed")["reason"])

    @unittest.skipUnless(hasattr(torch, "GradScaler"), "This torch has no GradScaler for the CPU")
    def test_loss_scaling(self) -> None:
        self.assert_trains_as_torch("--scale --clip 0.2 --optimizer adamw --epochs 4", between((0, 1), (9, 2)))

    def test_parameters_of_other_kinds(self) -> None:
        self.assert_trains_as_torch("--model unused --epochs 2", between((0, 1), (5, 2)))

    def test_buffer_that_the_model_replaces(self) -> None:
        self.assert_trains_as_torch("--model running --epochs 3", between((0, 1), (5, 2)), divided=True)

    def test_a_step_without_an_average_is_repeated(self) -> None:
        arguments = "--schedule steps --model batchnorm --epochs 6 --workers 1"
        group, _ = self.started(arguments, 3)
        group.begin(0, group.steps())
        group.stepped_until(12)
        group.members.pop(1).process.kill()
        group.fails = True
        answers = group.end_membership("interrupted")
        self.assertEqual([13, 13], [answer["step"] for answer in answers])
        self.assertIn("a server is gone", answers[0]["reason"])
        group.fails = False
        group.position = 13 * 32
        group.begin(13, group.steps())
        group.end_membership()
        self.assert_losses_of_torch(group, arguments, between((0, 3), (13, 2)))
        group.finish()


if __name__ == "__main__":
    unittest.main()
