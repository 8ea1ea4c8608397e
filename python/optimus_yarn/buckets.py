"""Adds the gradients of all workers up in buckets, while the backward pass still computes others.

As in PyTorch's DistributedDataParallel (Li et al. 2020, "PyTorch Distributed", section 3.2): parameters fill buckets in
reverse order, since backward reaches the last layers first; a bucket's all-reduce starts when its gradients are there,
and those before it have started, so that all workers start them in the same order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable, Optional, Protocol, Sequence

import torch

from .errors import OptimusError
from .gradient_hooks import after_gradient
from .transfers import dense, is_same

# The sizes of DistributedDataParallel: a small first bucket starts the transfer early, and larger ones cost few calls.
_FIRST_BUCKET_BYTES = 1 << 20
_BUCKET_BYTES = 25 << 20


class Reducer(Protocol):
    """What adds a tensor's values up over all workers."""

    def all_reduce(self, values: torch.Tensor) -> Callable[[], None]:
        """Starts to add up in place, and returns what waits for the end."""


@dataclass
class _Bucket:
    dtype: torch.dtype
    device: torch.device
    parameters: list[int] = field(default_factory=list)
    floats: int = 0
    flat: torch.Tensor = field(default_factory=lambda: torch.empty(0))
    missing: int = 0

    @property
    def gradients(self) -> torch.Tensor:
        return self.flat[: self.floats]


class Buckets:
    """The gradients of some parameters, and ``extra`` numbers that travel behind them in the last bucket.

    Gradients of less than 32 bits are added up in float32. After ``complete`` the parameters' gradients are views of the
    buckets. A parameter that got no gradient on a worker adds zeros, and has a zero gradient afterwards. Squared norms
    are computed with ``measure`` only.
    """

    def __init__(self, parameters: Sequence[torch.nn.Parameter], extra: int, measure: bool) -> None:
        self._parameters = list(parameters)
        self._measure = measure
        self._buckets = self._plan()
        self._views: list[torch.Tensor] = [torch.empty(0)] * len(self._parameters)
        self._bucket_of = [0] * len(self._parameters)
        self._allocate(extra)
        # Whether the buckets hold the sum of this step's earlier parts.
        self._holds_parts = False
        self._reducer: Optional[Reducer] = None
        self._weight = 1.0
        self._waits: list[Callable[[], None]] = []
        self._placed: set[int] = set()
        self._squares: list[float] = []
        # A parameter that the program has frozen since then gets no gradient.
        self._hooks = [
            after_gradient(each, self._hook(index)) for index, each in enumerate(self._parameters) if each.requires_grad
        ]

    def remove(self) -> None:
        """Has the backward pass go on without buckets."""
        for hook in self._hooks:
            hook.remove()

    def _plan(self) -> list[_Bucket]:
        buckets: list[_Bucket] = []
        for index in reversed(range(len(self._parameters))):
            parameter = self._parameters[index]
            dtype = torch.float64 if parameter.dtype == torch.float64 else torch.float32
            limit = _BUCKET_BYTES if len(buckets) > 1 else _FIRST_BUCKET_BYTES
            last = buckets[-1] if buckets else None
            if (
                last is None
                or (last.dtype, last.device) != (dtype, parameter.device)
                or (last.floats + parameter.numel()) * (8 if dtype == torch.float64 else 4) > limit
            ):
                last = _Bucket(dtype, parameter.device)
                buckets.append(last)
            last.parameters.append(index)
            last.floats += parameter.numel()
        return buckets

    def _allocate(self, extra: int) -> None:
        for number, bucket in enumerate(self._buckets):
            more = extra if bucket is self._buckets[-1] else 0
            bucket.flat = torch.zeros(bucket.floats + more, dtype=bucket.dtype, device=bucket.device)
            offset = 0
            for index in bucket.parameters:
                parameter = self._parameters[index]
                place = bucket.flat[offset : offset + parameter.numel()]
                if parameter.dim() == 4 and parameter.is_contiguous(memory_format=torch.channels_last):
                    # Optimizers are slow where gradients lie in another order than their parameters.
                    self._views[index] = place.as_strided(parameter.size(), parameter.stride())
                else:
                    self._views[index] = place.view(parameter.shape)
                self._bucket_of[index] = number
                offset += parameter.numel()
        self.extra = self._buckets[-1].flat[self._buckets[-1].floats :]

    def keep_part(self) -> None:
        """Moves the gradients of one part of a step into the buckets, so that the loop may clear them."""
        with torch.no_grad():
            for parameter, view in zip(self._parameters, self._views):
                if parameter.grad is None:
                    if not self._holds_parts:
                        view.zero_()
                elif self._holds_parts:
                    view.add_(dense(parameter.grad))
                elif not is_same(parameter.grad, view):
                    view.copy_(dense(parameter.grad))
                # The gradient stays a tensor, which clipping and loss scaling look at.
                parameter.grad = torch.zeros_like(parameter)
        self._holds_parts = True

    def add_parts(self) -> float:
        """Completes the step of a lone worker: adds the parts before to the last. Returns the sum's squared norm.

        A loop that calls backward several times completes the step as often; the parts before are in its gradients then.
        """
        with torch.no_grad():
            for parameter, view in zip(self._parameters, self._views):
                if parameter.grad is not None and self._holds_parts:
                    view.add_(dense(parameter.grad))
                elif parameter.grad is not None and not is_same(parameter.grad, view):
                    view.copy_(dense(parameter.grad))
                self._give(parameter, view)
            self._holds_parts = False
            return sum(self._square(bucket) for bucket in self._buckets)

    def square_of_part(self) -> float:
        """Returns the squared norm of the gradients that the parameters have now."""
        found = [each.grad for each in self._parameters if each.grad is not None]
        return float(sum(float(torch.sum(dense(each).float() ** 2)) for each in found))

    def forget_parts(self) -> None:
        """Drops the gradients of the parts of a step that is not completed."""
        self._holds_parts = False

    def start(self, reducer: Reducer, weight: float) -> None:
        """Has the backward pass that follows reduce its gradients, multiplied by this worker's weight."""
        self._reducer = reducer
        self._weight = weight
        self._waits, self._squares = [], []
        self._placed.clear()
        self._next = 0
        for bucket in self._buckets:
            bucket.missing = len(bucket.parameters)

    def stop(self) -> None:
        """Ends the reduction where it failed, or where the backward pass did."""
        self._reducer = None
        self._waits = []

    def complete(self, fill_extra: Callable[[torch.Tensor, float], None]) -> float:
        """Waits for the sums. ``fill_extra`` writes the extra numbers, given the squared norm of the weighted gradient.

        Returns the squared norm of the sum. The sums are the parameters' gradients then.
        """
        reducer = self._reducer
        assert reducer is not None
        with torch.no_grad():
            for index, parameter in enumerate(self._parameters):
                if index not in self._placed:
                    self._place(index, parameter.grad)
            self._launch(reducer, len(self._buckets) - 1)
            self._squares.append(self._square(self._buckets[-1]))
            fill_extra(self.extra, sum(self._squares))
            self._waits.append(reducer.all_reduce(self._buckets[-1].flat))
            for wait in self._waits:
                wait()
            self.stop()
            self._holds_parts = False
            for parameter, view in zip(self._parameters, self._views):
                self._give(parameter, view)
            return sum(self._square(bucket) for bucket in self._buckets)

    @staticmethod
    def _give(parameter: torch.nn.Parameter, view: torch.Tensor) -> None:
        parameter.grad = view if view.dtype == parameter.dtype else view.to(parameter.dtype)

    def _hook(self, index: int) -> Callable[[], None]:
        parameter = self._parameters[index]

        def ready() -> None:
            if self._reducer is None:
                return
            if index in self._placed:
                raise OptimusError(
                    f"A parameter of shape {tuple(parameter.shape)} got its gradient twice in one backward pass, after"
                    " its first gradient was sent. Give torch.utils.checkpoint.checkpoint use_reentrant=False."
                )
            with torch.no_grad():
                self._place(index, parameter.grad)
                # The last bucket also carries the extra numbers, which are known after the backward pass.
                self._launch(self._reducer, len(self._buckets) - 1)

        return ready

    def _place(self, index: int, gradient: Optional[torch.Tensor]) -> None:
        """Writes a parameter's weighted gradient into its bucket."""
        view = self._views[index]
        if self._holds_parts:
            if gradient is not None:
                view.add_(dense(gradient))
            view.mul_(self._weight)
        elif gradient is None:
            view.zero_()
        elif is_same(gradient, view):
            view.mul_(self._weight)
        elif gradient.dtype == view.dtype and not gradient.is_sparse:
            torch.mul(gradient, self._weight, out=view)
        else:
            view.copy_(dense(gradient)).mul_(self._weight)
        self._placed.add(index)
        self._buckets[self._bucket_of[index]].missing -= 1

    def _square(self, bucket: _Bucket) -> float:
        # torch.dot loses three digits in some builds.
        return float(torch.linalg.vector_norm(bucket.gradients)) ** 2 if self._measure else 0.0

    def _launch(self, reducer: Reducer, limit: int) -> None:
        """Starts the buckets that are complete, in order."""
        while self._next < limit and self._buckets[self._next].missing == 0:
            bucket = self._buckets[self._next]
            self._squares.append(self._square(bucket))
            self._waits.append(reducer.all_reduce(bucket.flat))
            self._next += 1
