"""What jobs and programs save."""

from __future__ import annotations

import pathlib
import sys
import tempfile
import unittest
import unittest.mock

from fake_worker import PROGRAMS, FakeCluster, numpy
from test_steps import ScriptedConnection, step

from optimus_yarn import OptimusError, saving
from optimus_yarn.job import Job
from optimus_yarn.messages import Finish

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

if torch is not None:
    import pieces

TRAIN = str(PROGRAMS / "train.py")


@unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
class SavedModelTest(unittest.TestCase):
    def test_job_saves_a_whole_state_dict_at_its_end(self) -> None:
        for kind in ("batchnorm", "tied", "frozen"):
            with self.subTest(kind), FakeCluster([TRAIN, "--model", kind, "--epochs", "2"], lambda step: 2) as cluster:
                cluster.train()
                path = pathlib.Path(cluster.folder, "output", "model.pt")
                state = torch.load(path)
                model = pieces.model_of(kind)
                model.load_state_dict(state)
                for block in cluster.ready["blocks"][:-1]:
                    self.assertEqual(cluster.block(block["name"]).tolist(), state[block["name"]].reshape(-1).tolist())
                # A file of views of the shared memory would hold the gradients and 4096 bytes of state as floats too.
                self.assertLess(path.stat().st_size, 4 * sum(p.numel() for p in model.state_dict().values()) + 8000)
                if kind == "tied":
                    self.assertEqual(state["first.weight"].data_ptr(), state["second.weight"].data_ptr())
                self.assertEqual([], [file for file in path.parent.iterdir() if file.name.endswith(".part")])

    def job(self, *answers: object) -> Job:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        job = Job(ScriptedConnection(*answers), pathlib.Path(folder.name))  # type: ignore[arg-type]
        self.model = pieces.model_of("plain")
        self.optimizer = torch.optim.SGD(self.model.parameters(), 0.1)
        _, _, self.loader = job.prepare(
            self.model, self.optimizer, torch.utils.data.DataLoader(pieces.data_set(), pieces.BATCH)
        )
        return job

    def test_saves_during_training_on_the_first_worker_only(self) -> None:
        job = self.job(step(0, 0), step(1, 64, rank=1), Finish())
        paths = []
        for _ in job.epochs(2):
            for inputs, labels in self.loader:
                paths.append(job.save(f"best/{job.step}.pt"))
                job.backward(torch.nn.functional.cross_entropy(self.model(inputs), labels))
                self.optimizer.step()
        self.assertEqual([job.output_folder / "best" / "0.pt", None], paths)
        self.assertEqual(set(self.model.state_dict()), set(torch.load(paths[0])))

    def test_parameters_leave_the_shared_memory_at_the_end(self) -> None:
        job = self.job(Finish())
        list(job.epochs(1))
        weight = self.model[0].weight
        storage = weight.untyped_storage() if hasattr(weight, "untyped_storage") else weight.storage().untyped()
        self.assertEqual(4 * weight.numel(), storage.nbytes())

    def test_refuses_paths_outside_of_the_folder_and_calls_without_a_model(self) -> None:
        job = self.job(Finish())
        list(job.epochs(1))
        with self.assertRaisesRegex(OptimusError, r"'\.\./model.pt'\) leads out of"):
            job.save("../model.pt")
        with self.assertRaisesRegex(OptimusError, "no model before job.prepare"):
            Job(None).save()

    def test_names_of_a_compiled_model_have_no_prefix(self) -> None:
        model = pieces.model_of("plain")
        compiled = torch.nn.Module()
        compiled._orig_mod = model
        self.assertIs(model, saving.own_module(compiled))
        self.assertIs(model, saving.own_module(model))

    def test_a_full_disk_does_not_fail_the_job(self) -> None:
        job = self.job(Finish())
        with unittest.mock.patch.object(torch, "save", side_effect=OSError(28, "No space left")), self.assertLogs(
            "optimus_yarn", "WARNING"
        ) as logs:
            list(job.epochs(1))
        self.assertRegex(logs.output[0], r"model.pt could not be saved: OSError: .*No space left")
        self.assertEqual("finished", job._connection.sent[-1]["type"])  # type: ignore[union-attr]

    @unittest.skipIf(saving.has_safetensors(), "safetensors is installed")
    def test_safetensors_that_are_missing(self) -> None:
        job = self.job(Finish())
        list(job.epochs(1))
        self.assertEqual(["model.pt"], [file.name for file in job.output_folder.iterdir()])
        with self.assertRaisesRegex(OptimusError, "needs the package safetensors.*Install it, or save a file that ends"):
            job.save("model.safetensors")

    @unittest.skipUnless(saving.has_safetensors(), "safetensors is not installed")
    def test_safetensors_of_tied_weights(self) -> None:
        from safetensors.torch import load_file

        job = self.job(Finish())
        job._model = pieces.model_of("tied")
        list(job.epochs(1))
        state = load_file(job.output_folder / "model.safetensors")
        expected = job._model.state_dict()
        self.assertEqual(set(expected), set(state))
        for name, value in expected.items():
            self.assertTrue(torch.equal(value, state[name]), name)


@unittest.skipIf(numpy is None, f"numpy is not installed for {sys.executable}")
class SavedArraysTest(unittest.TestCase):
    def test_arrays_are_saved_by_name(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            job = Job(None, pathlib.Path(folder))
            job.declare(
                [("weights", (2, 3)), ("bias", 3)],
                samples=4,
                batch=2,
                optimizer={"kind": "sgd", "learningRate": 1.0},
                epochs=1,
            )
            for _ in job.steps():
                job.gradient[:] = numpy.arange(9)
                job.update(1.0)
            self.assertFalse((pathlib.Path(folder) / "output").exists(), "alone, programs save where they choose")
            with numpy.load(job.save()) as saved:
                self.assertEqual((-2.0 * numpy.arange(6)).reshape(2, 3).tolist(), saved["weights"].tolist())
                self.assertEqual([-12.0, -14.0, -16.0], saved["bias"].tolist())


if __name__ == "__main__":
    unittest.main()
