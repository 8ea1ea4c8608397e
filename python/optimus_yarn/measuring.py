"""What a job that adapts its batch learns from the steps of one process: the gradient's noise, and how long parts take."""

from __future__ import annotations

import time
from typing import Any, Optional

import torch

from .messages import GroupStep
from .noise import GradientNoise


class StepMeasurement:
    """Measures the steps of one process; ``begin_step`` comes first in each, ``to_message`` last."""

    def __init__(self, noise: GradientNoise, device: torch.device) -> None:
        """``device`` is the one that computes; times are read when it has done what it was given."""
        self._noise = noise
        self._device = device
        # When the last part ended; None where something else than training came after it.
        self._ended: Optional[float] = None
        self._backward_ended = 0.0
        self.begin_step()

    def begin_step(self) -> None:
        self._weighted_squares = 0.0
        self._square_of_mean = 0.0
        self._gradients = 0
        self._part_seconds: list[float] = []

    def pause(self) -> None:
        """What comes next, such as an evaluation, is no part of a step."""
        self._ended = None

    def backward_ended(self) -> None:
        self._backward_ended = self._now()

    def _now(self) -> float:
        if self._device.type == "cuda":
            # Reductions run on a stream of their own and are not waited for.
            torch.cuda.current_stream(self._device).synchronize()
        return time.perf_counter()

    def part_ended(self) -> None:
        """A part that is not the last of its step has ended."""
        now = self._now()
        if self._ended is not None:
            self._part_seconds.append(now - self._ended)
        self._ended = now

    def add_part(self, square: float, fraction: float) -> None:
        """Takes the squared norm of one part's gradient; the part is this fraction of the samples, as the gradient is."""
        self._weighted_squares += square / fraction
        self._gradients += 1

    def add_parts(self, square_of_mean: float) -> None:
        """Takes the squared norm of the mean gradient of all parts that were added."""
        self._square_of_mean = square_of_mean

    def add_workers(self, weighted_squares: float, square_of_mean: float, workers: int) -> None:
        """Takes the squared norms of the workers' gradients, weighted by their samples, and of the mean gradient."""
        self._weighted_squares += weighted_squares
        self._square_of_mean = square_of_mean
        self._gradients += workers

    def add_to_noise(self, gradients: int, scale: float, batch: int) -> None:
        """Ends the step's gradients, which are multiplied by ``scale``.

        ``gradients`` is how many there are to be: where a program reduces several times in a step, the later ones hold the
        mean of the earlier, and nothing is learned.
        """
        if gradients < 2 or self._gradients != gradients:
            return
        divisor = scale**2
        self._noise.add(self._weighted_squares / divisor, self._square_of_mean / divisor, gradients, batch)

    def to_message(self, step: GroupStep) -> dict[str, Any]:
        """Ends the step. Returns the fields that tell of it."""
        message: dict[str, Any] = {"atomic": -(-step.whole_count // step.parts)}
        noise = self._noise.to_message()
        if noise is not None:
            message["noise"] = noise
        now = self._now()
        if self._ended is not None:
            # Computing alone: a part that is not reduced, or this one up to the end of its backward pass.
            computed = self._part_seconds or [self._backward_ended - self._ended]
            message["gradSeconds"] = sum(computed) / len(computed)
            message["syncSeconds"] = now - self._ended
        self._ended = now
        return message
