"""Tells the worker of gradients that are complete while the backward pass still computes others.

The worker pushes the vector from its end to its beginning, as a backward pass reaches the last layers first.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

import torch

from .errors import OptimusError
from .gradient_hooks import after_gradient
from .tensors import TensorBlocks

# A megabyte: large enough that few messages are sent, and small enough that the first push starts early.
_BUCKET_FLOATS = 1 << 18


@dataclass
class _Bucket:
    """Parameters of one device whose places in the vector follow one another, from ``start`` on."""

    start: int = 0
    device: torch.device = torch.device("cpu")
    parameters: list[int] = field(default_factory=list)
    floats: int = 0
    missing: int = 0


class _Told:
    """A gradient as it was when the worker was told of it."""

    def __init__(self, gradient: Optional[torch.Tensor]) -> None:
        self._gradient = gradient
        self._version = 0 if gradient is None else gradient._version
        self._sum = _sum(gradient)

    def has_changed(self, now: Optional[torch.Tensor]) -> bool:
        """Whether another tensor is there now, or it was changed in a way that its version tells."""
        return now is not self._gradient or (now is not None and now._version != self._version)

    def has_other_sum(self) -> torch.Tensor:
        """Whether it was changed in a way that leaves its version as it was; on its device, whose work goes on."""
        return _sum(self._gradient) != self._sum


def _sum(gradient: Optional[torch.Tensor]) -> torch.Tensor:
    if gradient is None:
        return torch.zeros(())
    # Sums of 16 bits would hide small changes.
    dtype = torch.float64 if gradient.dtype == torch.float64 else torch.float32
    return (torch.sparse.sum(gradient, dtype=dtype) if gradient.is_sparse else gradient.sum(dtype=dtype)).nan_to_num()


class EarlyGradients:
    """The gradients of one backward pass after the other. None may change between the pass and ``complete``."""

    def __init__(self, blocks: TensorBlocks, send: Callable[[dict[str, Any]], None]) -> None:
        self._blocks = blocks
        self._send = send
        self._buckets = self._plan()
        self._bucket_of = {index: bucket for bucket in self._buckets for index in bucket.parameters}
        self._told: dict[int, _Told] = {}
        self._next = 0
        # A backward pass has a thread for each device.
        self._lock = threading.Lock()
        self.started = False
        self._hooks = [after_gradient(each.parameter, self._hook(index)) for index, each in enumerate(blocks.trained)]

    def _plan(self) -> list[_Bucket]:
        """Returns the buckets from the last one to the first."""
        buckets = [_Bucket()]
        for index in reversed(range(len(self._blocks.trained))):
            bucket, device = buckets[-1], self._blocks.trained[index].parameter.device
            if bucket.floats >= _BUCKET_FLOATS or (bucket.parameters and bucket.device != device):
                bucket = _Bucket()
                buckets.append(bucket)
            bucket.device = device
            bucket.parameters.insert(0, index)
            bucket.start = self._blocks.places[index].start
            bucket.floats += self._blocks.trained[index].parameter.numel()
        return buckets

    def start(self, loss: float, rates: list[list[float]]) -> None:
        """The forward pass is over, with the loss and the rates of this step. The backward pass follows."""
        if self.started:
            raise OptimusError(
                "job.backward was called again in a step whose gradients are being sent. With overlap=True the last"
                " job.backward of a step has to complete them: give the others last=False."
            )
        self.started = True
        self._next = 0
        for bucket in self._buckets:
            bucket.missing = len(bucket.parameters)
        self._send(
            {"type": "loss", "loss": loss, "groups": rates, "parametersRead": self._blocks.parameters_are_copies}
        )
        self._send({"type": "gradient-from", "from": self._blocks.parameter_floats})

    def complete(self) -> None:
        """Checks that no gradient has changed, and writes those of parameters that the loss does not depend on."""
        self.started = False
        with torch.no_grad():
            changed = self._changed()
            if changed:
                name = self._blocks.trained[changed[0]].name
                raise OptimusError(
                    f"The gradient of {name} was changed after job.backward, when it had been sent"
                    " to the parameter servers. Leave overlap=True out of job.prepare where the program clips or changes"
                    " gradients."
                )
            # The program may clear its gradients, and needs their memory.
            self._told.clear()
            for bucket in self._buckets[self._next :]:
                self._blocks.write_gradients_of(bucket.parameters)

    def _changed(self) -> list[int]:
        """Returns the parameters whose gradients are not what was told. Waits for each device once."""
        changed = []
        sums: dict[torch.device, dict[int, torch.Tensor]] = {}
        for index, told in self._told.items():
            parameter = self._blocks.trained[index].parameter
            if told.has_changed(parameter.grad):
                changed.append(index)
            else:
                sums.setdefault(parameter.device, {})[index] = told.has_other_sum().to(parameter.device)
        for others in sums.values():
            differ = torch.stack(list(others.values())).tolist()
            changed += [index for index, differs in zip(others, differ) if differs]
        return changed

    def _hook(self, index: int) -> Callable[[], None]:
        parameter = self._blocks.trained[index].parameter

        def ready() -> None:
            if not self.started:
                return
            with self._lock, torch.no_grad():
                take()

        def take() -> None:
            if index in self._told:
                raise OptimusError(
                    f"A parameter of shape {tuple(parameter.shape)} got its gradient twice in one backward pass, after"
                    " its first gradient was sent. Give torch.utils.checkpoint.checkpoint use_reentrant=False."
                )
            self._told[index] = _Told(parameter.grad)
            self._bucket_of[index].missing -= 1
            self._tell_complete()

        return ready

    def _tell_complete(self) -> None:
        """Tells of the buckets that are complete, in order."""
        first = self._next
        while self._next < len(self._buckets) and self._buckets[self._next].missing == 0:
            self._blocks.write_gradients_of(self._buckets[self._next].parameters)
            self._next += 1
        if self._next > first:
            self._send({"type": "gradient-from", "from": self._buckets[self._next - 1].start})
