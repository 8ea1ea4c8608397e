"""Places a model's parameters, gradients and buffers in the shared memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import torch

from .errors import OptimusError
from .memory import SharedMemory

# float32 holds all integers up to here exactly.
_LARGEST_INTEGER = 1 << 24


@dataclass(frozen=True)
class TrainedParameter:
    """A parameter that an optimizer's group trains."""

    name: str
    parameter: torch.nn.Parameter
    group: int


def trained_parameters(model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> list[TrainedParameter]:
    """Returns the parameters that are both in a group of the optimizer and trainable, in the order of the groups.

    Tied weights appear once.
    """
    names = {id(parameter): name for name, parameter in model.named_parameters()}
    trained = []
    for group, settings in enumerate(optimizer.param_groups):
        for index, parameter in enumerate(settings["params"]):
            if parameter.requires_grad:
                name = names.get(id(parameter), f"group{group}.parameter{index}")
                trained.append(TrainedParameter(name, parameter, group))
    if not trained:
        raise OptimusError(
            "The optimizer has no parameter with requires_grad=True. Give it the parameters that shall be trained."
        )
    return trained


def shared_buffers(model: torch.nn.Module) -> list[tuple[str, torch.Tensor]]:
    """Returns the buffers that belong to the model's saved state, such as BatchNorm's running means.

    Buffers with persistent=False are constants that each process makes for itself.
    """
    saved = model.state_dict(keep_vars=True)
    return [(name, buffer) for name, buffer in model.named_buffers() if name in saved and buffer.numel()]


class TensorBlocks:
    """The blocks of the shared vectors that hold tensors: first the parameters, then the buffers.

    Contiguous float32 parameters on the CPU become views of the shared memory, and so do their gradients. Such buffers
    become views of the gradients' vector, where the worker expects their new values; the parameters' vector keeps
    those before the step. Other tensors are copied in before each step and out before each update.
    """

    def __init__(self, trained: list[TrainedParameter], buffers: list[tuple[str, torch.Tensor]]) -> None:
        self._trained = trained
        self._buffers = buffers
        self._parameter_floats = sum(each.parameter.numel() for each in trained)
        self.floats = self._parameter_floats + sum(buffer.numel() for _, buffer in buffers)

    def to_message(self) -> list[dict[str, Any]]:
        """Returns the blocks as the message ``ready`` has them."""
        parameters = [
            {"name": each.name, "shape": list(each.parameter.shape), "kind": "parameter", "group": each.group}
            for each in self._trained
        ]
        return parameters + [
            {"name": name, "shape": list(buffer.shape), "kind": "statistic"} for name, buffer in self._buffers
        ]

    def place(self, memory: SharedMemory) -> None:
        """Moves all values into the memory."""
        self.parameters = _vector(memory, 0)
        self.gradients = _vector(memory, memory.gradients_offset)
        self._views: list[tuple[torch.nn.Parameter, torch.Tensor, int]] = []
        self._copied: list[tuple[torch.nn.Parameter, slice]] = []
        self._viewed_buffers: list[torch.Tensor] = []
        self._copied_buffers: list[tuple[torch.Tensor, slice]] = []
        self._counters: list[tuple[torch.Tensor, int]] = []
        self._floats = memoryview(memory.buffer).cast("f")
        self._gradients_start = memory.floats
        offset = 0
        with torch.no_grad():
            for each in self._trained:
                parameter = each.parameter
                place = slice(offset, offset + parameter.numel())
                offset = place.stop
                value = self.parameters[place].view(parameter.shape)
                value.copy_(parameter)
                if parameter.device.type == "cpu" and parameter.dtype == torch.float32 and parameter.is_contiguous():
                    parameter.data = value
                    gradient = self.gradients[place].view(parameter.shape)
                    if parameter.grad is not None:
                        parameter.grad = gradient.copy_(_dense(parameter.grad))
                    self._views.append((parameter, gradient, value.data_ptr()))
                else:
                    self._copied.append((parameter, place))
            for _, buffer in self._buffers:
                place = slice(offset, offset + buffer.numel())
                offset = place.stop
                self.parameters[place].copy_(buffer.reshape(-1))
                if buffer.device.type == "cpu" and buffer.dtype == torch.float32 and buffer.is_contiguous():
                    buffer.data = self.gradients[place].view(buffer.shape).copy_(buffer)
                    self._viewed_buffers.append(buffer)
                elif buffer.device.type == "cpu" and buffer.numel() == 1 and not buffer.is_floating_point():
                    self._counters.append((buffer, place.start))
                else:
                    self._copied_buffers.append((buffer, place))
            self._write_copied_buffers()
        place = slice(self._parameter_floats, self.floats)
        self._buffers_before, self._buffers_after = self.parameters[place], self.gradients[place]

    def give_gradients(self) -> None:
        """Gives each parameter without a gradient a zeroed view, so that backward adds to the shared memory."""
        for parameter, _, address in self._views:
            if parameter.data_ptr() != address:
                raise OptimusError(
                    f"A parameter of shape {tuple(parameter.shape)} was moved or replaced after training started."
                    " Move the model to its device and dtype before job.prepare, and change values in place."
                )
        missing = [(parameter, gradient) for parameter, gradient, _ in self._views if parameter.grad is None]
        if len(missing) == len(self._views):
            self.gradients[: self._parameter_floats].zero_()
            for parameter, gradient in missing:
                parameter.grad = gradient
        else:
            for parameter, gradient in missing:
                parameter.grad = gradient.zero_()

    def write_gradients(self, scale: Optional[torch.Tensor], skip: bool) -> None:
        """Completes the shared gradients: copies, divides by the scale, zeros where the step is skipped."""
        with torch.no_grad():
            for parameter, gradient, _ in self._views:
                if parameter.grad is None:
                    gradient.zero_()
                elif parameter.grad is not gradient:
                    gradient.copy_(_dense(parameter.grad))
            for device, run in self._runs():
                self._copy_out(device, run)
            trained = self.gradients[: self._parameter_floats]
            if skip:
                trained.zero_()
            elif scale is not None:
                trained.div_(float(scale))
            self._write_copied_buffers()

    def read_parameters(self) -> None:
        """Takes over parameters and buffers from the memory where they are no views."""
        with torch.no_grad():
            for device, run in self._runs():
                start, stop = run[0][1].start, run[-1][1].stop
                values = self.parameters[start:stop].to(device)
                for parameter, place in run:
                    parameter.copy_(values[place.start - start : place.stop - start].view(parameter.shape))
            if self._buffers:
                self._buffers_after.copy_(self._buffers_before)
            for buffer, place in self._copied_buffers:
                value = self.parameters[place].view(buffer.shape)
                buffer.copy_(value if buffer.is_floating_point() else value.round())
            for buffer, index in self._counters:
                number = round(self._floats[index])
                if buffer.item() != number:
                    buffer.fill_(number)

    def release(self) -> None:
        """Gives parameters and buffers memory of their own, so that files of them do not hold the whole shared memory."""
        for parameter, _, _ in self._views:
            parameter.data = parameter.data.clone()
            parameter.grad = None
        for buffer in self._viewed_buffers:
            buffer.data = buffer.data.clone()

    def _runs(self) -> list[tuple[torch.device, list[tuple[torch.nn.Parameter, slice]]]]:
        """Groups copied parameters that are neighbours and on one device, for one transfer each."""
        runs: list[tuple[torch.device, list[tuple[torch.nn.Parameter, slice]]]] = []
        for parameter, place in self._copied:
            if runs and runs[-1][0] == parameter.device and runs[-1][1][-1][1].stop == place.start:
                runs[-1][1].append((parameter, place))
            else:
                runs.append((parameter.device, [(parameter, place)]))
        return runs

    def _copy_out(self, device: torch.device, run: list[tuple[torch.nn.Parameter, slice]]) -> None:
        parts = []
        for parameter, place in run:
            if parameter.grad is None:
                parts.append(torch.zeros(place.stop - place.start, device=device))
            else:
                parts.append(_dense(parameter.grad).to(torch.float32).reshape(-1))
        self.gradients[run[0][1].start : run[-1][1].stop].copy_(torch.cat(parts))

    def _write_copied_buffers(self) -> None:
        for buffer, place in self._copied_buffers:
            check_integers(buffer)
            self.gradients[place].copy_(buffer.reshape(-1))
        for buffer, index in self._counters:
            number = int(buffer.item())
            if abs(number) > _LARGEST_INTEGER:
                check_integers(buffer)
            self._floats[self._gradients_start + index] = number


def check_integers(buffer: torch.Tensor) -> None:
    """Refuses integers that float32 cannot hold."""
    if not buffer.is_floating_point() and buffer.dtype != torch.bool and int(buffer.abs().max()) > _LARGEST_INTEGER:
        raise OptimusError(
            f"A buffer of shape {tuple(buffer.shape)} holds the integer {int(buffer.abs().max())}, and shared memory"
            f" holds integers up to {_LARGEST_INTEGER} exactly. Register it with persistent=False."
        )


def _vector(memory: SharedMemory, offset: int) -> torch.Tensor:
    return torch.frombuffer(memory.buffer, dtype=torch.float32, count=memory.floats, offset=offset)


def _dense(gradient: torch.Tensor) -> torch.Tensor:
    return gradient.to_dense() if gradient.is_sparse else gradient


def bytes_to_floats(content: bytes) -> torch.Tensor:
    """Returns each byte as one float."""
    return torch.frombuffer(bytearray(content), dtype=torch.uint8).to(torch.float32)


def floats_to_bytes(vector: torch.Tensor) -> bytes:
    """Returns what ``bytes_to_floats`` was given."""
    return bytes(vector.round().to(torch.uint8).tolist())
