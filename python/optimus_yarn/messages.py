"""What the worker tells the program: one class for each message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

from .errors import OptimusError

VERSION = 1


@dataclass(frozen=True)
class Welcome:
    """The first message: who this program is in its job."""

    task: str
    seed: int
    synchronous: bool


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
        return (self.position - self.position % self.batch) // samples


@dataclass(frozen=True)
class Finish:
    """Training is over, and the parameters are final."""


@dataclass(frozen=True)
class Leave:
    """The job does not need this worker any more."""

    reason: str


Work = Union[Step, Finish]


def alone_step(step: int, batch: int, end: int) -> Work:
    """Returns a step of a job with one worker, or the finish if the step would not start before position ``end``."""
    position = step * batch
    if position >= end:
        return Finish()
    return Step(step, position, batch, batch, rank=0, workers=1, batch=batch)


def parse(message: dict[str, Any]) -> Union[Welcome, Step, Finish, Leave]:
    """Returns the message of a worker as a value."""
    kind = message.get("type")
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
        return Welcome(message["task"], message["seed"], message["mode"] == "synchronous")
    raise OptimusError(
        f"The worker sent a message of the unknown type {kind!r}. Use the package that came with the cluster's"
        " optimus-am.jar."
    )
