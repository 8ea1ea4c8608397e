"""Programs without torch, on a cluster and alone."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import unittest

from fake_worker import PYTHON_FOLDER, TIMEOUT_SECONDS, FakeCluster, floats_of, numpy

PROGRAM = """
import sys
import numpy
import optimus_yarn as optimus

job = optimus.init()
assert "torch" not in sys.modules
optimizer = {OPTIMIZER}
random = numpy.random.Generator(numpy.random.PCG64(3))
inputs = random.standard_normal((50, 6)).astype(numpy.float32)
targets = inputs @ numpy.arange(6, dtype=numpy.float32) + 1
job.declare(parameters=[("weights", 6), ("bias", 1)], samples=50, batch=8, optimizer=optimizer, epochs=20)
job.parameters[:] = 0.1
seen = []
for samples in job.steps():
    if not seen and job.step:
        print("joined", job.state)
    seen.extend(samples.tolist())
    x, y = inputs[samples], targets[samples]
    error = x @ job.parameters[:6] + job.parameters[6] - y
    job.gradient[:6] = 2 * (error[:, None] * x).mean(0)
    job.gradient[6] = 2 * error.mean()
    job.state["step"] = job.step
    job.update(float((error**2).mean()))
    print("loss", (error**2).mean())
assert job.workers > 1 or sorted(seen[:50]) == list(range(50))
job.report(bias=job.parameters[6])
"""


@unittest.skipIf(numpy is None, f"numpy is not installed for {sys.executable}")
class ArraysTest(unittest.TestCase):
    def run_both(self, optimizer: str) -> None:
        """Runs on a cluster that grows and shrinks, and alone, and compares the losses."""
        workers = {0: 1, 9: 2, 33: 3, 70: 1, 100: 2}
        plan = lambda step: workers[max(start for start in workers if start <= step)]  # noqa: E731
        with FakeCluster(["program.py"], plan) as cluster:
            program = pathlib.Path(cluster.folder, "program.py")
            program.write_text(PROGRAM.replace("{OPTIMIZER}", optimizer))
            cluster.train()
            self.assertEqual(125, len(cluster.losses))
            self.assertIn("joined {'step': 8}", cluster.everybody[1].output())
            alone = subprocess.run(
                [sys.executable, str(program)],
                env=dict(os.environ, PYTHONPATH=str(PYTHON_FOLDER)),
                capture_output=True,
                text=True,
                timeout=TIMEOUT_SECONDS,
                check=True,
            )
            losses = [float(line.split()[1]) for line in alone.stdout.splitlines() if line.startswith("loss")]
            self.assertEqual(len(cluster.losses), len(losses))
            for step, (expected, got) in enumerate(zip(losses, cluster.losses)):
                self.assertAlmostEqual(expected, got, delta=1e-5 * max(1, expected), msg=f"step {step}")
            self.assertRegex(alone.stdout, r"epoch 19: bias \d")
            self.assertEqual(
                {"weights": 6, "bias": 1}, {block["name"]: floats_of(block) for block in cluster.ready["blocks"][:-1]}
            )

    def test_sgd(self) -> None:
        self.run_both('{"kind": "sgd", "learningRate": 0.02, "momentum": 0.5}')

    def test_adam(self) -> None:
        self.run_both('{"kind": "adam", "learningRate": 0.05, "weightDecay": 0.01}')

    def test_adamw(self) -> None:
        self.run_both('{"kind": "adamw", "learningRate": 0.05}')

    def test_refuses_wrong_declarations(self) -> None:
        from optimus_yarn import OptimusError
        from optimus_yarn.job import Job

        right = {
            "parameters": 10,
            "samples": 20,
            "batch": 4,
            "optimizer": {"kind": "sgd", "learningRate": 0.1},
            "epochs": 2,
        }
        for wrong, message in (
            ({"parameters": 0}, "parameter 'parameters' has the shape .0,."),
            ({"parameters": []}, "parameters is empty"),
            ({"samples": 0, "batch": -1}, "samples=0; batch=-1"),
            (
                {"optimizer": {"kind": "lion", "learningRate": 1}},
                "'lion' is not supported. Supported are sgd, adam, adamw",
            ),
            ({"optimizer": {"kind": "sgd"}}, "needs learningRate"),
            ({"optimizer": {"kind": "sgd", "learningRate": 1, "nesterov": True}}, "must not have nesterov"),
        ):
            with self.subTest(message), self.assertRaisesRegex(OptimusError, message):
                Job(None).declare(**{**right, **wrong})

    def test_refuses_calls_out_of_order(self) -> None:
        from optimus_yarn import OptimusError
        from optimus_yarn.job import Job

        job = Job(None)
        with self.assertRaisesRegex(OptimusError, "before job.declare"):
            job.parameters
        job.declare(10, samples=20, batch=4, optimizer={"kind": "sgd", "learningRate": 0.1}, epochs=2)
        with self.assertRaisesRegex(OptimusError, "job.declare was called after"):
            job.declare(10, samples=20, batch=4, optimizer={"kind": "sgd", "learningRate": 0.1}, epochs=2)
        with self.assertRaisesRegex(OptimusError, "outside of a step"):
            job.update(1.0)
        with self.assertRaisesRegex(OptimusError, "step 0 was complete. Write the gradient into job.gradient"):
            for _ in job.steps():
                pass
        with self.assertRaisesRegex(OptimusError, "job.steps was called twice"):
            next(job.steps())

    def test_reports_of_an_epoch_have_its_number(self) -> None:
        program = PROGRAM.replace("{OPTIMIZER}", '{"kind": "sgd", "learningRate": 0.1}').replace("epochs=20", "epochs=4")
        head, loop = program.split("for samples in job.steps():")
        body, end = loop.split("assert job.workers")
        program = (
            head
            + "for epoch in job.epochs():\n  for samples in job.steps():"
            + body.rstrip().replace("\n", "\n  ")
            + "\n  job.report(of=epoch)\n"
        )
        with FakeCluster(["program.py"], lambda step: 1 if step < 15 else 2) as cluster:
            pathlib.Path(cluster.folder, "program.py").write_text(program)
            cluster.train()
            self.assertEqual(25, len(cluster.losses))
            found = sorted((report["epoch"], report["values"]["of"]) for report in cluster.reports)
            self.assertEqual([(0, 0), (1, 1), (2, 2), (2, 2), (3, 3)], found)

    def test_refuses_wrong_loops_over_epochs(self) -> None:
        from optimus_yarn import OptimusError
        from optimus_yarn.job import Job

        right = dict(parameters=2, samples=4, batch=2, optimizer={"kind": "sgd", "learningRate": 0.1}, epochs=2)
        job = Job(None)
        with self.assertRaisesRegex(OptimusError, "job.declare"):
            next(job.epochs())
        job.declare(**right)
        with self.assertRaisesRegex(OptimusError, r"job.epochs\(3\) differs from job.declare\(epochs=2\)"):
            next(job.epochs(3))
        epochs = job.epochs()
        next(epochs)
        for _ in job.steps():
            job.update(0.5)
        with self.assertRaisesRegex(OptimusError, "job.steps was called twice in one epoch"):
            next(job.steps())
        next(epochs)
        with self.assertRaisesRegex(OptimusError, r"Epoch 1 ended before step 2.*job.steps\(\)"):
            next(epochs)


if __name__ == "__main__":
    unittest.main()
