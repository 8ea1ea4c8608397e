"""Iterable data sets: each worker reads the whole stream and keeps its parts."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Optional

from torch.utils import data

from . import seeds
from .errors import OptimusError
from .messages import Step
from .samples import order_seed, sample_seed


class StreamBatches(data.IterableDataset):
    """Yields this worker's part of each step, as the positions of the endless sequence of all epochs say.

    Position p is sample p mod n of pass p div n over the stream, where n samples are an epoch. A longer stream is cut
    there, and a shorter one begins again. Random numbers are seeded before each sample is read, also before those
    that are skipped, so that all workers read the same stream.

    Example: n = 10, batch 4, two workers. In step 2, positions 8 to 11, rank 0 keeps samples 8 and 9 of pass 0, and rank 1
    reads and skips these, begins pass 1, and keeps its samples 0 and 1.
    """

    def __init__(self, dataset: Any, samples: int, collate: Callable[[list[Any]], Any], seed: int) -> None:
        self.own = dataset
        self._samples = samples
        self._collate = collate
        self._seed = seed
        self.within_epoch = True
        self.start: Optional[Step] = None
        self._pass: Optional[int] = None
        self._read = 0
        self._stream: Iterator[Any] = iter(())

    def __iter__(self) -> Iterator[Any]:
        step = self.start
        assert step is not None
        epoch = step.epoch(self._samples)
        while not self.within_epoch or step.epoch(self._samples) == epoch:
            yield self._collate([self._sample(step.position + offset) for offset in range(step.count)])
            step = step.following()

    def _sample(self, position: int) -> Any:
        number, index = divmod(position, self._samples)
        if self._pass != number or self._read > index:
            self._open(number)
        while self._read < index:
            self._next()
        return self._next()

    def _open(self, number: int) -> None:
        set_epoch = getattr(self.own, "set_epoch", None)
        if set_epoch is not None:
            set_epoch(number)
        seeds.seed_sample(order_seed(self._seed, number))
        self._stream = iter(self.own)
        self._pass, self._read = number, 0

    def _next(self) -> Any:
        assert self._pass is not None
        seeds.seed_sample(sample_seed(self._seed, self._pass * self._samples + self._read))
        try:
            sample = next(self._stream)
        except StopIteration:
            self._stream = iter(self.own)
            try:
                sample = next(self._stream)
            except StopIteration:
                raise OptimusError(
                    f"The iterable data set {type(self.own).__name__} yields no sample. It must yield the same"
                    " samples each time that iter() is called on it."
                ) from None
        self._read += 1
        return sample


def samples_of(dataset: Any, samples_per_epoch: Optional[int]) -> int:
    """Returns the length of an epoch of an iterable data set."""
    if samples_per_epoch is not None:
        if samples_per_epoch < 1:
            raise OptimusError(f"samples_per_epoch={samples_per_epoch} trains nothing. Give it at least 1.")
        return samples_per_epoch
    try:
        return len(dataset)
    except TypeError:
        raise OptimusError(
            f"The data set {type(dataset).__name__} is iterable and has no length, so the job cannot know where an epoch"
            " ends. Call job.prepare(model, opt, loader, samples_per_epoch=N) with the number of its samples."
        ) from None
