"""Falls of the learning rate that the scheduler is told of."""

from __future__ import annotations

import sys
import unittest
from typing import Any

import fake_worker  # noqa: F401  finds the packages below
from test_steps import ScriptedConnection, step

from optimus_yarn import OptimusError
from optimus_yarn.bends import MOST, Bends
from optimus_yarn.job import Job
from optimus_yarn.messages import Finish

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

if torch is not None:
    import pieces
    from torch.optim import lr_scheduler


class BendsTest(unittest.TestCase):
    def test_refuses_impossible_epochs(self) -> None:
        for bends in ([0], [3, 3], [2, 1], [float("inf")], [float("nan")], list(range(1, MOST + 2))):
            with self.subTest(bends), self.assertRaisesRegex(OptimusError, "at most 100 epochs above 0, rising"):
                Bends(bends)
        self.assertEqual([0.5, 30.0], Bends([0.5, 30]).epochs)

    def test_notices_falls_by_half(self) -> None:
        bends = Bends(None)
        # 100 samples, batch 40: steps start at 0, 40, 80, 120, 160, 200.
        for number, rate in enumerate((1.0, 1.0, 0.6, 0.3, 0.3, 0.01)):
            bends.notice(step(number, 40 * number, count=40, batch=40), rate, 100)
        self.assertEqual([1.0, 2.0], bends.epochs)
        bends.notice(step(6, 240, count=40, batch=40), 0.001, 100)
        self.assertEqual([1.0, 2.0, 2.395], bends.epochs)

    def test_what_the_owner_says_counts_alone(self) -> None:
        bends = Bends([7])
        bends.notice(step(0, 0), 1.0, 64)
        bends.notice(step(1, 64), 0.1, 64)
        self.assertEqual([7.0], bends.epochs)


@unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
class SchedulesTest(unittest.TestCase):
    EPOCHS = 8
    # 210 samples in batches of 30.
    STEPS = 7

    def train(self, make: Any, each_step: bool, steps: int, bends: Any = None, **first: int) -> list[Any]:
        """Trains some steps. Returns the bends of ready and of each report, and checks the schedule's own rates."""
        answers = [step(n, 30 * n, count=30, stride=30, batch=30, workers=1, **first) for n in range(steps)]
        connection = ScriptedConnection(*answers, Finish())
        job = Job(connection)  # type: ignore[arg-type]
        job._save_at_end = lambda: None  # type: ignore[method-assign]
        model = pieces.model_of("plain")
        opt = torch.optim.SGD(model.parameters(), 0.8)
        twin = torch.optim.SGD(pieces.model_of("plain").parameters(), 0.8)
        loader = torch.utils.data.DataLoader(pieces.data_set(), 30)
        sched, twin_sched = make(opt), make(twin)
        _, opt, loader, sched = job.prepare(model, opt, loader, sched, bends=bends)
        for epoch in job.epochs(self.EPOCHS):
            for number, (inputs, labels) in enumerate(loader):
                job.backward(torch.nn.functional.cross_entropy(model(inputs), labels))
                opt.step()
                twin.step()
                self.assertAlmostEqual(twin.param_groups[0]["lr"], opt.param_groups[0]["lr"], places=12)
                if each_step or number == self.STEPS - 1:
                    sched.step()
                    twin_sched.step()
        reports = [message["bends"] for message in connection.sent if message["type"] == "report"]
        return [connection.sent[0]["bends"], *reports]

    def test_milestones_in_epochs_are_foreseen(self) -> None:
        self.assertEqual(
            [[], [3.0, 6.0]],
            self.train(lambda opt: lr_scheduler.MultiStepLR(opt, [3, 6, 20], 0.1), each_step=False, steps=2),
        )
        self.assertEqual(
            [[], [2.0, 4.0, 6.0]], self.train(lambda opt: lr_scheduler.StepLR(opt, 2, 0.5), each_step=False, steps=5)
        )

    def test_milestones_in_steps_are_foreseen(self) -> None:
        bends = self.train(lambda opt: lr_scheduler.MultiStepLR(opt, [14, 20], 0.1), each_step=True, steps=2)
        self.assertEqual([[], [2.0, round((20 * 30 - 0.5) / 210, 6)]], bends)

    def test_schedules_of_schedules_are_foreseen(self) -> None:
        def warm_up_then_steps(opt: Any) -> Any:
            warm_up = lr_scheduler.LinearLR(opt, 0.1, total_iters=5)
            return lr_scheduler.SequentialLR(opt, [warm_up, lr_scheduler.MultiStepLR(opt, [16], 0.1)], milestones=[5])

        self.assertEqual([[], [3.0]], self.train(warm_up_then_steps, each_step=True, steps=3))

    def test_what_the_method_of_a_schedule_belongs_to_is_not_copied(self) -> None:
        class Trainer:
            def rate(self, epoch: int) -> float:
                return 1.0 if epoch < 3 else 0.1

            def __deepcopy__(self, memo: Any) -> Any:
                raise AssertionError("its data may be large")

        trainer = Trainer()
        self.assertEqual(
            [[], [3.0]], self.train(lambda opt: lr_scheduler.LambdaLR(opt, trainer.rate), each_step=False, steps=2)
        )

    def test_smooth_schedules_have_none(self) -> None:
        for make in (
            lambda opt: lr_scheduler.CosineAnnealingLR(opt, 4 * 56),
            lambda opt: lr_scheduler.CosineAnnealingWarmRestarts(opt, 56, eta_min=0.1),
            lambda opt: lr_scheduler.ExponentialLR(opt, 0.9),
            lambda opt: lr_scheduler.OneCycleLR(opt, 0.8, total_steps=57, cycle_momentum=False, final_div_factor=1.0),
        ):
            self.assertEqual([[]], self.train(make, each_step=True, steps=3))

    def test_a_schedule_of_the_owner_is_noticed(self) -> None:
        class Own:
            def __init__(self, optimizer: Any) -> None:
                self.optimizer, self.calls = optimizer, 0

            def step(self) -> None:
                self.calls += 1
                self.optimizer.param_groups[0]["lr"] = 0.8 if self.calls < 7 else 0.08

            def state_dict(self) -> dict[str, int]:
                return {"calls": self.calls}

        self.assertEqual([[], [1.0]], self.train(Own, each_step=True, steps=10))

    def test_bends_of_the_owner_are_in_ready(self) -> None:
        def make(opt: Any) -> Any:
            return lr_scheduler.StepLR(opt, 1, 0.1)

        self.assertEqual([[2.5]], self.train(make, each_step=False, steps=16, bends=[2.5]))

    def test_only_the_first_worker_reports(self) -> None:
        self.assertEqual(
            [[]], self.train(lambda opt: lr_scheduler.StepLR(opt, 1, 0.1), each_step=False, steps=9, rank=1)
        )


if __name__ == "__main__":
    unittest.main()
