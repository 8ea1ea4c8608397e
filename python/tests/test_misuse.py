"""Wrong uses of a torch program are refused with a remedy."""

from __future__ import annotations

import contextlib
import io
import sys
import types
import unittest
import unittest.mock
from typing import Any

import fake_worker  # noqa: F401  finds the packages below

try:
    import torch
    from torch import nn
    from torch.utils import data
except ImportError:
    torch = None  # type: ignore[assignment]

from optimus_yarn import OptimusError
from optimus_yarn.job import Job
from optimus_yarn.messages import Finish

if torch is not None:
    import pieces
    from test_steps import ScriptedConnection, step, temporary_folder


@unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
class MisuseTest(unittest.TestCase):
    def setUp(self) -> None:
        self.job = Job(None)
        self.model = pieces.model_of("plain")
        self.optimizer = pieces.optimizer_of("sgd", self.model)
        self.loader = data.DataLoader(pieces.data_set(), pieces.BATCH, shuffle=True)

    def prepare(self, **changed: Any) -> tuple:
        values = {"model": self.model, "optimizer": self.optimizer, "loader": self.loader, **changed}
        return self.job.prepare(*values.values())

    def refused(self, message: str) -> contextlib.AbstractContextManager:
        return self.assertRaisesRegex(OptimusError, message)

    def loss(self, inputs: Any, labels: Any) -> Any:
        return nn.functional.cross_entropy(self.model(inputs), labels)

    def test_optimizers(self) -> None:
        parameters = list(self.model.parameters())
        for optimizer, message in (
            (torch.optim.RMSprop(parameters), "RMSprop is not supported.*SGD .*, Adam and AdamW"),
            (torch.optim.SGD(parameters, 0.1, momentum=0.9, nesterov=True), "group 0 has nesterov=True.*Switch it off"),
            (torch.optim.SGD(parameters, 0.1, momentum=0.9, dampening=0.5), "group 0 has dampening=0.5"),
            (torch.optim.Adam(parameters, amsgrad=True), "group 0 has amsgrad=True"),
            (torch.optim.SGD(parameters, 0.1, maximize=True), "group 0 has maximize=True"),
            (
                torch.optim.SGD(
                    [{"params": parameters[:1]}, {"params": parameters[1:], "momentum": 0.5}], 0.1, momentum=0.9
                ),
                "group 1 has momentum=0.5, and it was 0.9 for group 0",
            ),
            (
                torch.optim.Adam([{"params": parameters[:1]}, {"params": parameters[1:], "betas": (0.5, 0.9)}]),
                r"group 1 has betas=\(0.5, 0.9\), and it was \(0.9, 0.999\) for group 0",
            ),
        ):
            with self.subTest(message), self.refused(message):
                self.job = Job(ScriptedConnection())  # type: ignore[arg-type]
                self.prepare(optimizer=optimizer)

    def test_optimizer_that_has_stepped(self) -> None:
        self.loss(*next(iter(self.loader))).backward()
        self.optimizer.step()
        self.job = Job(ScriptedConnection())  # type: ignore[arg-type]
        with self.refused("state of 4 parameters from earlier steps.*new optimizer"):
            self.prepare()

    def test_alone_other_optimizers_train_with_a_warning(self) -> None:
        optimizer = torch.optim.RMSprop(self.model.parameters(), 1e-3)
        with self.assertLogs("optimus_yarn", "WARNING") as logs:
            _, opt, loader = self.prepare(optimizer=optimizer)
        self.assertRegex(logs.output[0], "alone and with `update: worker`, but parameter servers cannot update it: .*RMSprop")
        losses = []
        for _ in self.job.epochs(4):
            for batch in loader:
                loss = self.loss(*batch)
                self.job.backward(loss)
                opt.step()
                opt.zero_grad()
                losses.append(float(loss.detach()))
        self.assertLess(sum(losses[-5:]), sum(losses[:5]))

    def test_momentum_that_changes(self) -> None:
        schedule = torch.optim.lr_scheduler.OneCycleLR(self.optimizer, 0.1, total_steps=100)
        self.job = Job(ScriptedConnection(step(0, 0), step(1, 32)))  # type: ignore[arg-type]
        _, opt, loader, schedule = self.job.prepare(self.model, self.optimizer, self.loader, schedule)
        with self.refused("cycle_momentum=False"):
            for _ in self.job.epochs(1):
                for batch in loader:
                    self.job.backward(self.loss(*batch))
                    opt.step()
                    schedule.step()

    def test_schedules(self) -> None:
        with self.refused("ReduceLROnPlateau is not supported"):
            self.job.prepare(
                self.model, self.optimizer, self.loader, torch.optim.lr_scheduler.ReduceLROnPlateau(self.optimizer)
            )
        with self.refused("got list as a schedule"):
            self.job.prepare(self.model, self.optimizer, self.loader, [])
        schedule = torch.optim.lr_scheduler.StepLR(self.optimizer, 2)
        self.job.prepare(self.model, self.optimizer, self.loader, schedule)
        with self.refused("was called with a value"):
            schedule.step(3)

    def test_loaders(self) -> None:
        class Endless(data.IterableDataset):
            def __iter__(self):
                return iter(())

        whole = pieces.data_set()
        weighted = data.WeightedRandomSampler([1.0] * len(whole), len(whole))
        for loader, message in (
            (data.DataLoader(Endless(), 4), "Endless is iterable and has no length"),
            (data.DataLoader(whole, batch_size=None), "batch_size=None"),
            (data.DataLoader(whole, batch_sampler=[[0, 1], [2, 3]]), "its own batch_sampler"),
            (data.DataLoader(whole, 4, sampler=weighted), "WeightedRandomSampler chooses samples by its own rule"),
            (data.DataLoader(whole, 4, sampler=data.RandomSampler(whole, True)), "RandomSampler"),
            ([1, 2], "takes a torch.utils.data.DataLoader as its third value, got list"),
        ):
            with self.subTest(message), self.refused(message):
                self.prepare(loader=loader)

    def test_order_of_calls(self) -> None:
        with self.refused("before job.prepare"):
            next(self.job.epochs(1))
        with self.refused("job.rank is known once the first step has come.*job.task"):
            self.job.rank
        _, opt, loader = self.prepare()
        with self.refused("job.prepare was called after"):
            self.prepare()
        with self.refused("outside of `for epoch"):
            next(iter(loader))
        with self.refused("at least 1"):
            next(self.job.epochs(0))
        with self.refused("outside of a step"):
            opt.step()
        epochs = self.job.epochs(2)
        next(epochs)
        with self.refused("outside of a step"):
            self.job.backward(torch.tensor(1.0))
        batches = iter(loader)
        batch = next(batches)
        with self.refused("without job.backward"):
            opt.step()
        with self.refused(r"got \(32,\).*loss.mean\(\)"):
            self.job.backward(nn.functional.cross_entropy(self.model(batch[0]), batch[1], reduction="none"))
        with self.refused("got float"):
            self.job.backward(1.0)
        with self.refused("closure"):
            opt.step(lambda: 1.0)
        self.job.backward(self.loss(*batch))
        opt.step()
        with self.refused("outside of a step"):
            opt.step()
        with self.refused("twice in one epoch"):
            iter(loader)
        with self.refused("Epoch 0 ended before step 1"):
            next(epochs)
        with self.refused("job.epochs was called twice"):
            next(self.job.epochs(2))

    def test_batch_without_step(self) -> None:
        _, opt, loader = self.prepare()
        with self.refused("before step 0 was complete.*once. To accumulate gradients"):
            for _ in self.job.epochs(1):
                for batch in loader:
                    self.job.backward(self.loss(*batch))

    def test_step_of_another_optimizer(self) -> None:
        _, _, loader = self.prepare()
        other = torch.optim.SGD(self.model.parameters(), 0.1)
        with self.refused("opt.step\\(\\) of the optimizer that was given to job.prepare"):
            for _ in self.job.epochs(1):
                for batch in loader:
                    self.job.backward(self.loss(*batch))
                    other.step()

    def test_reports(self) -> None:
        with self.refused("job.report\\(accuracy='high'\\) is no number"):
            self.job.report(accuracy="high")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), self.assertLogs("optimus_yarn", "WARNING") as logs:
            self.job.report(accuracy=0.5, loss=float("nan"))
        self.assertEqual("epoch 0: accuracy 0.5\n", printed.getvalue())
        self.assertIn("job.report(loss=nan) is left out", logs.output[0])

    def test_length_is_the_number_of_steps_of_an_epoch(self) -> None:
        self.assertEqual(7, len(self.prepare()[2]))

    def test_schedules_and_scalers_do_not_warn(self) -> None:
        schedule = torch.optim.lr_scheduler.StepLR(self.optimizer, 2)
        _, opt, loader, schedule = self.job.prepare(self.model, self.optimizer, self.loader, schedule)
        later = torch.optim.lr_scheduler.StepLR(self.optimizer, 2)
        with self.assertNoWarning():
            for _ in self.job.epochs(1):
                for batch in loader:
                    self.job.backward(self.loss(*batch))
                    opt.step()
                    schedule.step()
                    later.step()
        torch.save(schedule.state_dict(), io.BytesIO())
        torch.save(opt.state_dict(), io.BytesIO())
        self.assertIsInstance(schedule, torch.optim.lr_scheduler.StepLR)

    def test_a_step_that_no_backward_completes(self) -> None:
        _, opt, loader = self.prepare()
        with self.refused("last=False. only"):
            for _ in self.job.epochs(1):
                for batch in loader:
                    self.job.backward(self.loss(*batch), last=False)
                    opt.step()

    def step_with_overlap(self, change: Any, loss_parts: int = 1, scaler: Any = None) -> None:
        """One step whose gradients are sent early; ``change`` is called before the optimizer's step."""
        self.job = Job(ScriptedConnection(step(0, 0)))  # type: ignore[arg-type]
        _, _, loader = self.job.prepare(self.model, self.optimizer, self.loader, overlap=True)
        for _ in self.job.epochs(1):
            for inputs, labels in loader:
                for _ in range(loss_parts):
                    self.job.backward(self.loss(inputs, labels) / loss_parts, scaler)
                change()
                self.optimizer.step()

    def test_overlap_where_gradients_change_after_they_were_sent(self) -> None:
        def scale() -> None:
            list(self.model.parameters())[1].grad.mul_(2)

        for change in (
            lambda: torch.nn.utils.clip_grad_norm_(self.model.parameters(), 0.1),
            lambda: torch.nn.utils.clip_grad_value_(self.model.parameters(), 1e-3),
            lambda: list(self.model.parameters())[0].grad.data.clamp_(-1e-3, 1e-3),
            lambda: self.optimizer.zero_grad(),
            scale,
        ):
            self.setUp()
            with self.refused(r"The gradient of \S+ was changed after job.backward.*Leave overlap=True out"):
                self.step_with_overlap(change)

    def test_overlap_where_the_learning_rate_changes_after_it_was_sent(self) -> None:
        def change() -> None:
            self.optimizer.param_groups[0]["lr"] = 0.5

        with self.refused(r"A learning rate or weight decay was changed between job.backward and opt.step\(\)"):
            self.step_with_overlap(change)

    def test_overlap_where_a_step_has_two_last_backward_passes(self) -> None:
        with self.refused("With overlap=True the last job.backward of a step.*last=False"):
            self.step_with_overlap(lambda: None, loss_parts=2)

    def test_overlap_with_a_scaler(self) -> None:
        scaler = types.SimpleNamespace(is_enabled=lambda: True)
        with self.refused("The program uses a GradScaler.*bfloat16"):
            self.step_with_overlap(lambda: None, scaler=scaler)

    @unittest.skipUnless(hasattr(torch, "GradScaler"), "This torch has no GradScaler for the CPU")
    def test_a_scaler_that_the_job_does_not_know(self) -> None:
        scaler = torch.GradScaler("cpu")
        self.job = Job(ScriptedConnection(step(0, 0)))  # type: ignore[arg-type]
        _, _, loader = self.job.prepare(self.model, self.optimizer, self.loader)
        with self.refused("A GradScaler called.*job.backward\\(loss, scaler=scaler\\)"):
            for _ in self.job.epochs(1):
                for inputs, labels in loader:
                    self.job.backward(scaler.scale(self.loss(inputs, labels)))
                    scaler.step(self.optimizer)

    def logged(self, **changed: Any) -> str:
        with self.assertLogs("optimus_yarn", "WARNING") as logs:
            self.prepare(**changed)
        return "".join(logs.output)

    def test_batches_that_do_not_divide_an_epoch(self) -> None:
        loader = data.DataLoader(pieces.data_set(), 32, drop_last=True)
        self.assertRegex(self.logged(loader=loader), r"drop_last has no effect.*n \* 210 / 32 steps, and not n \* 6")

    def test_batch_larger_than_the_data_set(self) -> None:
        self.assertRegex(self.logged(loader=data.DataLoader(pieces.data_set(), 211)), "batch of 211 .* larger .* of 210")

    def test_parameters_of_a_second_module(self) -> None:
        second = nn.Linear(2, 3)
        optimizer = torch.optim.SGD([*self.model.parameters(), *second.parameters()], 0.1)
        self.assertRegex(self.logged(optimizer=optimizer), "2 of the 6 parameters .* are not the model's.*ModuleDict")

    def test_processes_that_a_program_starts(self) -> None:
        self.prepare()
        with unittest.mock.patch.dict("os.environ", {"OPTIMUS_PROGRAM_PARENT": "1"}), self.refused("only the program's first"):
            next(self.job.epochs(1))

    def test_layer_that_the_servers_move_on(self) -> None:
        connection = ScriptedConnection(step(0, 0), step(1, 64), Finish())
        self.job = Job(connection, temporary_folder(self))  # type: ignore[arg-type]
        _, _, loader = self.prepare()
        with self.assertLogs("optimus_yarn", "WARNING") as logs:
            for _ in self.job.epochs(1):
                for inputs, labels in loader:
                    self.job.backward(self.loss(inputs, labels))
                    self.optimizer.step()
                    self.model[0].requires_grad_(False)
        self.assertRegex(logs.output[0], "parameter 0.weight was frozen after training started.*set lr=0")

    def test_overlap_where_the_model_replaces_a_buffer(self) -> None:
        self.model = pieces.model_of("running")
        self.optimizer = pieces.optimizer_of("sgd", self.model)
        with self.refused("new tensor in the place of its buffer.*overlap=True"):
            self.step_with_overlap(lambda: None)

    def test_buffer_that_changes_its_shape(self) -> None:
        class Growing(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.layer = pieces.model_of("plain")
                self.register_buffer("seen", torch.zeros(1))

            def forward(self, inputs: Any) -> Any:
                self.seen = torch.zeros(len(self.seen) + 1)
                return self.layer(inputs)

        self.model = Growing()
        self.optimizer = pieces.optimizer_of("sgd", self.model)
        connection = ScriptedConnection(step(0, 0), step(1, 64), Finish())
        self.job = Job(connection, temporary_folder(self))  # type: ignore[arg-type]
        _, _, loader = self.prepare()
        with self.assertLogs("optimus_yarn", "WARNING") as logs:
            for _ in self.job.epochs(1):
                for inputs, labels in loader:
                    self.job.backward(self.loss(inputs, labels))
                    self.optimizer.step()
        self.assertRegex(logs.output[0], r"buffer seen of Growing had the shape \(1,\).*not shared.*persistent=False")
        self.assertEqual(1, len(logs.output))

    def test_scripted_model_with_buffers(self) -> None:
        self.model = torch.jit.script(pieces.model_of("batchnorm"))
        self.optimizer = pieces.optimizer_of("sgd", self.model)
        connection = ScriptedConnection(step(0, 0), Finish())
        self.job = Job(connection, temporary_folder(self))  # type: ignore[arg-type]
        _, _, loader = self.prepare()
        for _ in self.job.epochs(1):
            for inputs, labels in loader:
                self.job.backward(self.loss(inputs, labels))
                self.optimizer.step()
        self.assertIn("gradient", [message["type"] for message in connection.sent])

    def test_complex_numbers(self) -> None:
        class Waves(nn.Module):
            def __init__(self, parameter: Any, buffer: Any) -> None:
                super().__init__()
                self.weight = nn.Parameter(parameter)
                self.register_buffer("constant", buffer)

        real, complex_ = torch.zeros(2), torch.zeros(2, dtype=torch.cfloat)
        for model, message in (
            (Waves(complex_, real), "parameter weight has complex numbers.*view_as_real"),
            (Waves(real, complex_), "buffer constant has complex numbers.*persistent=False"),
        ):
            with self.subTest(message), self.refused(message):
                self.job = Job(ScriptedConnection(step(0, 0)))  # type: ignore[arg-type]
                self.prepare(model=model, optimizer=torch.optim.SGD(model.parameters(), 0.1))
                next(iter(self.job.epochs(1)))

    def test_warns_of_a_schedule_that_is_kept_from_the_job(self) -> None:
        torch.optim.lr_scheduler.StepLR(self.optimizer, 2)
        with self.assertLogs("optimus_yarn", "WARNING") as logs:
            self.prepare()
        self.assertRegex(logs.output[0], "was not given to job.prepare.*job.prepare\\(model, opt, loader, sched\\)")

    def test_warns_once_of_parameters_that_the_program_writes(self) -> None:
        self.job = Job(ScriptedConnection(step(0, 0), step(1, 32), step(2, 64)))  # type: ignore[arg-type]
        _, opt, loader = self.prepare()
        with self.assertLogs("optimus_yarn", "WARNING") as logs, contextlib.suppress(IndexError):
            for _ in self.job.epochs(1):
                for batch in loader:
                    self.job.backward(self.loss(*batch))
                    with torch.no_grad():
                        next(self.model.parameters()).clamp_(-0.1, 0.1)
                    opt.step()
        self.assertEqual(1, len(logs.output))
        self.assertRegex(logs.output[0], "has changed the parameter .*update: worker")

    @unittest.skipUnless(hasattr(torch, "GradScaler"), "This torch has no GradScaler for the CPU")
    def test_alone_loss_scaling_changes_nothing(self) -> None:
        weights = []
        for scaled in (False, True):
            for fused in (False, True):
                self.setUp()
                optimizer = torch.optim.SGD(self.model.parameters(), 0.1, momentum=0.9, fused=fused)
                scaler = torch.GradScaler("cpu", init_scale=1024.0, enabled=scaled)
                _, opt, loader = self.prepare(optimizer=optimizer)
                for _ in self.job.epochs(1):
                    for batch in loader:
                        self.job.backward(self.loss(*batch), scaler)
                        scaler.step(opt)
                        scaler.update()
                        opt.zero_grad()
                weights.append(torch.cat([parameter.detach().reshape(-1) for parameter in self.model.parameters()]))
        for other in weights[1:]:
            self.assertLess(float((other - weights[0]).abs().max()), 1e-6)

    @contextlib.contextmanager
    def assertNoWarning(self):
        import warnings

        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield


if __name__ == "__main__":
    unittest.main()
