"""When the learning rate falls, so that the loss curve bends: the scheduler predicts better if it knows this before."""

from __future__ import annotations

import math
import time
from typing import Any, Optional, Sequence

from .connection import Connection
from .errors import OptimusError
from .messages import Step

# A rate that falls to this part of itself between two steps bends the curve; a smooth decay does not.
FALL = 0.5
MOST = 100
# How long the schedules may be tried out in advance. Falls that were not found are noticed when they happen.
SECONDS_AHEAD = 1.0


class Bends:
    """The epochs at which the learning rate falls: given by the owner, foreseen from the schedules, or noticed."""

    def __init__(self, given: Optional[Sequence[float]]) -> None:
        self._given = given is not None
        self.epochs: list[float] = [float(epoch) for epoch in given or ()]
        if len(self.epochs) > MOST or any(
            not before < epoch < math.inf for before, epoch in zip([0.0, *self.epochs], self.epochs)
        ):
            raise OptimusError(
                f"bends={given} must be at most {MOST} epochs above 0, rising: those at which the learning rate falls."
            )
        self._told = list(self.epochs)
        self._foreseen = self._given
        self._before: Optional[tuple[Step, float]] = None

    def foresee(self, schedules: Any, step: Step, samples: int, epochs: int) -> None:
        """Tries out copies of the schedules once it is known how often the program calls them."""
        if self._foreseen or not schedules.knows_calls():
            return
        self._foreseen = True
        ahead = schedules.copies()
        if ahead is None:
            return
        end = time.monotonic() + SECONDS_AHEAD
        start, rate = step.batch_start, ahead.rate()
        while time.monotonic() < end:
            epoch = start // samples
            # Where nothing is called after an ordinary step, the next change is at the first step of the next epoch.
            steps = 1 if ahead.called_each_step else -(-((epoch + 1) * samples - start) // step.batch)
            start += steps * step.batch
            ended_epoch = start // samples != epoch
            if start >= samples * epochs or not ahead.call(ended_epoch):
                break
            before, rate = rate, ahead.rate()
            self._compare(before, rate, start, ended_epoch, samples)

    def notice(self, step: Step, rate: float, samples: int) -> None:
        """Compares the rate of a step with that of the step before."""
        before, self._before = self._before, (step, rate)
        if not self._given and before is not None:
            first = before[0].epoch(samples) != step.epoch(samples)
            self._compare(before[1], rate, step.batch_start, first, samples)

    def _compare(self, before: float, rate: float, start: int, first_of_epoch: bool, samples: int) -> None:
        # Half a sample less, so that rounding does not make it the step after.
        epoch = float(start // samples) if first_of_epoch else round((start - 0.5) / samples, 6)
        if rate <= FALL * before and epoch > 0 and epoch not in self.epochs and len(self.epochs) < MOST:
            self.epochs = sorted([*self.epochs, epoch])

    def take_over(self, epochs: list[float]) -> None:
        """Takes over what other workers know."""
        self.epochs = sorted({*self.epochs, *epochs})[:MOST]
        self._before = None
        self._foreseen = True

    def tell(self, connection: Connection, step: Step, samples: int) -> None:
        """Has the first worker report all epochs if some are new."""
        if step.rank == 0 and self.epochs != self._told:
            self._told = list(self.epochs)
            connection.send({"type": "report", "epoch": step.epoch(samples), "values": {}, "bends": self._told})
