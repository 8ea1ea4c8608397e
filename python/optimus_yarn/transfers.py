"""Copies between tensors, on a GPU for instance, and a vector of float32 in the memory that the worker shares."""

from __future__ import annotations

import contextlib
import logging
from typing import Iterable, Iterator, Optional, Sequence

import torch

from .errors import OptimusError
from .memory import SharedMemory

_log = logging.getLogger("optimus_yarn")

# float32 has a number of its own for each integer up to this one.
LARGEST_INTEGER = (1 << 24) - 1


class Transfer:
    """Tensors of one device whose places in a vector follow one another: one copy between the devices moves them all."""

    def __init__(self, device: torch.device, start: int) -> None:
        self.device = device
        self.tensors: list[torch.Tensor] = []
        self._start = self._stop = start
        # Which numbers in the vector are integers of the tensors.
        self._integers: list[torch.Tensor] = []

    def follows(self, device: torch.device, place: slice) -> bool:
        """Whether a tensor with this place can be moved with the others."""
        return (self.device, self._stop) == (device, place.start)

    def add(self, tensor: torch.Tensor) -> None:
        start, self._stop = self._stop, self._stop + tensor.numel()
        self.tensors.append(tensor)
        if not tensor.is_floating_point() and tensor.dtype != torch.bool:
            self._integers.append(torch.arange(start, self._stop, device="cpu"))

    def write(self, vector: torch.Tensor, values: Sequence[Optional[torch.Tensor]]) -> None:
        """Copies one value for each tensor into the vector, zeros for None."""
        parts = []
        for tensor, value in zip(self.tensors, values):
            if value is None:
                parts.append(torch.zeros(tensor.numel(), device=self.device))
            else:
                parts.append(dense(value).to(torch.float32).reshape(-1))
        vector[self._start : self._stop].copy_(torch.cat(parts))
        if self._integers:
            if len(self._integers) > 1:
                self._integers = [torch.cat(self._integers)]
            if float(vector[self._integers[0]].abs().max()) > LARGEST_INTEGER:
                for tensor in self.tensors:
                    check_integers(tensor)

    def read(self, vector: torch.Tensor) -> Iterator[torch.Tensor]:
        """Returns for each tensor the numbers at its place, on its device and in its shape. On the CPU they are views."""
        values = vector[self._start : self._stop].to(self.device)
        for tensor, part in zip(self.tensors, values.split([each.numel() for each in self.tensors])):
            yield part.view(tensor.shape)


def transfers_of(places: Iterable[tuple[torch.Tensor, slice]]) -> list[Transfer]:
    """Returns the copies that move tensors to and from their places in a vector."""
    transfers: list[Transfer] = []
    for tensor, place in places:
        if not transfers or not transfers[-1].follows(tensor.device, place):
            transfers.append(Transfer(tensor.device, place.start))
        transfers[-1].add(tensor)
    return transfers


def lock_for_gpus(memory: SharedMemory, transfers: Iterable[Transfer]) -> None:
    """Locks the memory where a GPU copies to and from it, which makes these copies several times as fast.

    Called once for a memory: its vectors may share a page, which cannot be locked twice.
    """
    device = next((each.device for each in transfers if each.device.type == "cuda"), None)
    if device is None:
        return
    whole = torch.frombuffer(memory.buffer, dtype=torch.uint8)
    with torch.cuda.device(device):
        error = int(torch.cuda.cudart().cudaHostRegister(whole.data_ptr(), whole.numel(), 0))
        if error != 0:
            _take_last_error(device)
            _log.info("Copies between GPU and CPU are slower: CUDA could not lock their memory (error %d).", error)


def _take_last_error(device: torch.device) -> None:
    """Takes the error that the next kernel would raise."""
    with contextlib.suppress(RuntimeError):
        torch.zeros(1, device=device)


def check_integers(tensor: torch.Tensor) -> None:
    """Refuses integers that float32 cannot tell apart."""
    if tensor.is_floating_point() or tensor.dtype == torch.bool:
        return
    largest = int(tensor.abs().max())
    if largest > LARGEST_INTEGER:
        raise OptimusError(
            f"A buffer of shape {tuple(tensor.shape)} holds the integer {largest}, and shared memory holds integers up to"
            f" {LARGEST_INTEGER} exactly. Register it with persistent=False."
        )


def is_same(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether both tensors are the same numbers in memory."""
    return not one.is_sparse and one.data_ptr() == other.data_ptr() and one.dtype == other.dtype


def dense(gradient: torch.Tensor) -> torch.Tensor:
    return gradient.to_dense() if gradient.is_sparse else gradient
