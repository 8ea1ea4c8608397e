"""The order of samples, which depends on the seed and not on who trains."""

from __future__ import annotations

from typing import Any, Callable, Optional

from . import seeds

# Purposes of seeds, so that the order of samples, samples and steps draw different numbers.
_ORDER, _SAMPLE, _STEP = 1, 2, 3


def order_seed(seed: int, epoch: int) -> int:
    """Returns the seed of an epoch's permutation, 63 bits."""
    return seeds.mix(seed, _ORDER, epoch) >> 1


def sample_seed(seed: int, position: int) -> int:
    """Returns the seed of the random numbers that reading the sample at a position may draw, 63 bits."""
    return seeds.mix(seed, _SAMPLE, position) >> 1


def step_seed(seed: int, step: int, rank: int) -> int:
    """Returns the seed of the random numbers that a worker's part of a step may draw, 63 bits."""
    return seeds.mix(seed, _STEP, step, rank) >> 1


class SampleOrder:
    """The endless sequence of the samples of all epochs: position p is sample permutation(p div n)[p mod n].

    Example: 10 samples, batch 4: step 2 takes positions 8 to 11, the last two of epoch 0 and the first two of epoch 1.
    ``permutation(epoch)`` returns a tensor or an array; without it, samples come in their own order.
    """

    def __init__(self, samples: int, permutation: Optional[Callable[[int], Any]]) -> None:
        self.samples = samples
        self._permutation = permutation
        self._epoch = -1
        self._latest: Any = None

    def take(self, position: int, count: int) -> list[int]:
        """Returns the samples at ``count`` positions from ``position`` on."""
        taken: list[int] = []
        while len(taken) < count:
            epoch, start = divmod(position + len(taken), self.samples)
            stop = min(self.samples, start + count - len(taken))
            taken += self._of(epoch)[start:stop].tolist() if self._permutation else range(start, stop)
        return taken

    def _of(self, epoch: int) -> Any:
        assert self._permutation is not None
        if self._epoch != epoch:
            self._latest = self._permutation(epoch)
            self._epoch = epoch
        return self._latest
