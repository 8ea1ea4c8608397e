"""A data loader whose batches are this worker's part of each step."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Optional

import torch
from torch.utils import data

from . import seeds
from .cycle import StepCycle
from .errors import OptimusError
from .messages import Step
from .samples import SampleOrder, order_seed, sample_seed, step_seed


def shuffle_of(samples: int, seed: int) -> Callable[[int], torch.Tensor]:
    """Returns the permutation of each epoch."""
    return lambda epoch: torch.randperm(samples, generator=torch.Generator().manual_seed(order_seed(seed, epoch)))


class SeededSamples(data.Dataset):
    """A data set whose random numbers depend on the seed and a sample's position, not on who reads it."""

    def __init__(self, dataset: Any, seed: int) -> None:
        self._dataset = dataset
        self._seed = seed

    def __getitem__(self, place: tuple[int, int]) -> Any:
        index, position = place
        seeds.seed_sample(sample_seed(self._seed, position))
        return self._dataset[index]


def _has_no_randomness(dataset: Any) -> bool:
    """Whether reading a sample draws no random numbers; seeding costs 15 to 40 µs a sample."""
    if type(dataset) is data.Subset:
        return _has_no_randomness(dataset.dataset)
    return type(dataset) is data.TensorDataset


class BatchesAhead(data.Sampler):
    """The batches that follow from a step on if nobody resizes the job."""

    def __init__(self, order: SampleOrder, with_positions: bool, within_epoch: bool) -> None:
        self._order = order
        self._with_positions = with_positions
        self._within_epoch = within_epoch
        self.start: Optional[Step] = None

    def __iter__(self) -> Iterator[list[Any]]:
        start = self.start
        assert start is not None
        epoch = start.epoch(self._order.samples)
        position = start.position
        while not self._within_epoch or (position - position % start.batch) // self._order.samples == epoch:
            indices = self._order.take(position, start.count)
            if self._with_positions:
                yield [(index, position + offset) for offset, index in enumerate(indices)]
            else:
                yield indices
            position += start.stride


class PartLoader:
    """Yields this worker's part of each step of the current epoch.

    Worker processes read batches ahead. What they have read is dropped where a resize changes the next batch.
    """

    def __init__(self, loader: data.DataLoader, cycle: StepCycle, seed: int) -> None:
        shuffled = _check(loader)
        self.dataset = loader.dataset
        self.batch_size: int = loader.batch_size  # type: ignore[assignment]
        self.samples = len(loader.dataset)  # type: ignore[arg-type]
        self.epoch: Optional[int] = None
        self._cycle = cycle
        self._seed = seed
        deterministic = _has_no_randomness(loader.dataset)
        self._ahead = BatchesAhead(
            SampleOrder(self.samples, shuffle_of(self.samples, seed) if shuffled else None),
            with_positions=not deterministic,
            # Without persistent worker processes a data set may change from epoch to epoch in the main process.
            within_epoch=not loader.persistent_workers,
        )
        options: dict[str, Any] = {}
        if loader.num_workers > 0:
            options["prefetch_factor"] = loader.prefetch_factor
            options["persistent_workers"] = loader.persistent_workers
            options["multiprocessing_context"] = loader.multiprocessing_context
        if getattr(loader, "pin_memory_device", ""):
            options["pin_memory_device"] = loader.pin_memory_device
        self._batches = data.DataLoader(
            loader.dataset if deterministic else SeededSamples(loader.dataset, seed),
            batch_sampler=self._ahead,
            num_workers=loader.num_workers,
            collate_fn=loader.collate_fn,
            pin_memory=loader.pin_memory,
            timeout=loader.timeout,
            worker_init_fn=loader.worker_init_fn,
            generator=torch.Generator().manual_seed(seed),
            **options,
        )
        self._reading: Optional[Iterator[Any]] = None
        self._expected: Optional[tuple[int, int, int]] = None

    def __len__(self) -> int:
        """Returns the number of steps of an epoch. Batches go on over its end, so an epoch may have one fewer."""
        return -(-self.samples // self.batch_size)

    def __iter__(self) -> Iterator[Any]:
        if self.epoch is None:
            raise OptimusError(
                "The prepared loader was used outside of `for epoch in job.epochs(n)`, or twice in one epoch. It yields"
                " each training batch once, on one of the workers. Make a DataLoader of its own for evaluation."
            )
        epoch, self.epoch = self.epoch, None
        return self._steps(epoch)

    def _steps(self, epoch: int) -> Iterator[Any]:
        while True:
            step = self._cycle.next_in(epoch)
            if step is None:
                break
            batch = self._read(step)
            seeds.seed_all(step_seed(self._seed, step.step, step.rank))
            self._cycle.hand_out()
            yield batch
        if not self._batches.persistent_workers:
            self._reading = self._expected = None

    def _read(self, step: Step) -> Any:
        if self._reading is None or self._expected != (step.position, step.count, step.batch):
            self._ahead.start = step
            if not self._batches.persistent_workers:
                self._reading = None  # ends the worker processes before new ones start
            self._reading = iter(self._batches)
        self._expected = (step.position + step.stride, step.count, step.batch)
        return next(self._reading)


def _check(loader: data.DataLoader) -> bool:
    """Refuses loaders that cannot be divided. Returns whether the loader shuffles."""
    if not isinstance(loader, data.DataLoader):
        raise OptimusError(
            f"job.prepare takes a torch.utils.data.DataLoader as its third value, got {type(loader).__name__}."
        )
    if isinstance(loader.dataset, data.IterableDataset):
        raise OptimusError(
            f"The data set {type(loader.dataset).__name__} is iterable and cannot be divided among workers yet. Use a"
            " data set with __getitem__ and __len__."
        )
    if loader.batch_size is None or type(loader.batch_sampler) is not data.BatchSampler:
        raise OptimusError(
            "The loader has its own batch_sampler or batch_size=None, but the job decides which samples make a batch."
            " Give the DataLoader a batch_size, the size of the whole batch of all workers."
        )
    if len(loader.dataset) < 1:  # type: ignore[arg-type]
        raise OptimusError("The loader's data set has no samples. Training needs at least one.")
    sampler = loader.sampler
    if type(sampler) is data.SequentialSampler:
        return False
    samples = len(loader.dataset)  # type: ignore[arg-type]
    if type(sampler) is data.RandomSampler and not sampler.replacement and sampler.num_samples == samples:
        return True
    raise OptimusError(
        f"The loader's sampler {type(sampler).__name__} chooses samples by its own rule, but the job divides each epoch"
        " so that every sample is taken once whatever the number of workers. Use shuffle=True or shuffle=False and no"
        " sampler; the job also does what a DistributedSampler is for."
    )
