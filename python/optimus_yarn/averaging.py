"""Averages gradients and buffers over all workers on parameter servers, through the memory that the worker shares."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import torch

from .connection import Connection
from .group import GroupFailed
from .memory import BYTES_PER_FLOAT, SharedMemory
from .messages import Average, AverageFailed, Step
from .transfers import dense, is_same, lock_for_gpus, transfers_of


class ServerAverage:
    """The vector that the worker pushes to the servers: gradients of all parameters, then all buffers.

    It lies behind the vector of the state. After ``average`` the gradients are those of the mean over all samples of the
    step; where parameters are float32 on the CPU, they are views of the vector. Integer buffers keep their values, which
    are each worker's own.
    """

    def __init__(
        self,
        connection: Connection,
        memory: SharedMemory,
        parameters: Sequence[torch.nn.Parameter],
        buffers: Sequence[torch.Tensor],
    ) -> None:
        self._connection = connection
        self._views: list[tuple[torch.nn.Parameter, torch.Tensor]] = []
        copied: list[tuple[torch.Tensor, slice]] = []
        averaged: list[tuple[torch.Tensor, slice]] = []
        floats = sum(parameter.numel() for parameter in parameters)
        self._vector = torch.frombuffer(
            memory.buffer,
            dtype=torch.float32,
            count=floats + sum(buffer.numel() for buffer in buffers),
            offset=memory.floats * BYTES_PER_FLOAT,
        )
        offset = 0
        for parameter in parameters:
            place = slice(offset, offset + parameter.numel())
            offset = place.stop
            if (parameter.dtype, parameter.device) == (self._vector.dtype, self._vector.device):
                self._views.append((parameter, self._vector[place].view(parameter.shape)))
            else:
                copied.append((parameter, place))
        for buffer in buffers:
            place = slice(offset, offset + buffer.numel())
            offset = place.stop
            if buffer.is_floating_point():
                averaged.append((buffer, place))
        self._copied, self._buffers = transfers_of(copied), transfers_of(averaged)
        lock_for_gpus(memory, self._copied + self._buffers)

    def average(
        self, membership: str, step: Step, loss: float, last: bool, control: Callable[[Any], None]
    ) -> tuple[float, bool]:
        """Waits for the mean gradient and buffers of all workers.

        ``last`` asks for this step to be the last of the membership. Messages about something else go to ``control``.
        Returns the mean loss, and whether the step is the last.
        """
        with torch.no_grad():
            for parameter, view in self._views:
                if parameter.grad is None:
                    view.zero_()
                elif not is_same(parameter.grad, view):
                    view.copy_(dense(parameter.grad))
            for transfer in self._copied:
                transfer.write(self._vector, [parameter.grad for parameter in transfer.tensors])
            for transfer in self._buffers:
                transfer.write(self._vector, transfer.tensors)
        self._connection.send(
            {
                "type": "share",
                "membership": membership,
                "step": step.step,
                "count": step.count,
                "batch": step.batch,
                "loss": loss,
                "last": last,
            }
        )
        mean = self._await(membership, step, control)
        with torch.no_grad():
            for parameter, view in self._views:
                parameter.grad = view
            for transfer in self._copied:
                for parameter, value in zip(transfer.tensors, transfer.read(self._vector)):
                    parameter.grad = value.to(parameter.dtype).detach()  # a view made here could not be changed in place
            for transfer in self._buffers:
                for buffer, value in zip(transfer.tensors, transfer.read(self._vector)):
                    buffer.copy_(value)
        return mean.loss, mean.last

    def _await(self, membership: str, step: Step, control: Callable[[Any], None]) -> Average:
        while True:
            message = self._connection.next_message(wait=True)
            if isinstance(message, Average):
                assert (message.membership, message.step) == (membership, step.step), message
                return message
            if isinstance(message, AverageFailed):
                raise GroupFailed(message.reason)
            control(message)
