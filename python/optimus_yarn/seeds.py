"""Seeds for the random numbers of a job, a step and a sample."""

from __future__ import annotations

import contextlib
import random
import sys
from typing import Iterator

_MASK = (1 << 64) - 1


def mix(*values: int) -> int:
    """Returns 64 well mixed bits of some integers (the finalizer of SplitMix64, Steele et al. 2014)."""
    mixed = 0
    for value in values:
        mixed = (mixed + value + 0x9E3779B97F4A7C15) & _MASK
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
        mixed ^= mixed >> 31
    return mixed


def seed_all(seed: int) -> None:
    """Seeds Python's random numbers, and those of numpy and torch where the program has imported them."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None and hasattr(numpy, "random"):
        numpy.random.seed(seed & 0xFFFFFFFF)
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "default_generator"):
        # torch.manual_seed does the same and costs 0.1 to 0.3 ms, as much as a tenth of a small model's step.
        torch.default_generator.manual_seed(seed)
        if torch.cuda.is_initialized():
            torch.cuda.manual_seed_all(seed)


def seed_start(seed: int) -> None:
    """Seeds all random numbers, also those of GPUs that the program has not used yet."""
    seed_all(seed)
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "cuda"):
        torch.cuda.manual_seed_all(seed)


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Gives the random numbers of the CPU their state of before back, whatever reads samples meanwhile."""
    numpy, generator = sys.modules.get("numpy"), sys.modules["torch"].default_generator
    states = random.getstate(), numpy.random.get_state() if numpy is not None else None, generator.get_state()
    try:
        yield
    finally:
        random.setstate(states[0])
        if numpy is not None and states[1] is not None:
            numpy.random.set_state(states[1])
        generator.set_state(states[2])


def seed_sample(seed: int) -> None:
    """Seeds what a data set may use for one sample. Data sets work on the CPU, also in processes of their own."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed & 0xFFFFFFFF)
    sys.modules["torch"].default_generator.manual_seed(seed)
