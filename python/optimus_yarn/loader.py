"""A data loader whose batches are this worker's part of each step."""

from __future__ import annotations

import contextlib
import logging
from typing import Any, Callable, Iterator, Optional, Union

import torch
from torch.utils import data
from torch.utils.data import default_collate

from . import seeds
from .cycle import StepCycle
from .errors import OptimusError
from .messages import Step
from .samples import SampleOrder, order_seed, sample_seed, step_seed
from .streams import StreamBatches, samples_of

_log = logging.getLogger("optimus_yarn")


def shuffle_of(samples: int, seed: int) -> Callable[[int], torch.Tensor]:
    """Returns the permutation of each epoch."""

    def permutation(epoch: int) -> torch.Tensor:
        generator = torch.Generator().manual_seed(order_seed(seed, epoch))
        # The program may have set another default device.
        return torch.randperm(samples, generator=generator, device="cpu")

    return permutation


class SeededSamples(data.Dataset):
    """A data set whose random numbers depend on the seed and a sample's position, not on who reads it."""

    def __init__(self, dataset: Any, seed: int) -> None:
        self.own = dataset
        self._seed = seed

    def __getitem__(self, place: tuple[int, int]) -> Any:
        index, position = place
        seeds.seed_sample(sample_seed(self._seed, position))
        return self.own[index]


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
        step = self.start
        assert step is not None
        epoch = step.epoch(self._order.samples)
        while not self._within_epoch or step.epoch(self._order.samples) == epoch:
            indices = self._order.take(step.position, step.count)
            if self._with_positions:
                yield [(index, step.position + offset) for offset, index in enumerate(indices)]
            else:
                yield indices
            step = step.following()


class PartLoader:
    """Yields this worker's part of each step of the current epoch.

    Worker processes read batches ahead. What they have read is dropped where a resize changes the next batch.
    """

    def __init__(
        self, loader: data.DataLoader, cycle: StepCycle, seed: int, samples_per_epoch: Optional[int] = None
    ) -> None:
        self.samples = _check(loader, samples_per_epoch)
        self.dataset = loader.dataset
        self.batch_size: int = loader.batch_size  # type: ignore[assignment]
        self.epoch: Optional[int] = None
        self._cycle = cycle
        self._seed = seed
        # Reading may go on from one epoch to the next where the owner asked for persistent worker processes. Without
        # them a data set may change from epoch to epoch in the main process.
        self._keeps_reading = loader.persistent_workers
        self._deterministic = _has_no_randomness(loader.dataset) and loader.collate_fn is default_collate
        self._ahead: Union[BatchesAhead, StreamBatches]
        if isinstance(loader.dataset, data.IterableDataset):
            self._batches = self._stream_loader(loader)
        else:
            self._batches = self._sample_loader(loader)
        self._reading: Optional[Iterator[Any]] = None
        self._expected: Optional[tuple[int, ...]] = None
        self._read_batch: Optional[tuple[Step, Any]] = None

    def _sample_loader(self, loader: data.DataLoader) -> data.DataLoader:
        shuffled = _is_shuffled(loader)
        deterministic = self._deterministic
        self._ahead = BatchesAhead(
            SampleOrder(self.samples, shuffle_of(self.samples, self._seed) if shuffled else None),
            with_positions=not deterministic,
            within_epoch=not self._keeps_reading,
        )
        options = _options(loader)
        if loader.num_workers > 0:
            options["persistent_workers"] = loader.persistent_workers
        return data.DataLoader(
            loader.dataset if deterministic else SeededSamples(loader.dataset, self._seed),
            batch_sampler=self._ahead,
            num_workers=loader.num_workers,
            collate_fn=loader.collate_fn,
            **options,
        )

    def _stream_loader(self, loader: data.DataLoader) -> data.DataLoader:
        if loader.num_workers > 1:
            _log.warning(
                "The iterable data set %s is read by one process and not by num_workers=%d, because the order of its"
                " samples must not depend on the number of processes.",
                type(loader.dataset).__name__,
                loader.num_workers,
            )
        self._ahead = StreamBatches(loader.dataset, self.samples, loader.collate_fn, self._seed)
        self._ahead.within_epoch = not self._keeps_reading
        return data.DataLoader(
            self._ahead,
            batch_size=None,
            num_workers=min(1, loader.num_workers),
            collate_fn=_as_it_is,
            **_options(loader),
        )

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
            seeds.seed_all(step_seed(self._seed, step.step, step.rank) + step.seed_of_part)
            self._cycle.hand_out()
            yield batch
        if not self._keeps_reading:
            self._reading = self._expected = None

    def read_ahead(self, step: Step) -> None:
        """Reads the batch that follows ``step``, while the servers make the update or a GPU computes.

        Worker processes of the loader read ahead by themselves. Nothing is read over the end of an epoch, since the
        program may change its data set there. The program's random numbers in this step do not depend on it.
        """
        following = step.following()
        reads_samples = isinstance(self._ahead, BatchesAhead) and self._batches.num_workers == 0
        if not reads_samples or following.epoch(self.samples) != step.epoch(self.samples):
            return
        try:
            with contextlib.nullcontext() if self._deterministic else seeds.kept():
                self._read_batch = (following, self._read(following))
        except Exception:
            # The loop reads it again, so that the error comes from there.
            self._reading = self._read_batch = None

    def _read(self, step: Step) -> Any:
        ahead, self._read_batch = self._read_batch, None
        if ahead is not None and _place(ahead[0]) == _place(step):
            return ahead[1]
        if self._reading is None or self._expected != step.samples_from_here:
            self._ahead.start = step
            if not self._batches.persistent_workers:
                self._reading = None  # ends the worker processes before new ones start
            # A DataLoader draws its seed when iteration begins, on the default device of that moment.
            generator = torch.Generator(torch.empty(()).device)
            self._batches.generator = generator.manual_seed(sample_seed(self._seed, step.position))
            self._reading = iter(self._batches)
        self._expected = step.following().samples_from_here
        return next(self._reading)


def _as_it_is(batch: Any) -> Any:
    """The owner's collate_fn has made the batch."""
    return batch


class _InitWorker:
    """Calls the owner's worker_init_fn, which sees the owner's data set in ``get_worker_info()``."""

    def __init__(self, own: Optional[Callable[[int], None]]) -> None:
        self._own = own

    def __call__(self, number: int) -> None:
        info = data.get_worker_info()
        if isinstance(info.dataset, (SeededSamples, StreamBatches)):
            object.__setattr__(info, "dataset", info.dataset.own)  # it refuses to be changed itself
        if self._own is not None:
            self._own(number)


def _place(step: Step) -> tuple[int, int, int]:
    """Equal for steps that have the same samples."""
    return step.position, step.count, step.batch


def _options(loader: data.DataLoader) -> dict[str, Any]:
    """Returns the settings of the owner's loader that do not change which samples come."""
    options: dict[str, Any] = {
        "pin_memory": loader.pin_memory,
        "timeout": loader.timeout,
        "worker_init_fn": _InitWorker(loader.worker_init_fn),
    }
    if loader.num_workers > 0:
        options["prefetch_factor"] = loader.prefetch_factor
        options["multiprocessing_context"] = loader.multiprocessing_context
    if getattr(loader, "pin_memory_device", ""):
        options["pin_memory_device"] = loader.pin_memory_device
    return options


def _check(loader: data.DataLoader, samples_per_epoch: Optional[int]) -> int:
    """Refuses loaders that cannot be divided. Returns the number of samples of an epoch."""
    if not isinstance(loader, data.DataLoader):
        raise OptimusError(
            f"job.prepare takes a torch.utils.data.DataLoader as its third value, got {type(loader).__name__}."
        )
    if loader.batch_size is None or type(loader.batch_sampler) is not data.BatchSampler:
        raise OptimusError(
            "The loader has its own batch_sampler or batch_size=None, but the job decides which samples make a batch."
            " Give the DataLoader a batch_size, the size of the whole batch of all workers."
        )
    if isinstance(loader.dataset, data.IterableDataset):
        return samples_of(loader.dataset, samples_per_epoch)
    if samples_per_epoch is not None:
        raise OptimusError(
            f"samples_per_epoch={samples_per_epoch} is for iterable data sets, and {type(loader.dataset).__name__} has"
            " a length. Leave it out; for shorter epochs give a Subset."
        )
    samples = len(loader.dataset)  # type: ignore[arg-type]
    if samples < 1:
        raise OptimusError("The loader's data set has no samples. Training needs at least one.")
    batch = loader.batch_size
    if batch > samples:
        _log.warning(
            "The batch of %d samples is larger than the data set of %d. Batches go on over the end of an epoch, so some"
            " epochs have no step and do not come. Give the loader a batch_size of at most %d.",
            batch,
            samples,
            samples,
        )
    elif loader.drop_last and samples % batch:
        _log.warning(
            "drop_last has no effect, because batches go on over the end of an epoch: n epochs have n * %d / %d steps, and"
            " not n * %d. Make a schedule of steps for these, rounded up.",
            samples,
            batch,
            samples // batch,
        )
    return samples


def _is_shuffled(loader: data.DataLoader) -> bool:
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
