"""A coordinator of workers that make updates themselves, for tests. The programs and their groups are real."""

from __future__ import annotations

import concurrent.futures
import mmap
import tempfile
import threading
import time
from typing import Any, Callable, Optional, Sequence

from fake_worker import PHASES, TIMEOUT_SECONDS, FakeWorker, floats_of, numpy


class GroupWorker(FakeWorker):
    """One worker of a group."""

    port = 0
    next_step = -1
    vector: Any = None
    # What servers average, where there are any.
    averaged: Any = None
    # The step before which to ask next, after a question; and the question at which training ends.
    next_decision: Callable[[int], int] = staticmethod(lambda step: 1 << 62)
    last_decision: Optional[int] = None

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.asked: list[int] = []

    def read(self) -> Optional[dict[str, Any]]:
        """Returns the next message, and answers questions whether training goes on."""
        while True:
            message = super().read()
            if message is None or message["type"] != "at-decision":
                return message
            self.asked.append(message["step"])
            if message["step"] == self.last_decision:
                self.send(type="stop", membership=message["membership"])
            self.send(
                type="go-on", membership=message["membership"], decision=self.next_decision(message["step"])
            )

    def welcome_to_group(self, adaptive: bool, communication: str) -> None:
        self.accept()
        self.send(
            type="welcome",
            version=1,
            task=self.name,
            seed=self._seed,
            mode="synchronous",
            communication=communication,
            adaptive=adaptive,
        )

    def ready(self) -> dict[str, Any]:
        message = self.expect("ready")
        floats = message["memory"]["floats"]
        with open(message["memory"]["path"], "r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 0)
        vectors = numpy.frombuffer(self._memory, dtype=numpy.float32)
        self.vector, self.averaged = vectors[:floats], vectors[floats:]
        self.port = message["rendezvous"]
        return message

    def await_message(self, kind: str, seconds: float = TIMEOUT_SECONDS) -> dict[str, Any]:
        """Returns the next message of a kind, and drops those of steps before."""
        assert self.connection is not None
        self.connection.settimeout(seconds)
        while True:
            message = self.read()
            if message is None:
                raise AssertionError(f"{self.name} closed the connection instead of {kind}:\n{self.output()}")
            if message["type"] == kind:
                self.connection.settimeout(TIMEOUT_SECONDS)
                return message
            if message["type"] not in ("stepped", "report", "started", "saved", *PHASES):
                raise AssertionError(f"{self.name} sent {message} instead of {kind}:\n{self.output()}")


class FakeGroup:
    """Begins memberships and collects their losses.

    ``workers_of(step)`` gives the number of workers in each step. ``batch_of(step)`` gives the batch and the number of
    parts that each worker computes before the last.
    """

    def __init__(
        self,
        command: Sequence[str],
        workers_of: Callable[[int], int] = lambda step: 1,
        batch_of: Optional[Callable[[int], tuple[int, int]]] = None,
        adaptive: bool = False,
        environment: Optional[dict[str, str]] = None,
        communication: str = "all-reduce",
    ) -> None:
        self._command = command
        self._workers_of = workers_of
        self._batch_of = batch_of
        self._adaptive = adaptive
        self._communication = communication
        # Whether a server is gone.
        self.fails = False
        self._shares: dict[str, dict[str, Any]] = {}
        self._lock = threading.Lock()
        self._environment = environment or {}
        self._folder = tempfile.TemporaryDirectory(prefix="optimus-test-")
        self.members: list[GroupWorker] = []
        self.everybody: list[GroupWorker] = []
        self.ready: dict[str, Any] = {}
        self.losses: dict[int, float] = {}
        self.stepped: list[dict[str, Any]] = []
        self.membership = 0
        self.position = 0
        self.pauses: list[float] = []

    def __enter__(self) -> FakeGroup:
        return self

    def __exit__(self, *error: object) -> None:
        for worker in self.everybody:
            worker.close()
        self._folder.cleanup()

    def launch(self, count: int) -> list[GroupWorker]:
        """Starts programs, which wait for their welcome."""
        started = []
        for _ in range(count):
            name = f"worker-{len(self.everybody)}"
            worker = GroupWorker(self._command, self._folder.name, name, self._environment, 1)
            self.everybody.append(worker)
            started.append(worker)
        return started

    def welcome(self, workers: Sequence[GroupWorker]) -> None:
        for worker in workers:
            worker.welcome_to_group(self._adaptive, self._communication)
        for worker in workers:
            ready = worker.ready()
            self.ready = self.ready or ready
            for key in ("blocks", "samples", "batch", "epochs", "optimizer", "groups"):
                assert ready[key] == self.ready[key], (key, ready[key], self.ready[key])

    @property
    def name(self) -> str:
        return f"1.{self.membership}"

    def begin(self, step: int, end_step: int = -1, load: bool = False, to: Optional[Sequence[int]] = None) -> None:
        """Begins a membership with the members, of whom those behind ``step`` receive the state."""
        self.membership += 1
        batch, accumulate = self._batch_of(step) if self._batch_of else (self.ready["batch"], 0)
        fresh = step == 0 and all(worker.next_step < 0 for worker in self.members)
        have = [rank for rank, worker in enumerate(self.members) if worker.next_step == step or fresh]
        source = have[0] if have else 0
        receivers = [rank for rank in range(len(self.members)) if rank not in have and rank != source]
        for rank, worker in enumerate(self.members):
            if to is None or rank in to:
                worker.send(
                    type="begin",
                    membership=self.name,
                    step=step,
                    endStep=end_step,
                    rank=rank,
                    workers=len(self.members),
                    batch=batch,
                    accumulate=accumulate,
                    rendezvous={"host": "127.0.0.1", "port": self.members[0].port},
                    source=source,
                    receivers=receivers,
                    load=load,
                    **{"from": self.position},
                )

    def stepped_until(self, step: int) -> None:
        """Reads what the first member says until it has made a step."""
        while True:
            message = self.members[0].read()
            if message is None or message["type"] in ("failed", "interrupted"):
                raise AssertionError(f"The first member sent {message}:\n{self.members[0].output()}")
            if message["type"] == "share":
                self._share(self.members[0], message)
                for worker in self.members[1:]:
                    self._share(worker, worker.await_message("share"))
            if message["type"] == "stepped":
                self._record(message)
                if message["step"] == step:
                    return

    def _share(self, worker: GroupWorker, share: dict[str, Any]) -> None:
        """Does what servers do with one worker's part of a step: the last worker's part completes the average."""
        with self._lock:
            if self.fails:
                worker.send(
                    type="average-failed", membership=share["membership"], step=share["step"], reason="a server is gone"
                )
                return
            self._shares[worker.name] = share
            if len(self._shares) < len(self.members):
                return
            shares = [self._shares[member.name] for member in self.members]
            self._shares.clear()
            assert len({each["step"] for each in shares}) == 1, shares
            mean = numpy.zeros_like(worker.averaged)
            loss = 0.0
            for member, each in zip(self.members, shares):
                mean += numpy.float32(each["count"] / each["batch"]) * member.averaged
                loss += each["count"] / each["batch"] * each["loss"]
            last = any(each["last"] for each in shares)
            for member in self.members:
                member.averaged[:] = mean
                member.send(type="average", membership=self.name, step=share["step"], loss=loss, last=last)

    def _record(self, message: dict[str, Any]) -> None:
        assert message["membership"] == self.name, (message, self.name)
        self.losses[message["step"]] = message["loss"]
        self.stepped.append(message)

    def end_membership(self, kind: str = "boundary", seconds: float = TIMEOUT_SECONDS) -> list[dict[str, Any]]:
        """Waits for each member's last message in this membership."""
        # All are read at once, since a worker whose messages nobody reads stops in the end.
        with concurrent.futures.ThreadPoolExecutor(len(self.members)) as threads:
            return list(
                threads.map(lambda worker: self._end_of(worker, kind, seconds), self.members, timeout=2 * seconds)
            )

    def _end_of(self, worker: GroupWorker, kind: str, seconds: float) -> dict[str, Any]:
        assert worker.connection is not None
        worker.connection.settimeout(seconds)
        while True:
            message = worker.read()
            if message is None:
                raise AssertionError(f"{worker.name} closed the connection instead of {kind}:\n{worker.output()}")
            if message["type"] == kind:
                break
            if message["type"] == "share":
                self._share(worker, message)
            elif message["type"] == "stepped":
                if worker is self.members[0]:
                    self._record(message)
            elif message["type"] not in ("report", "started", "saved", *PHASES):
                raise AssertionError(f"{worker.name} sent {message} instead of {kind}:\n{worker.output()}")
        worker.connection.settimeout(TIMEOUT_SECONDS)
        assert message["membership"] == self.name, (message, self.name)
        worker.next_step = message["step"]
        return message

    def steps(self) -> int:
        return -(-self.ready["samples"] * self.ready["epochs"] // self.ready["batch"])

    def finish(self) -> None:
        for worker in self.members:
            worker.send(type="finish")
        for worker in self.members:
            worker.await_message("finished")
        for worker in self.members:
            while worker.read() is not None:
                pass
            assert worker.end() == 0, worker.output()

    def resize(self, workers: int, ahead: Sequence[GroupWorker]) -> None:
        self.members += ahead
        for worker in self.members[workers:]:
            worker.send(type="leave", reason="the job shrinks")
            assert worker.end() == 0, worker.output()
        del self.members[workers:]

    def train(self) -> FakeGroup:
        """Runs the whole job. All programs start together, since importing torch takes seconds."""
        first = self.launch(self._workers_of(0))
        self.welcome(first)
        self.members = first
        steps = self.steps()
        sizes = [self._workers_of(step) for step in range(steps)]
        ahead = self.launch(sum(max(0, after - before) for before, after in zip(sizes, sizes[1:])))
        self.welcome(ahead)
        plan = [(sizes[step], self._batch_of(step) if self._batch_of else 0) for step in range(steps)]
        starts = [step for step in range(steps) if step == 0 or plan[step] != plan[step - 1]]
        ended = 0.0
        for start, end in zip(starts, starts[1:] + [steps]):
            joining = max(0, sizes[start] - len(self.members))
            self.resize(sizes[start], ahead[:joining])
            del ahead[:joining]
            self.begin(start, end)
            if ended:
                for worker in self.members:
                    worker.await_message("started")
                self.pauses.append(time.perf_counter() - ended)
            assert {answer["step"] for answer in self.end_membership()} == {end}
            ended = time.perf_counter()
            self.position += (end - start) * (self._batch_of(start)[0] if self._batch_of else self.ready["batch"])
        return self

    def saved_state(self, step: int, rank: int = 0) -> Any:
        """Has a member copy its state, and returns it."""
        worker = self.members[rank]
        worker.send(type="save", step=step)
        assert worker.expect("saved")["step"] == step
        vector = worker.vector.copy()
        worker.send(type="taken")
        return vector

    def block(self, vector: Any, name: str) -> Any:
        """Returns a block of a state."""
        start = 0
        for block in self.ready["blocks"]:
            if block["name"] == name:
                return vector[start : start + floats_of(block)]
            start += floats_of(block)
        raise KeyError(name)
