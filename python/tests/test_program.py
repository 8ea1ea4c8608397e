"""How a program starts and ends, and what its worker hears of it."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest
import zipfile

from fake_worker import PYTHON_FOLDER, TIMEOUT_SECONDS, FakeCluster, FakeWorker, numpy

# A job of numpy arrays, which starts faster than one of torch.
DECLARE = """
import optimus_yarn as optimus
job = optimus.init()
job.declare(10, samples=20, batch=4, optimizer={"kind": "sgd", "learningRate": 0.1}, epochs=2)
"""
TRAIN = """
for samples in job.steps():
    job.gradient[:] = 1
    job.update(0.5)
"""


@unittest.skipIf(numpy is None, f"numpy is not installed for {sys.executable}")
class ProgramTest(unittest.TestCase):
    def cluster_of(self, program: str, *arguments: str, **environment: str) -> FakeCluster:
        cluster = FakeCluster(["program.py", *arguments], environment=environment)
        self.addCleanup(cluster.__exit__)
        pathlib.Path(cluster.folder, "program.py").write_text(program, encoding="utf-8")
        return cluster

    def assert_fails(self, program: str, reason: str, where: str, *arguments: str) -> FakeWorker:
        worker = self.cluster_of(program, *arguments).start()
        failed = worker.expect("failed")
        self.assertRegex(failed["reason"], reason)
        self.assertEqual(where, failed["where"])
        self.assertNotEqual(0, worker.end())
        return worker

    def test_uncaught_exception(self) -> None:
        worker = self.assert_fails(
            "def fails():\n    raise ValueError('no such thing')\nfails()\n",
            "^ValueError: no such thing$",
            "program.py:2",
        )
        self.assertEqual(1, worker.end())
        self.assertRegex(worker.output(), r'File "/.*/program.py", line 3, in <module>\n    fails\(\)')
        self.assertNotIn("optimus_yarn", worker.output())

    def test_exception_in_a_library_names_the_programs_line(self) -> None:
        self.assert_fails("import json\n\njson.loads('{')\n", "^JSONDecodeError: Expecting", "program.py:3")

    def test_wrong_use_names_the_programs_line(self) -> None:
        self.assert_fails(
            DECLARE + "job.update(1.0)\n", "^OptimusError: job.update\\(loss\\) was called outside", "program.py:5"
        )

    def test_syntax_error(self) -> None:
        self.assert_fails("x = 1\nx = = 2\n", "^SyntaxError: invalid syntax", "program.py:2")

    def test_missing_script(self) -> None:
        cluster = FakeCluster(["missing.py"])
        self.addCleanup(cluster.__exit__)
        failed = cluster.start().expect("failed")
        self.assertRegex(failed["reason"], "'missing.py' cannot be read: .*program.script")

    def test_exit_code_of_the_program(self) -> None:
        self.assertEqual(3, self.assert_fails("import sys\nsys.exit(3)\n", r"sys.exit\(3\)", "program.py:2").end())

    def test_end_before_the_training_is_over(self) -> None:
        self.assert_fails("print('nothing to do')\n", "ended before training was over", "program.py")

    def test_break_out_of_the_loop(self) -> None:
        cluster = self.cluster_of(DECLARE + "for samples in job.steps():\n    job.update(0.5)\n    break\n")
        cluster.resize(1)
        cluster.step(0)
        worker = cluster.members[0]
        worker.send(type="step", step=1, count=4, stride=4, rank=0, workers=1, batch=4, **{"from": 4})
        self.assertRegex(worker.expect("failed")["reason"], "ended before training was over")

    def test_program_goes_on_after_the_end(self) -> None:
        cluster = self.cluster_of(DECLARE + TRAIN + "job.report(total=job.parameters.sum())\nprint('saved')\n")
        cluster.train()
        report = cluster.everybody[0].received[-1]
        self.assertEqual("report", report["type"])
        self.assertAlmostEqual(-10.0, report["values"]["total"], delta=1e-4)
        self.assertEqual("saved\n", cluster.everybody[0].output())

    def test_annotations_of_the_program_are_what_they_are_without_the_package(self) -> None:
        typed = """
import dataclasses

@dataclasses.dataclass
class Settings:
    rate: float = 0.1

for each in dataclasses.fields(Settings):
    assert each.type("0.5") == 0.5
"""
        cluster = self.cluster_of(typed + DECLARE + TRAIN)
        cluster.train()
        self.assertEqual(10, len(cluster.losses))

    def test_prints_do_not_reach_the_protocol(self) -> None:
        noise = """
import os, subprocess, sys
print('{"type":"step"}')
os.write(1, b'raw\\r')
subprocess.run(['echo', 'child'])
sys.stderr.write('50%|#####     |\\r')
"""
        cluster = self.cluster_of(noise + DECLARE + TRAIN.replace("job.update", "print('{}'); job.update"))
        cluster.train()
        self.assertEqual(10, len(cluster.losses))
        output = cluster.everybody[0].output()
        for text in ('{"type":"step"}', "child", "50%|", "{}\n{}"):
            self.assertIn(text, output)

    def test_output_comes_line_by_line(self) -> None:
        worker = self.cluster_of("import time\nprint('hello')\ntime.sleep(60)\n").start()
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while worker.output() != "hello\n":
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)

    def test_ends_when_the_worker_is_gone_although_it_computes(self) -> None:
        cluster = self.cluster_of(DECLARE + "print('started')\nwhile True:\n    pass\n")
        worker = cluster.start()
        while "started" not in worker.output():
            self.assertIsNone(worker.process.poll(), worker.output())
            time.sleep(0.02)
        assert worker.connection is not None
        worker.connection.shutdown(2)
        started = time.monotonic()
        self.assertEqual(129, worker.end())
        self.assertLess(time.monotonic() - started, 5)

    def test_ends_when_the_worker_is_gone_while_it_waits(self) -> None:
        cluster = self.cluster_of(DECLARE + TRAIN)
        cluster.resize(1)
        worker = cluster.members[0]
        assert worker.connection is not None
        worker.connection.shutdown(2)
        self.assertEqual(129, worker.end())

    def test_leaves_in_place_of_a_step(self) -> None:
        cluster = self.cluster_of(
            DECLARE
            + "try:\n    for samples in job.steps():\n        job.update(0.5)\n"
            + "except Exception:\n    print('caught')\nprint('went on')\n"
        )
        cluster.resize(1)
        cluster.step(0)
        worker = cluster.members[0]
        worker.send(type="leave", reason="the job shrinks")
        self.assertEqual(0, worker.end())
        self.assertEqual("optimus_yarn INFO: This worker leaves the job: the job shrinks\n", worker.output())
        self.assertIsNone(worker.read())

    def test_leaves_before_it_answers(self) -> None:
        cluster = self.cluster_of(
            DECLARE + "import time\nfor samples in job.steps():\n    time.sleep(0.3)\n    job.update(0.5)\n"
        )
        worker = cluster.start()
        cluster.join(worker)
        worker.send(type="step", step=0, count=4, stride=4, rank=0, workers=1, batch=4, **{"from": 0})
        worker.send(type="leave", reason="the job shrinks")
        self.assertIsNone(worker.read())
        self.assertEqual(0, worker.end())

    def test_runs_as_the_main_program(self) -> None:
        program = (
            """
import os, pickle, sys
import beside
assert __name__ == "__main__", __name__
assert sys.argv == ["program.py", "-m", "--rate=1"], sys.argv
assert os.path.isabs(__file__) and os.path.basename(__file__) == "program.py"
assert "OPTIMUS_PROGRAM_SOCKET" not in os.environ
class Mine: pass
assert isinstance(pickle.loads(pickle.dumps(Mine())), Mine)
os.chdir("/")
"""
            + DECLARE
            + TRAIN
        )
        cluster = self.cluster_of(program, "-m", "--rate=1")
        pathlib.Path(cluster.folder, "beside.py").write_text("")
        cluster.train()

    def test_runs_a_module(self) -> None:
        cluster = FakeCluster(["-m", "package.part", "a"])
        self.addCleanup(cluster.__exit__)
        folder = pathlib.Path(cluster.folder, "package")
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        (folder / "sibling.py").write_text("")
        check = "import sys\nfrom . import sibling\nassert __name__ == '__main__' and sys.argv[1:] == ['a'], sys.argv\n"
        (folder / "part.py").write_text(check + DECLARE + TRAIN)
        cluster.train()

    def test_runs_from_a_zip(self) -> None:
        cluster = self.cluster_of(DECLARE + TRAIN + "print(optimus.__file__)\n")
        archive = os.path.join(cluster.folder, "optimus-am.jar")
        with zipfile.ZipFile(archive, "w") as file:
            for path in (PYTHON_FOLDER / "optimus_yarn").glob("*.py"):
                file.write(path, f"python/optimus_yarn/{path.name}")
        cluster._environment = {"PYTHONPATH": f"{archive}/python"}
        cluster.train()
        self.assertEqual(f"{archive}/python/optimus_yarn/__init__.py\n", cluster.everybody[0].output())

    def test_killed_program_closes_the_connection(self) -> None:
        cluster = self.cluster_of(DECLARE + TRAIN)
        cluster.resize(1)
        worker = cluster.members[0]
        worker.process.send_signal(signal.SIGKILL)
        self.assertIsNone(worker.read())
        self.assertEqual(-signal.SIGKILL, worker.end())

    def test_says_how_it_is_called(self) -> None:
        called = subprocess.run(
            [sys.executable, "-m", "optimus_yarn"],
            env=dict(os.environ, PYTHONPATH=str(PYTHON_FOLDER)),
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
        )
        self.assertEqual(2, called.returncode)
        self.assertIn("python -m optimus_yarn SCRIPT", called.stdout)


if __name__ == "__main__":
    unittest.main()
