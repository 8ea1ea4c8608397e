"""Workers and parameter servers in one thread, for tests: the arithmetic is real, and sizes change by a plan."""

from __future__ import annotations

import json
import math
import mmap
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable, Optional, Sequence

try:
    import numpy
except ImportError:  # the tests that train are skipped
    numpy = None  # type: ignore[assignment]

PYTHON_FOLDER = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
# Importing torch takes seconds, and more where other tests run beside.
TIMEOUT_SECONDS = 120.0
# What a program tells of what it does, by which the worker knows whether it hangs.
PHASES = ("computing", "waiting", "between-epochs")

for folder in (PYTHON_FOLDER, PROGRAMS):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def floats_of(block: dict[str, Any]) -> int:
    """Returns the length of a block."""
    return math.prod(block["shape"])


class FakeWorker:
    """One worker: it owns a socket, a child program and a view of the child's memory."""

    def __init__(self, command: Sequence[str], folder: str, name: str, environment: dict[str, str], seed: int) -> None:
        self.name = name
        path = os.path.join(folder, f"{name}.socket")
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(path)
        self._listener.listen(1)
        self._listener.settimeout(TIMEOUT_SECONDS)
        self.output_path = os.path.join(folder, f"{name}.out")
        variables = dict(os.environ, OMP_NUM_THREADS="1", OPTIMUS_PROGRAM_SOCKET=os.path.basename(path))
        variables["PYTHONPATH"] = str(PYTHON_FOLDER)
        variables.update(environment)
        with open(self.output_path, "wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "optimus_yarn", *command],
                cwd=folder,
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        self.connection: Optional[socket.socket] = None
        self._seed = seed
        self._memory: Optional[mmap.mmap] = None
        # The beginnings of gradients that were told before the step's end, with what they were then.
        self.early: list[tuple[int, Any]] = []
        self.received: list[dict[str, Any]] = []

    def accept(self) -> None:
        self.connection, _ = self._listener.accept()
        self._listener.close()
        self.connection.settimeout(TIMEOUT_SECONDS)
        self._lines = self.connection.makefile("rb")

    def welcome(self) -> None:
        self.accept()
        self.send(type="welcome", version=1, task=self.name, seed=self._seed, mode="synchronous")

    def send(self, **message: Any) -> None:
        assert self.connection is not None
        self.connection.sendall(json.dumps(message).encode() + b"\n")

    def read(self) -> Optional[dict[str, Any]]:
        """Returns the next message, None where the connection is closed."""
        line = self._lines.readline()
        if not line:
            return None
        message = json.loads(line)
        self.received.append(message)
        return message

    def expect(self, kind: str, reports: Optional[list[dict[str, Any]]] = None) -> dict[str, Any]:
        """Returns the next message of a kind. Reports, and what the program does, may come before it."""
        while True:
            message = self.read()
            if message is None:
                raise AssertionError(f"{self.name} closed the connection instead of {kind}:\n{self.output()}")
            if message["type"] == kind:
                return message
            if message["type"] in PHASES:
                continue
            if kind == "gradient" and message["type"] == "loss":
                self.early.clear()
                self.early_loss = message["loss"], message["groups"]
                continue
            if kind == "gradient" and message["type"] == "gradient-from":
                self.early.append((message["from"], self.gradients[message["from"] :].copy()))
                continue
            if message["type"] != "report":
                raise AssertionError(f"{self.name} sent {message} instead of {kind}:\n{self.output()}")
            if reports is not None:
                reports.append(message)

    def ready(self) -> dict[str, Any]:
        message = self.expect("ready")
        floats = message["memory"]["floats"]
        with open(message["memory"]["path"], "r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 8 * floats)
        vectors = numpy.frombuffer(self._memory, dtype=numpy.float32)
        self.parameters, self.gradients = vectors[:floats], vectors[floats:]
        return message

    def end(self) -> int:
        """Waits for the process to end and returns its exit code."""
        return self.process.wait(TIMEOUT_SECONDS)

    def output(self) -> str:
        with open(self.output_path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._listener.close()
        if self.connection is not None:
            self._lines.close()
            self.connection.close()


class Updates:
    """The arithmetic of torch's SGD, Adam and AdamW on one vector of parameters, in float32."""

    def __init__(self, optimizer: dict[str, Any], floats: int) -> None:
        self._optimizer = optimizer
        self._first = numpy.zeros(floats, numpy.float32)
        self._second = numpy.zeros(floats, numpy.float32)
        self._count = 0

    def apply(
        self, parameters: numpy.ndarray, gradient: numpy.ndarray, rate: numpy.ndarray, decay: numpy.ndarray
    ) -> None:
        kind = self._optimizer["kind"]
        self._count += 1
        if kind == "adamw":
            parameters *= 1 - rate * decay
        else:
            gradient = gradient + decay * parameters
        if kind == "sgd":
            self._first = self._optimizer["momentum"] * self._first + gradient
            parameters -= rate * self._first
            return
        beta1, beta2 = self._optimizer["beta1"], self._optimizer["beta2"]
        self._first = beta1 * self._first + (1 - beta1) * gradient
        self._second = beta2 * self._second + (1 - beta2) * gradient * gradient
        mean = self._first / (1 - beta1**self._count)
        variance = self._second / (1 - beta2**self._count)
        parameters -= rate * mean / (numpy.sqrt(variance) + self._optimizer["epsilon"])


class FakeCluster:
    """Trains a program synchronously.

    ``workers_of(step)`` gives the number of workers in each step. Where ``fails(step)`` is true, the first updates of a
    step do not count, and the workers repeat it.
    """

    def __init__(
        self,
        command: Sequence[str],
        workers_of: Callable[[int], int] = lambda step: 1,
        environment: Optional[dict[str, str]] = None,
        seed: int = 1,
        fails: Callable[[int], bool] = lambda step: False,
    ) -> None:
        self._command = command
        self._workers_of = workers_of
        self._fails = fails
        self._environment = environment or {}
        self._seed = seed
        self._folder = tempfile.TemporaryDirectory(prefix="optimus-test-")
        self.members: list[FakeWorker] = []
        self.everybody: list[FakeWorker] = []
        self.losses: list[float] = []
        # For each step of a worker that tells of its gradient early: what it tells.
        self.told_early: list[list[int]] = []
        self.rates: list[list[list[float]]] = []
        self.steps_of_different_rates: list[int] = []
        self.reports: list[dict[str, Any]] = []
        self.ready: dict[str, Any] = {}
        self.parameters = numpy.zeros(0, numpy.float32)
        self.stepping_seconds = 0.0
        self._ahead: list[FakeWorker] = []

    def __enter__(self) -> FakeCluster:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self.everybody:
            worker.close()
        self._folder.cleanup()

    @property
    def folder(self) -> str:
        return self._folder.name

    def launch(self) -> FakeWorker:
        """Starts one more program, which waits for its welcome."""
        name = f"worker-{len(self.everybody)}"
        worker = FakeWorker(self._command, self.folder, name, self._environment, self._seed)
        self.everybody.append(worker)
        return worker

    def start(self) -> FakeWorker:
        """Returns a program that is welcomed: one that was launched ahead, or a new one."""
        worker = self._ahead.pop(0) if self._ahead else self.launch()
        worker.welcome()
        return worker

    def join(self, worker: FakeWorker) -> None:
        ready = worker.ready()
        if not self.ready:
            self.ready = ready
            self.parameters = worker.parameters.copy()
            self._updates = Updates(ready["optimizer"], ready["memory"]["floats"])
            self._group_of = numpy.zeros(self.parameters.size, int)
            self._kinds = numpy.zeros(self.parameters.size, "U9")
            start = 0
            for block in ready["blocks"]:
                stop = start + floats_of(block)
                self._kinds[start:stop] = block["kind"]
                self._group_of[start:stop] = block.get("group", 0)
                start = stop
            assert start == self.parameters.size
        for key in ("blocks", "samples", "batch", "epochs", "optimizer", "groups"):
            assert ready[key] == self.ready[key], (key, ready[key], self.ready[key])
        self.members.append(worker)

    def resize(self, workers: int) -> None:
        joining = [self.start() for _ in range(workers - len(self.members))]
        for worker in joining:
            self.join(worker)
        for worker in self.members[workers:]:
            worker.send(type="leave", reason="the job shrinks")
            assert worker.end() == 0, worker.output()
        del self.members[workers:]

    def step(self, step: int) -> None:
        if self._fails(step):
            self._compute(step)
        answers, counts = self._compute(step)
        self._update(step, answers, counts)

    def _compute(self, step: int) -> tuple[list[dict[str, Any]], list[int]]:
        batch, workers = self.ready["batch"], len(self.members)
        started = time.perf_counter()
        counts = []
        for rank, worker in enumerate(self.members):
            start = batch * rank // workers
            counts.append(batch * (rank + 1) // workers - start)
            worker.parameters[:] = self.parameters
            worker.send(
                type="step",
                step=step,
                stride=batch,
                count=counts[-1],
                rank=rank,
                workers=workers,
                batch=batch,
                **{"from": step * batch + start},
            )
        answers = [worker.expect("gradient", self.reports) for worker in self.members]
        for worker, answer in zip(self.members, answers):
            self._check_early(worker, answer)
        self.stepping_seconds += time.perf_counter() - started
        return answers, counts

    def _check_early(self, worker: FakeWorker, answer: dict[str, Any]) -> None:
        """What a program has told during the step is what it says at its end."""
        if worker.early:
            assert worker.early_loss == (answer["loss"], answer["groups"]), (worker.early_loss, answer)
            self.told_early.append([start for start, _ in worker.early])
        for start, values in worker.early:
            assert numpy.array_equal(values, worker.gradients[start:]), f"changed after {start} was told"
        worker.early.clear()

    def _update(self, step: int, answers: list[dict[str, Any]], counts: list[int]) -> None:
        batch = self.ready["batch"]
        started = time.perf_counter()
        self.losses.append(sum(answer["loss"] * count for answer, count in zip(answers, counts)) / batch)
        self.rates.append(answers[0]["groups"])
        if any(answer["groups"] != answers[0]["groups"] for answer in answers):
            self.steps_of_different_rates.append(step)
        mean = numpy.zeros_like(self.parameters)
        for worker, count in zip(self.members, counts):
            mean += worker.gradients * numpy.float32(count / batch)
        rates = numpy.array(answers[0]["groups"], numpy.float32)
        trained = self._kinds == "parameter"
        values = self.parameters.copy()
        self._updates.apply(values, numpy.where(trained, mean, 0), rates[self._group_of, 0], rates[self._group_of, 1])
        self.parameters = numpy.where(trained, values, mean)
        state = self._kinds == "state"
        self.parameters[state] = self.members[0].gradients[state]
        self.stepping_seconds += time.perf_counter() - started

    def steps(self) -> int:
        return -(-self.ready["samples"] * self.ready["epochs"] // self.ready["batch"])

    def finish(self) -> None:
        """Ends training: one program is told to finish, and then the others are not needed any more."""
        first, *others = self.members
        first.parameters[:] = self.parameters
        first.send(type="finish")
        first.expect("finished", self.reports)
        for worker in others:
            worker.send(type="leave", reason="training is done")
        for worker in self.members:
            while worker.read() is not None:
                pass
            assert worker.end() == 0, worker.output()

    def train(self) -> FakeCluster:
        """Runs the whole job. Programs are launched together, since importing torch takes seconds."""
        self._ahead = [self.launch() for _ in range(self._workers_of(0))]
        self.resize(self._workers_of(0))
        sizes = [self._workers_of(step) for step in range(self.steps())]
        joins = sum(max(0, after - before) for before, after in zip(sizes, sizes[1:]))
        self._ahead = [self.launch() for _ in range(joins)]
        for step in range(self.steps()):
            self.resize(self._workers_of(step))
            self.step(step)
        self.finish()
        return self

    def block(self, name: str) -> numpy.ndarray:
        """Returns the parameters of a block."""
        start = 0
        for block in self.ready["blocks"]:
            if block["name"] == name:
                return self.parameters[start : start + floats_of(block)]
            start += floats_of(block)
        raise KeyError(name)
