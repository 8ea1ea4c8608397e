"""What the worker tells the program: one class for each message."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Union

from .errors import OptimusError

VERSION = 1


@dataclass(frozen=True)
class Welcome:
    """The first message: who this program is in its job."""

    task: str
    seed: int
    synchronous: bool
    # How workers combine gradients: parameter-server, averaging-server or all-reduce.
    communication: str = "parameter-server"
    # Whether the job measures the gradient's noise to choose its batch size.
    adaptive: bool = False

    @property
    def all_reduce(self) -> bool:
        """Whether workers reduce gradients among themselves, without parameter servers."""
        return self.communication == "all-reduce"

    @property
    def updates_here(self) -> bool:
        """Whether workers hold the parameters and each makes the update, with the program's own optimizer."""
        return self.communication != "parameter-server"


@dataclass(frozen=True)
class Step:
    """One step and this worker's part of its batch.

    Positions count the samples of all epochs in one endless sequence. Example: step 12 of batch 64 takes positions
    768 to 831; with two workers, rank 0 has ``position`` 768 and ``count`` 32, rank 1 has ``position`` 800.
    """

    step: int
    position: int
    count: int
    stride: int
    rank: int
    workers: int
    batch: int

    def epoch(self, samples: int) -> int:
        """Returns the epoch that the first sample of the whole batch lies in.

        Batches start at multiples of the batch size, in synchronous training and in asynchronous training.
        """
        return self.batch_start // samples

    @property
    def batch_start(self) -> int:
        """The position of the first sample of the whole batch."""
        return self.position - self.position % self.batch

    @property
    def seed_of_part(self) -> int:
        """Tells the parts of a step apart that one worker computes one after another."""
        return 0

    @property
    def samples_from_here(self) -> tuple[int, ...]:
        """Equal for steps from which on this worker reads the same samples if nobody resizes the job."""
        return self.position, self.count, self.batch, self.stride, self.batch_start

    def following(self) -> Step:
        """Returns what this worker computes next if nobody resizes the job."""
        return replace(self, step=self.step + 1, position=self.position + self.stride)


@dataclass(frozen=True)
class GroupStep(Step):
    """A step of a group that reduces gradients, or one of the ``parts`` of this worker's part of it.

    Batch sizes may change, so batches do not start at multiples of their size. ``position`` and ``count`` are those of
    this part; the worker's whole part starts at ``whole_position`` and has ``whole_count`` samples.
    """

    batch_starts_at: int = 0
    whole_position: int = 0
    whole_count: int = 0
    part: int = 0
    parts: int = 1

    @property
    def batch_start(self) -> int:
        return self.batch_starts_at

    @property
    def seed_of_part(self) -> int:
        return self.part

    @property
    def samples_from_here(self) -> tuple[int, ...]:
        return (*super().samples_from_here, self.part, self.parts, self.whole_position, self.whole_count)

    def following(self) -> GroupStep:
        if self.part + 1 < self.parts:
            return self.at_part(self.part + 1)
        following = replace(
            self,
            step=self.step + 1,
            batch_starts_at=self.batch_starts_at + self.stride,
            whole_position=self.whole_position + self.stride,
        )
        return following.at_part(0)

    @property
    def share(self) -> float:
        """This worker's share of the batch."""
        return self.whole_count / self.batch

    def at_part(self, part: int) -> GroupStep:
        """Returns one of the parts. Their sizes differ by at most one."""
        start = self.whole_count * part // self.parts
        stop = self.whole_count * (part + 1) // self.parts
        return replace(self, part=part, position=self.whole_position + start, count=stop - start)


@dataclass(frozen=True)
class Finish:
    """Training is over, and the parameters are final."""


@dataclass(frozen=True)
class Leave:
    """The job does not need this worker any more."""

    reason: str


@dataclass(frozen=True)
class Begin:
    """A membership of a group that reduces gradients begins with a step."""

    membership: str
    step: int
    position: int
    end_step: int
    rank: int
    workers: int
    batch: int
    accumulate: int
    host: str
    port: int
    source: int
    receivers: tuple[int, ...]
    load: bool

    def at(self, step: int) -> GroupStep:
        """Returns the first part of this worker's part of a step.

        Example: a membership that begins at step 10 and position 640 with batch 64: step 12 starts at position 768.
        """
        start = self.position + (step - self.step) * self.batch
        first = start + self.batch * self.rank // self.workers
        count = start + self.batch * (self.rank + 1) // self.workers - first
        whole = GroupStep(
            step=step,
            position=first,
            count=count,
            stride=self.batch,
            rank=self.rank,
            workers=self.workers,
            batch=self.batch,
            batch_starts_at=start,
            whole_position=first,
            whole_count=count,
            parts=self.accumulate + 1,
        )
        return whole.at_part(0)


@dataclass(frozen=True)
class Stop:
    """The step in flight or the next is the last of the membership."""

    membership: str


@dataclass(frozen=True)
class GoOn:
    """Training goes on, or a ``Stop`` came before; the first worker asks again before step ``decision``."""

    membership: str
    decision: int


@dataclass(frozen=True)
class Abort:
    """The membership is over, and its step in flight is given up."""

    membership: str


@dataclass(frozen=True)
class Save:
    """The state before a step is wanted in the shared memory."""

    step: int


@dataclass(frozen=True)
class Taken:
    """The shared memory may be written again."""


@dataclass(frozen=True)
class Average:
    """The shared memory holds the mean of what all workers computed in a step."""

    membership: str
    step: int
    loss: float
    last: bool


@dataclass(frozen=True)
class AverageFailed:
    """The mean of a step cannot be had, so the step is given up."""

    membership: str
    step: int
    reason: str


Work = Union[Step, Finish]
Message = Union[Welcome, Step, Finish, Leave, Begin, Stop, GoOn, Abort, Save, Taken, Average, AverageFailed]


def alone_step(step: int, batch: int, end: int) -> Work:
    """Returns a step of a job with one worker, or the finish if the step would not start before position ``end``."""
    position = step * batch
    if position >= end:
        return Finish()
    return Step(step, position, batch, batch, rank=0, workers=1, batch=batch)


def parse(message: dict[str, Any]) -> Message:
    """Returns the message of a worker as a value."""
    kind = message.get("type")
    if kind == "begin":
        return _begin(message)
    if kind in ("stop", "abort"):
        return (Stop if kind == "stop" else Abort)(message["membership"])
    if kind == "go-on":
        return GoOn(message["membership"], message["decision"])
    if kind == "save":
        return Save(message["step"])
    if kind == "taken":
        return Taken()
    if kind == "average":
        # JSON has no numbers for losses that diverge; the worker writes them as texts.
        return Average(message["membership"], message["step"], float(message["loss"]), message["last"])
    if kind == "average-failed":
        return AverageFailed(message["membership"], message["step"], message["reason"])
    if kind == "step":
        step = Step(
            step=message["step"],
            position=message["from"],
            count=message["count"],
            stride=message["stride"],
            rank=message["rank"],
            workers=message["workers"],
            batch=message["batch"],
        )
        if step.count < 1 or step.batch < 1:
            raise OptimusError(
                f"Step {step.step} gives this worker {step.count} of {step.batch} samples; a step needs at least one"
                " sample for each worker. Raise the batch size, or lower the job's largest number of workers."
            )
        return step
    if kind == "finish":
        return Finish()
    if kind == "leave":
        return Leave(message.get("reason", "no reason given"))
    if kind == "welcome":
        if message.get("version") != VERSION:
            raise OptimusError(
                f"The worker speaks version {message.get('version')} of the protocol and this package version"
                f" {VERSION}. Use the package that came with the cluster's optimus-am.jar."
            )
        return Welcome(
            message["task"],
            message["seed"],
            message["mode"] == "synchronous",
            message.get("communication", "parameter-server"),
            message.get("adaptive", False),
        )
    raise OptimusError(
        f"The worker sent a message of the unknown type {kind!r}. Use the package that came with the cluster's"
        " optimus-am.jar."
    )


def _begin(message: dict[str, Any]) -> Begin:
    workers, batch, accumulate = message["workers"], message["batch"], message.get("accumulate", 0)
    if batch < workers * (accumulate + 1):
        raise OptimusError(
            f"A batch of {batch} samples cannot be divided among {workers} workers that compute it in"
            f" {accumulate + 1} parts: each part needs a sample. Raise the batch size, or lower the job's largest number"
            " of workers."
        )
    rendezvous = message.get("rendezvous") or {}
    return Begin(
        membership=message["membership"],
        step=message["step"],
        position=message["from"],
        end_step=message.get("endStep", -1),
        rank=message["rank"],
        workers=workers,
        batch=batch,
        accumulate=accumulate,
        host=rendezvous.get("host", ""),
        port=rendezvous.get("port", 0),
        source=message.get("source", 0),
        receivers=tuple(message.get("receivers", ())),
        load=message.get("load", False),
    )
