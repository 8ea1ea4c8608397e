"""Places a model's parameters, gradients and buffers in the shared memory."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Optional

import torch

from .errors import OptimusError
from .memory import SharedMemory
from .transfers import LARGEST_INTEGER, check_integers, dense, lock_for_gpus, transfers_of

_log = logging.getLogger("optimus_yarn")


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
                _refuse_complex("parameter", name, parameter)
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
    shared = [(name, buffer) for name, buffer in model.named_buffers() if name in saved and buffer.numel()]
    for name, buffer in shared:
        _refuse_complex("buffer", name, buffer)
    return shared


class ReplacedBuffers:
    """Follows shared buffers in whose place a module puts other tensors, as ``self.mean = 0.9 * self.mean + …`` does."""

    def __init__(self, model: torch.nn.Module, buffers: list[tuple[str, torch.Tensor]]) -> None:
        shared = {id(buffer) for _, buffer in buffers}
        self._places = [
            (module, name, buffer)
            for module in model.modules()
            for name, buffer in module._buffers.items()
            if id(buffer) in shared
        ]

    def refuse(self) -> None:
        """Fails where a buffer was replaced, for values that are sent before the backward pass."""
        for module, name, buffer in self._places:
            if module._buffers[name] is not buffer:
                raise OptimusError(
                    f"The model put a new tensor in the place of its buffer {name}. With overlap=True buffers are sent"
                    f" before the backward pass: use self.{name}.copy_(...), or leave overlap=True out of job.prepare."
                )

    def take_back(self) -> None:
        """Puts each shared buffer back, with the values of the tensor that has replaced it."""
        for place in list(self._places):
            module, name, buffer = place
            # The ``_buffers`` of a TorchScript module have no get().
            current = module._buffers[name] if name in module._buffers else None
            if current is buffer:
                continue
            if current is None or current.shape != buffer.shape:
                self._places.remove(place)
                _log.warning(
                    "The buffer %s of %s had the shape %s when training started, and has another now. It is not shared with"
                    " other workers any more. Register such buffers with persistent=False.",
                    name,
                    type(module).__name__,
                    tuple(buffer.shape),
                )
                continue
            with torch.no_grad():
                buffer.copy_(current)
            module._buffers[name] = buffer


def _refuse_complex(kind: str, name: str, tensor: torch.Tensor) -> None:
    if tensor.is_complex():
        raise OptimusError(
            f"The {kind} {name} has complex numbers, and workers exchange float32. Keep torch.view_as_real of it in the"
            " model, and use torch.view_as_complex in forward"
            + ("; or register a constant with persistent=False." if kind == "buffer" else ".")
        )


class TensorBlocks:
    """The blocks of the shared vectors that hold tensors: first the parameters, then the buffers.

    Contiguous float32 parameters on the CPU become views of the shared memory, and so do their gradients. Such buffers
    become views of the gradients' vector, where the worker expects their new values; the parameters' vector keeps
    those before the step. Other tensors are copied in before each step and out before each update.
    """

    def __init__(self, trained: list[TrainedParameter], buffers: list[tuple[str, torch.Tensor]]) -> None:
        self.trained = trained
        self._buffers = buffers
        # The place of each trained parameter in the vectors; the buffers' places follow.
        self.places: list[slice] = []
        self.parameter_floats = 0
        for each in trained:
            self.places.append(slice(self.parameter_floats, self.parameter_floats + each.parameter.numel()))
            self.parameter_floats = self.places[-1].stop
        self._versions: list[int] = []
        self._warned = False
        self.floats = self.parameter_floats + sum(buffer.numel() for _, buffer in buffers)

    def to_message(self) -> list[dict[str, Any]]:
        """Returns the blocks as the message ``ready`` has them."""
        parameters = [
            {"name": each.name, "shape": list(each.parameter.shape), "kind": "parameter", "group": each.group}
            for each in self.trained
        ]
        return parameters + [
            {"name": name, "shape": list(buffer.shape), "kind": "statistic"} for name, buffer in self._buffers
        ]

    def place(self, memory: SharedMemory) -> None:
        """Moves all values into the memory."""
        self.parameters = _vector(memory, 0)
        self.gradients = _vector(memory, memory.gradients_offset)
        self._views: list[tuple[torch.nn.Parameter, torch.Tensor, int]] = []
        self._gradient_views: dict[int, torch.Tensor] = {}
        copied: list[tuple[torch.Tensor, slice]] = []
        self._viewed_buffers: list[torch.Tensor] = []
        copied_buffers: list[tuple[torch.Tensor, slice]] = []
        self._counters: list[tuple[torch.Tensor, int]] = []
        self._floats = memoryview(memory.buffer).cast("f")
        self._gradients_start = memory.floats
        with torch.no_grad():
            for index, (each, place) in enumerate(zip(self.trained, self.places)):
                parameter = each.parameter
                value = self.parameters[place].view(parameter.shape)
                value.copy_(parameter)
                if parameter.device.type == "cpu" and parameter.dtype == torch.float32 and parameter.is_contiguous():
                    parameter.data = value
                    # With .data each gradient has a version of its own, which tells whether the program has changed it.
                    gradient = self.gradients[place].view(parameter.shape).data
                    if parameter.grad is not None:
                        parameter.grad = gradient.copy_(dense(parameter.grad))
                    self._views.append((parameter, gradient, value.data_ptr()))
                    self._gradient_views[index] = gradient
                else:
                    copied.append((parameter, place))
            offset = self.parameter_floats
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
                    copied_buffers.append((buffer, place))
            self._copied, self._copied_buffers = transfers_of(copied), transfers_of(copied_buffers)
            lock_for_gpus(memory, self._copied + self._copied_buffers)
            self.write_buffers()
        place = slice(self.parameter_floats, self.floats)
        self._buffers_before, self._buffers_after = self.parameters[place], self.gradients[place]

    def give_gradients(self) -> None:
        """Gives each parameter without a gradient a zeroed view, so that backward adds to the shared memory."""
        for parameter, _, address in self._views:
            if parameter.data_ptr() != address:
                raise OptimusError(
                    f"A parameter of shape {tuple(parameter.shape)} was moved or replaced after training started."
                    " Move the model to its device and dtype before job.prepare."
                )
        missing = [(parameter, gradient) for parameter, gradient, _ in self._views if parameter.grad is None]
        if len(missing) == len(self._views):
            self.gradients[: self.parameter_floats].zero_()
            for parameter, gradient in missing:
                parameter.grad = gradient
        else:
            for parameter, gradient in missing:
                parameter.grad = gradient.zero_()

    def warn_of_changes(self) -> None:
        """Warns once where the program has changed parameters itself since they were read: the servers' values replace them."""
        if self._warned:
            return
        for each, version in zip(self.trained, self._versions):
            if each.parameter._version != version:
                self._warned = True
                _log.warning(
                    "The program has changed the parameter %s itself. The parameter servers hold the parameters, so that"
                    " opt.step() replaces what the program has written. Where that shall stay, say `update: worker` or"
                    " `communication: all-reduce` in the job file.",
                    each.name,
                )
                return

    def write_gradients(self, scale: Optional[torch.Tensor], skip: bool) -> None:
        """Completes the shared gradients: copies, divides by the scale, zeros where the step is skipped."""
        with torch.no_grad():
            for parameter, gradient, _ in self._views:
                if parameter.grad is None:
                    gradient.zero_()
                elif parameter.grad is not gradient:
                    gradient.copy_(dense(parameter.grad))
            for transfer in self._copied:
                transfer.write(self.gradients, [parameter.grad for parameter in transfer.tensors])
            trained = self.gradients[: self.parameter_floats]
            if skip:
                trained.zero_()
            elif scale is not None:
                trained.div_(float(scale))
            self.write_buffers()

    def write_gradients_of(self, indices: list[int]) -> None:
        """Completes the shared gradients of some parameters, whose places follow one another."""
        copied: list[tuple[torch.Tensor, slice]] = []
        for index in indices:
            parameter, view = self.trained[index].parameter, self._gradient_views.get(index)
            if view is None:
                copied.append((parameter, self.places[index]))
            elif parameter.grad is None:
                view.zero_()
            elif parameter.grad is not view:
                view.copy_(dense(parameter.grad))
        for transfer in transfers_of(copied):
            transfer.write(self.gradients, [parameter.grad for parameter in transfer.tensors])

    @property
    def parameters_are_copies(self) -> bool:
        """Whether no parameter is a view of the memory."""
        return not self._views

    def read_parameters(self) -> None:
        """Takes over parameters and buffers from the memory where they are no views."""
        with torch.no_grad():
            for transfer in self._copied:
                for parameter, value in zip(transfer.tensors, transfer.read(self.parameters)):
                    parameter.copy_(value)
            if self._buffers:
                self._buffers_after.copy_(self._buffers_before)
            for transfer in self._copied_buffers:
                for buffer, value in zip(transfer.tensors, transfer.read(self.parameters)):
                    buffer.copy_(value if buffer.is_floating_point() else value.round())
            for buffer, index in self._counters:
                number = round(self._floats[index])
                if buffer.item() != number:
                    buffer.fill_(number)
        self._versions = [each.parameter._version for each in self.trained]

    def release(self) -> None:
        """Gives parameters, gradients and buffers memory of their own.

        Files of them do not hold the whole shared memory then, and the program finds the gradients of its last step.
        """
        for parameter, _, _ in self._views:
            parameter.data = parameter.data.clone()
            if parameter.grad is not None:
                parameter.grad = parameter.grad.clone()
        for buffer in self._viewed_buffers:
            buffer.data = buffer.data.clone()

    def write_buffers(self) -> None:
        """Completes the shared buffers."""
        for transfer in self._copied_buffers:
            transfer.write(self.gradients, transfer.tensors)
        for buffer, index in self._counters:
            number = int(buffer.item())
            if abs(number) > LARGEST_INTEGER:
                check_integers(buffer)
            self._floats[self._gradients_start + index] = number


def _vector(memory: SharedMemory, offset: int) -> torch.Tensor:
    return torch.frombuffer(memory.buffer, dtype=torch.float32, count=memory.floats, offset=offset)


def bytes_to_floats(content: bytes) -> torch.Tensor:
    """Returns each byte as one float."""
    return torch.frombuffer(bytearray(content), dtype=torch.uint8).to(torch.float32)


def floats_to_bytes(vector: torch.Tensor) -> bytes:
    """Returns what ``bytes_to_floats`` was given."""
    return bytes(vector.round().to(torch.uint8).tolist())
