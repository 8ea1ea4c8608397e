"""The noise of the gradient, from which an adaptive job chooses its batch and its learning rate.

McCandlish et al. 2018, "An Empirical Model of Large-Batch Training", appendix A.1: the squared norm of a gradient over b
samples is |G|² + S/b on average, where G is the true gradient and S the trace of the covariance of one sample's
gradient. n gradients g_i over b_i samples each, with mean g over B = Σ b_i samples, therefore give the estimates
S = B/(n − 1) · (Σ (b_i/B)·|g_i|² − |g|²) and |G|² = |g|² − S/B, which are unbiased.
Example: two gradients of 4 samples, (3, 0) and (1, 0): the mean of squares is 5, |g|² is 4, so S = 8 and |G|² = 3.
"""

from __future__ import annotations

import math
from typing import Any, Optional

import torch

# The noise changes over hundreds of steps, and one step's estimate has errors of its own size.
_SMOOTHING = 0.98


def estimate(weighted_squares: float, square_of_mean: float, gradients: int, batch: int) -> tuple[float, float]:
    """Returns |G|² and S of one step, from Σ (b_i/B)·|g_i|² and |g|². Either may be negative by chance."""
    trace = batch / (gradients - 1) * (weighted_squares - square_of_mean)
    return square_of_mean - trace / batch, trace


class GradientNoise:
    """Both estimates, smoothed exponentially, each corrected for its start at zero."""

    def __init__(self, initial_batch: int) -> None:
        self._initial_batch = initial_batch
        self._squared_norm = 0.0
        self._trace = 0.0
        self._weight = 0.0

    def add(self, weighted_squares: float, square_of_mean: float, gradients: int, batch: int) -> None:
        """Takes the gradients of one step. Numbers that are not finite are left out, as loss scaling makes some."""
        if not (math.isfinite(weighted_squares) and math.isfinite(square_of_mean)):
            return
        squared_norm, trace = estimate(weighted_squares, square_of_mean, gradients, batch)
        self._squared_norm = _SMOOTHING * self._squared_norm + (1 - _SMOOTHING) * squared_norm
        self._trace = _SMOOTHING * self._trace + (1 - _SMOOTHING) * trace
        self._weight = _SMOOTHING * self._weight + 1 - _SMOOTHING

    def to_message(self) -> Optional[dict[str, float]]:
        """Returns |G|², and the variance of the gradient of an initial batch; None before the first estimate."""
        if self._weight == 0:
            return None
        return {
            "squaredNorm": max(0.0, self._squared_norm / self._weight),
            "variance": max(0.0, self._trace / self._weight / self._initial_batch),
        }

    def gain(self, batch: int) -> float:
        """Returns how many steps of the initial batch one step is worth: AdaScale's gain (Johnson et al. 2020), eq. 4."""
        known = self.to_message()
        if known is None:
            return 1.0
        denominator = known["variance"] * self._initial_batch / batch + known["squaredNorm"]
        return (known["variance"] + known["squaredNorm"]) / denominator if denominator > 0 else 1.0

    def state(self) -> list[float]:
        return [self._squared_norm, self._trace, self._weight]

    def load(self, state: list[float]) -> None:
        self._squared_norm, self._trace, self._weight = state


# Their steps do not depend on the gradient's size, so that the rate follows the deviation of the gradient's mean.
_NORMALIZING = ("Adam", "AdamW", "Adamax", "NAdam", "RAdam", "Adagrad", "RMSprop", "Adadelta", "SparseAdam")


def rate_factor(optimizer: torch.optim.Optimizer, noise: GradientNoise, batch: int, initial_batch: int) -> float:
    """Returns the factor of the learning rate at a batch: AdaScale's gain, or the square root of the batch's ratio."""
    if batch == initial_batch:
        return 1.0
    if any(kind.__name__ in _NORMALIZING for kind in type(optimizer).__mro__):
        return math.sqrt(batch / initial_batch)
    return noise.gain(batch)


class ScaledRates:
    """Multiplies the learning rates while one step is made; schedules see the owner's rates before and after."""

    def __init__(self, optimizer: torch.optim.Optimizer, factor: float) -> None:
        self._groups: list[dict[str, Any]] = optimizer.param_groups
        self._factor = factor

    def __enter__(self) -> None:
        self._rates = [
            group["lr"].clone() if isinstance(group["lr"], torch.Tensor) else group["lr"] for group in self._groups
        ]
        for group in self._groups:
            self._set(group, group["lr"] * self._factor)

    def __exit__(self, *error: object) -> None:
        for group, rate in zip(self._groups, self._rates):
            self._set(group, rate)

    @staticmethod
    def _set(group: dict[str, Any], rate: Any) -> None:
        if isinstance(group["lr"], torch.Tensor):
            group["lr"].copy_(rate)
        else:
            group["lr"] = rate
