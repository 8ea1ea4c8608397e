"""Averages gradients and buffers over all workers on parameter servers, through the memory that the worker shares."""

from __future__ import annotations

from typing import Any, Callable, Sequence

import torch

from .connection import Connection
from .group import GroupFailed
from .memory import BYTES_PER_FLOAT, SharedMemory
from .messages import Average, AverageFailed, Step


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
        self._parameters = list(parameters)
        self._views: list[torch.Tensor] = []
        self._buffers: list[tuple[torch.Tensor, torch.Tensor]] = []
        floats = sum(parameter.numel() for parameter in parameters)
        vector = torch.frombuffer(
            memory.buffer,
            dtype=torch.float32,
            count=floats + sum(buffer.numel() for buffer in buffers),
            offset=memory.floats * BYTES_PER_FLOAT,
        )
        offset = 0
        for parameter in parameters:
            self._views.append(vector[offset : offset + parameter.numel()].view(parameter.shape))
            offset += parameter.numel()
        for buffer in buffers:
            if buffer.is_floating_point():
                self._buffers.append((buffer, vector[offset : offset + buffer.numel()].view(buffer.shape)))
            offset += buffer.numel()

    def average(
        self, membership: str, step: Step, loss: float, last: bool, control: Callable[[Any], None]
    ) -> tuple[float, bool]:
        """Waits for the mean gradient and buffers of all workers.

        ``last`` asks for this step to be the last of the membership. Messages about something else go to ``control``.
        Returns the mean loss, and whether the step is the last.
        """
        with torch.no_grad():
            for parameter, view in zip(self._parameters, self._views):
                if parameter.grad is None:
                    view.zero_()
                elif parameter.grad.data_ptr() != view.data_ptr():
                    gradient = parameter.grad
                    view.copy_(gradient.to_dense() if gradient.is_sparse else gradient)
            for buffer, view in self._buffers:
                view.copy_(buffer)
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
            for parameter, view in zip(self._parameters, self._views):
                if (parameter.dtype, parameter.device) == (view.dtype, view.device):
                    parameter.grad = view
                else:
                    parameter.grad = view.to(device=parameter.device, dtype=parameter.dtype)
            for buffer, view in self._buffers:
                buffer.copy_(view)
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
