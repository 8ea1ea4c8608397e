"""Features of torch that a program may use: autocast, compiled models and accumulation."""

from __future__ import annotations

import pathlib
import sys
import tempfile
import unittest
from typing import Any, Callable

import fake_worker  # noqa: F401  finds the packages below
from test_steps import ScriptedConnection, step

from optimus_yarn.job import Job
from optimus_yarn.messages import Finish

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

if torch is not None:
    import pieces
    from optimus_yarn.optimizers import OptimizerSettings


@unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
class RulesTest(unittest.TestCase):
    def gradients(
        self, body: Callable[[Job, Any, Any, Any], None], make: Callable[[Any], Any] = lambda model: model
    ) -> Any:
        """Returns the gradients that reach the worker in one step of the model that ``make`` makes."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        job = Job(ScriptedConnection(step(0, 0), Finish()), pathlib.Path(folder.name))  # type: ignore[arg-type]
        model = make(pieces.model_of("plain"))
        opt = torch.optim.SGD(model.parameters(), 0.1)
        loader = torch.utils.data.DataLoader(pieces.data_set(), pieces.BATCH)
        model, opt, loader = job.prepare(model, opt, loader)
        vectors = []
        for _ in job.epochs(1):
            for inputs, labels in loader:
                body(job, model, inputs, labels)
                opt.step()
                vectors.append(job._training._blocks.gradients.clone())  # type: ignore[union-attr]
        self.job = job
        return vectors[0]

    @staticmethod
    def plain(job: Job, model: Any, inputs: Any, labels: Any) -> None:
        job.backward(torch.nn.functional.cross_entropy(model(inputs), labels))

    def test_a_rate_that_rounding_leaves_below_zero_is_zero(self) -> None:
        optimizer = torch.optim.SGD(pieces.model_of("plain").parameters(), 0.1)
        schedule = torch.optim.lr_scheduler.LinearLR(optimizer, end_factor=0.0, total_iters=10)
        for _ in range(10):
            optimizer.step()
            schedule.step()
        self.assertLess(optimizer.param_groups[0]["lr"], 0)
        self.assertEqual([[0.0, 0.0]], OptimizerSettings(optimizer).rates())

    def trained(self, vector: Any) -> Any:
        return vector[: self.job._training._blocks.parameter_floats]  # type: ignore[union-attr]

    def test_autocast_to_bfloat16(self) -> None:
        seen = []

        def body(job: Job, model: Any, inputs: Any, labels: Any) -> None:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                outputs = model(inputs)
                loss = torch.nn.functional.cross_entropy(outputs, labels)
            seen.append(outputs.dtype)
            job.backward(loss)

        got = self.trained(self.gradients(body))
        expected = self.trained(self.gradients(self.plain))
        self.assertEqual([torch.bfloat16], seen)
        self.assertEqual(torch.float32, got.dtype)
        self.assertLess(float((got - expected).norm() / expected.norm()), 0.03)

    @unittest.skipUnless(hasattr(torch, "compile"), "this torch does not compile models")
    def test_compiled_model(self) -> None:
        # This backend traces forward and backward pass, and needs no compiler of C++.
        got = self.gradients(self.plain, lambda model: torch.compile(model, backend="aot_eager"))
        self.assertLess(float((got - self.gradients(self.plain)).abs().max()), 1e-6)

    def test_accumulated_parts_make_the_gradient_of_the_batch(self) -> None:
        def body(job: Job, model: Any, inputs: Any, labels: Any) -> None:
            for part, part_labels in zip(inputs.chunk(4), labels.chunk(4)):
                job.backward(torch.nn.functional.cross_entropy(model(part), part_labels) / 4)

        got = self.trained(self.gradients(body))
        expected = self.trained(self.gradients(self.plain))
        self.assertLess(float((got - expected).abs().max()), 1e-6)


if __name__ == "__main__":
    unittest.main()
