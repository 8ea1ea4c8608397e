"""Steps as a worker may send them, against a scripted connection in the same process."""

from __future__ import annotations

import pathlib
import random
import sys
import tempfile
import unittest
from typing import Any

import fake_worker  # noqa: F401  finds the packages below

from optimus_yarn import OptimusError, messages
from optimus_yarn.connection import Leaving
from optimus_yarn.job import Job
from optimus_yarn.messages import Finish, Step, Welcome

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

if torch is not None:
    import numpy
    import pieces
    import random_samples


class ScriptedConnection:
    """Answers each message that needs an answer with the next of a list."""

    welcome = Welcome("worker-0", 1, False)
    leaving = None
    finished = False

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.sent: list[dict[str, Any]] = []

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    def receive(self) -> Any:
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def leave_if_asked(self) -> None:
        pass


def step(number: int, position: int, **changed: int) -> Step:
    values = {"count": 32, "stride": 64, "rank": 0, "workers": 2, "batch": 32, **changed}
    return Step(step=number, position=position, **values)


def temporary_folder(test: unittest.TestCase) -> pathlib.Path:
    """Returns a folder for the files of a job, until the end of the test."""
    folder = tempfile.TemporaryDirectory(prefix="optimus-test-")
    test.addCleanup(folder.cleanup)
    return pathlib.Path(folder.name)


@unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
class StepsTest(unittest.TestCase):
    def train(
        self, *answers: Any, epochs: int = 2, scaler: Any = None, spoil: int = -1
    ) -> tuple[list, ScriptedConnection]:
        """Returns the epoch and the size of each batch, and the connection."""
        connection = ScriptedConnection(*answers)
        job = self.job = Job(connection, temporary_folder(self))  # type: ignore[arg-type]
        self.model = pieces.model_of("plain")
        opt = torch.optim.SGD(self.model.parameters(), 0.1)
        loader = torch.utils.data.DataLoader(pieces.data_set(), pieces.BATCH, shuffle=True)
        _, opt, loader = job.prepare(self.model, opt, loader)
        seen = []
        self.gradients = []
        for epoch in job.epochs(epochs):
            for inputs, labels in loader:
                seen.append((epoch, len(inputs), job.rank, job.workers))
                loss = torch.nn.functional.cross_entropy(self.model(inputs), labels)
                if scaler is None:
                    job.backward(loss)
                    opt.step()
                else:
                    job.backward(loss * (float("inf") if job.step == spoil else 1.0), scaler=scaler)
                    scaler.step(opt)
                    scaler.update()
                self.gradients.append(float(job._training._blocks.gradients[:100].norm()))
                opt.zero_grad()
            job.report(seen=len(seen))
        return seen, connection

    def test_asynchronous_steps_beyond_the_end_have_one_more_epoch(self) -> None:
        # 210 samples: step 6 of this worker starts in epoch 1, step 7 in epoch 2 of 2.
        seen, connection = self.train(step(0, 0), step(1, 192), step(2, 416), step(3, 448), Finish())
        self.assertEqual([0, 0, 1, 2], [epoch for epoch, *_ in seen])
        kinds = [message["type"] for message in connection.sent]
        end_of_epoch = ["between-epochs", "report"]
        expected = ["ready", "gradient", "gradient", *end_of_epoch, "computing", "gradient", *end_of_epoch]
        expected += ["computing", "gradient", *end_of_epoch, "finished"]
        self.assertEqual(expected, kinds)

    def rates_set_by_epoch(self, *answers: Any) -> list[float]:
        """Returns the rate of each update of a program that sets it itself at the beginning of each epoch."""
        connection = ScriptedConnection(*answers, Finish())
        connection.welcome = Welcome("worker-0", 1, True)
        job = Job(connection, temporary_folder(self))  # type: ignore[arg-type]
        model = pieces.model_of("plain")
        opt = torch.optim.SGD(model.parameters(), 0.1)
        _, opt, loader = job.prepare(model, opt, torch.utils.data.DataLoader(pieces.data_set(), pieces.BATCH))
        for epoch in job.epochs(2):
            opt.param_groups[0]["lr"] = 0.1 * 0.1**epoch
            for inputs, labels in loader:
                job.backward(torch.nn.functional.cross_entropy(model(inputs), labels))
                opt.step()
        return [round(m["groups"][0][0], 6) for m in connection.sent if m["type"] == "gradient"]

    def test_rate_of_an_epoch_holds_after_a_restart_before_its_first_step(self) -> None:
        self.assertEqual([0.01], self.rates_set_by_epoch(step(4, 224)))

    def test_rate_of_an_epoch_holds_when_its_first_step_is_repeated(self) -> None:
        self.assertEqual([0.1, 0.01, 0.01], self.rates_set_by_epoch(step(3, 192), step(4, 224), step(4, 224)))

    def test_rate_of_an_epoch_holds_when_several_steps_are_repeated(self) -> None:
        rates = self.rates_set_by_epoch(step(3, 192), step(4, 224), step(5, 288), step(4, 224))
        self.assertEqual([0.1, 0.01, 0.01, 0.01], rates)

    def test_finish_in_the_middle_of_an_epoch(self) -> None:
        seen, connection = self.train(step(0, 0), Finish())
        self.assertEqual(1, len(seen))
        self.assertEqual("finished", connection.sent[-1]["type"])

    def test_finish_at_once(self) -> None:
        seen, connection = self.train(Finish())
        self.assertEqual([], seen)
        self.assertEqual(["ready", "finished"], [message["type"] for message in connection.sent])
        self.assertTrue(self.job.is_first, "only one worker is told to finish")

    def test_leave_ends_the_loop_quietly(self) -> None:
        with self.assertRaises(SystemExit) as raised:
            self.train(step(0, 0), Leaving("shrinks"))
        self.assertEqual(0, raised.exception.code)

    def test_part_and_rank_follow_each_step(self) -> None:
        seen, _ = self.train(step(0, 0), step(1, 48, count=16, rank=1), step(2, 64, workers=1), Finish())
        self.assertEqual([(0, 32, 0, 2), (0, 16, 1, 2), (0, 32, 0, 1)], seen)

    def test_ready_describes_the_program(self) -> None:
        _, connection = self.train(Finish())
        ready = connection.sent[0]
        self.assertEqual({"kind": "sgd", "learningRate": 0.1, "momentum": 0.0, "weightDecay": 0.0}, ready["optimizer"])
        self.assertEqual((210, 32, 2, 1), (ready["samples"], ready["batch"], ready["epochs"], ready["groups"]))
        self.assertEqual(sum(fake_worker.floats_of(block) for block in ready["blocks"]), ready["memory"]["floats"])
        self.assertEqual({"name": "optimus.state", "shape": [4096], "kind": "state"}, ready["blocks"][-1])

    @unittest.skipIf(torch is not None and not hasattr(torch, "GradScaler"), "this torch has no GradScaler on the CPU")
    def test_scaled_loss(self) -> None:
        answers = [step(0, 0), step(1, 64), step(2, 128), Finish()]
        _, plain = self.train(*answers)
        expected = self.gradients
        _, scaled = self.train(*answers, scaler=torch.GradScaler("cpu", init_scale=1024.0), spoil=1)
        losses = [[m["loss"] for m in connection.sent if m["type"] == "gradient"] for connection in (plain, scaled)]
        self.assertAlmostEqual(losses[0][0], losses[1][0], delta=1e-5)
        self.assertAlmostEqual(losses[0][2], losses[1][2], delta=1e-5)
        self.assertEqual(0.0, self.gradients[1])
        for got, wanted in ((self.gradients[0], expected[0]), (self.gradients[2], expected[2])):
            self.assertAlmostEqual(wanted, got, delta=1e-5)

    def test_newly_trainable_parameters(self) -> None:
        connection = ScriptedConnection(step(0, 0))
        job = Job(connection, temporary_folder(self))  # type: ignore[arg-type]
        model = pieces.model_of("frozen")
        opt = torch.optim.SGD(model.parameters(), 0.1)
        _, opt, loader = job.prepare(model, opt, torch.utils.data.DataLoader(pieces.data_set(), pieces.BATCH))
        with self.assertRaisesRegex(
            OptimusError, r"shape \(16, 12\) in group 0 became trainable after training started"
        ):
            for _ in job.epochs(1):
                for inputs, labels in loader:
                    model[0].weight.requires_grad_(True)
                    job.backward(torch.nn.functional.cross_entropy(model(inputs), labels))
                    opt.step()

    def test_model_that_moves(self) -> None:
        connection = ScriptedConnection(step(0, 0))
        job = Job(connection, temporary_folder(self))  # type: ignore[arg-type]
        model = pieces.model_of("plain")
        opt = torch.optim.SGD(model.parameters(), 0.1)
        _, opt, loader = job.prepare(model, opt, torch.utils.data.DataLoader(pieces.data_set(), pieces.BATCH))
        with self.assertRaisesRegex(OptimusError, r"shape \(16, 12\) was moved or replaced after training started"):
            for _ in job.epochs(1):
                for inputs, labels in loader:
                    model.double()
                    job.backward(torch.nn.functional.cross_entropy(model(inputs.double()), labels))
                    opt.step()


class RecordingSamples:
    """Counts how often each sample is read. Reading sample ``broken`` fails."""

    broken = -1

    def __init__(self) -> None:
        self.samples = pieces.data_set()
        self.read: list[int] = []

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, index: int) -> Any:
        self.read.append(index)
        if index == self.broken:
            raise ValueError("sample is damaged")
        return self.samples[index]


@unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
class ReadAheadTest(unittest.TestCase):
    def train(self, *answers: Any, broken: int = -1) -> list[list[int]]:
        """Returns the first and last sample of each batch, and what was read by the time of each answer."""
        samples = self.samples = RecordingSamples()
        samples.broken = broken
        read_at_answers = self.read_at_answers = []

        class Connection(ScriptedConnection):
            def receive(self) -> Any:
                read_at_answers.append(len(samples.read))
                return super().receive()

        job = Job(Connection(*answers), temporary_folder(self))  # type: ignore[arg-type]
        model = pieces.model_of("plain")
        opt = torch.optim.SGD(model.parameters(), 0.1)
        loader = torch.utils.data.DataLoader(samples, pieces.BATCH)  # type: ignore[arg-type]
        _, opt, loader = job.prepare(model, opt, loader)
        inputs = samples.samples.tensors[0]
        self.batches = []
        for _ in job.epochs(9):
            for x, y in loader:
                places = [int((inputs == each).all(1).nonzero()) for each in (x[0], x[-1])]
                self.batches.append(places)
                job.backward(torch.nn.functional.cross_entropy(model(x), y))
                opt.step()
        return self.batches

    def test_reads_the_next_batch_before_the_answer(self) -> None:
        self.assertEqual([[0, 31], [64, 95]], self.train(step(0, 0), step(1, 64), Finish()))
        self.assertEqual([0, 64, 96], self.read_at_answers)
        self.assertEqual([*range(32), *range(64, 96), *range(128, 160)], self.samples.read)

    def test_leaves_the_programs_random_numbers_alone(self) -> None:
        job = Job(None)
        model = pieces.model_of("plain")
        opt = torch.optim.SGD(model.parameters(), 0.1)
        loader = torch.utils.data.DataLoader(random_samples.RandomSamples(), pieces.BATCH)
        _, opt, loader = job.prepare(model, opt, loader)
        for _ in job.epochs(1):
            for x, y in loader:
                job.backward(torch.nn.functional.cross_entropy(model(x), y))
                before = random.getstate(), numpy.random.get_state()[1].tolist(), torch.get_rng_state().tolist()
                opt.step()
                after = random.getstate(), numpy.random.get_state()[1].tolist(), torch.get_rng_state().tolist()
                self.assertEqual(before, after)

    def test_reads_anew_after_a_resize(self) -> None:
        batches = self.train(step(0, 0), step(1, 48, count=16), step(2, 64, stride=32), step(3, 96, stride=32), Finish())
        self.assertEqual([[0, 31], [48, 63], [64, 95], [96, 127]], batches)

    def test_does_not_read_over_the_end_of_an_epoch(self) -> None:
        # Sample 210 would be the first of the next epoch.
        self.train(step(3, 96), step(4, 160), Finish())
        self.assertEqual([0, 64, 64], self.read_at_answers)

    def test_an_error_comes_from_the_loop(self) -> None:
        with self.assertRaisesRegex(ValueError, "damaged"):
            self.train(step(0, 0), step(1, 64), Finish(), broken=70)
        self.assertEqual([[0, 31]], self.batches)
        self.assertEqual(2, len(self.read_at_answers))


class MessagesTest(unittest.TestCase):
    def test_epoch_is_that_of_the_first_sample_of_the_whole_batch(self) -> None:
        # Batch 64 from 192 to 255: rank 1 of 2 has positions 224 to 255.
        self.assertEqual(0, Step(3, 224, 32, 64, 1, 2, 64).epoch(210))
        self.assertEqual(1, Step(4, 256, 32, 64, 0, 2, 64).epoch(210))

    def test_refuses_what_it_does_not_know(self) -> None:
        for message, problem in (
            ({"type": "dance"}, "unknown type 'dance'"),
            ({"type": "welcome", "version": 2}, "version 2 of the protocol and this package version 1"),
            (
                {"type": "step", "step": 3, "from": 0, "count": 0, "stride": 4, "rank": 5, "workers": 6, "batch": 4},
                "Step 3 gives this worker 0 of 4 samples.*Raise the batch size",
            ),
        ):
            with self.subTest(problem), self.assertRaisesRegex(OptimusError, problem):
                messages.parse(message)


if __name__ == "__main__":
    unittest.main()
