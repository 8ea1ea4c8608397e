"""The whole state of a worker that makes updates itself: as blocks of one vector, and as broadcasts to others."""

from __future__ import annotations

import copy
import pickle
from typing import Any, Callable, Optional, Sequence

import torch

from .errors import OptimusError
from .memory import SharedMemory
from .state import StateBlock
from .tensors import TrainedParameter, bytes_to_floats, floats_to_bytes
from .transfers import check_integers

# One broadcast carries this many bytes, so that a receiver needs little memory besides the state.
_CHUNK_BYTES = 25 << 20

_PLAIN = (type(None), bool, int, float, str)


class OptimizerLayout:
    """The tensors and plain values that an optimizer keeps for each parameter.

    Most optimizers make their state in their first step. What it will be is found by a step of a copy, with zero
    gradients and a learning rate of zero, as torch.distributed.checkpoint does. Tensors have their places in the vector
    from the start on; those that the optimizer has not made yet are listed as absent.
    """

    def __init__(self, optimizer: torch.optim.Optimizer, trained: Sequence[TrainedParameter]) -> None:
        self._optimizer = optimizer
        self._trained = list(trained)
        self._name = type(optimizer).__name__
        examples = _state_after_a_step(optimizer, self._trained)
        self.tensors: list[tuple[int, str, torch.Tensor]] = []
        for index, example in enumerate(examples):
            for key, value in example.items():
                if isinstance(value, torch.Tensor):
                    self.tensors.append((index, key, torch.empty_like(value, device="meta")))
                elif not isinstance(value, _PLAIN):
                    raise self._refusal(index, key, value)
        self._devices = {(index, key): examples[index][key].device for index, key, _ in self.tensors}
        self._known = {(index, key) for index, key, _ in self.tensors}

    def name_of(self, index: int, key: str) -> str:
        return f"optimizer.{self._trained[index].name}.{key}"

    def values(self) -> list[dict[str, Any]]:
        """Returns the plain values of each parameter's state, and None for each of its tensors."""
        values = []
        for index, each in enumerate(self._trained):
            state = self._optimizer.state.get(each.parameter, {})
            plain: dict[str, Any] = {}
            for key, value in state.items():
                if isinstance(value, torch.Tensor):
                    if (index, key) not in self._known:
                        raise self._refusal(index, key, value)
                elif isinstance(value, _PLAIN):
                    plain[key] = value
                else:
                    raise self._refusal(index, key, value)
            values.append(plain)
        return values

    def _refusal(self, index: int, key: str, value: Any) -> OptimusError:
        kind = f"a tensor of shape {tuple(value.shape)}" if isinstance(value, torch.Tensor) else type(value).__name__
        return OptimusError(
            f"The optimizer {self._name} keeps {key!r} ({kind}) for the parameter {self._trained[index].name}, whose size"
            " is not known in advance, so its state cannot be handed to workers that join. Use an optimizer of"
            " torch.optim that keeps tensors and numbers for each parameter, such as AdamW."
        )

    def present(self) -> list[bool]:
        """Returns for each tensor whether the optimizer has it yet."""
        return [self._get(index, key) is not None for index, key, _ in self.tensors]

    def _get(self, index: int, key: str) -> Optional[torch.Tensor]:
        value = self._optimizer.state.get(self._trained[index].parameter, {}).get(key)
        return value if isinstance(value, torch.Tensor) else None

    def get(self, place: int) -> Optional[torch.Tensor]:
        """Returns the tensor at a place; None if the optimizer has not made it yet."""
        index, key, shape = self.tensors[place]
        value = self._get(index, key)
        if value is not None and value.shape != shape.shape:
            raise self._refusal(index, key, value)
        return value

    def load(self, values: list[dict[str, Any]], present: list[bool]) -> None:
        """Gives the optimizer the plain values, and tensors to write into where another worker has them."""
        for index, each in enumerate(self._trained):
            had = self._optimizer.state.pop(each.parameter, {})
            state: dict[str, Any] = dict(values[index])
            for (of, key, shape), is_there in zip(self.tensors, present):
                if of == index and is_there:
                    old = had.get(key)
                    is_usable = isinstance(old, torch.Tensor) and old.shape == shape.shape
                    state[key] = old if is_usable else torch.empty_like(shape, device=self._devices[index, key])
            if state:
                self._optimizer.state[each.parameter] = state


def _state_after_a_step(
    optimizer: torch.optim.Optimizer, trained: Sequence[TrainedParameter]
) -> list[dict[str, Any]]:
    """Returns the state of each parameter after one step of a copy."""
    places = {}
    groups = optimizer.param_groups
    for number, group in enumerate(groups):
        for index, parameter in enumerate(group["params"]):
            places[id(parameter)] = (number, index)
    twin = copy.deepcopy(optimizer)
    for group in twin.param_groups:
        group["lr"] = torch.zeros_like(group["lr"]) if isinstance(group["lr"], torch.Tensor) else 0.0
        for parameter in group["params"]:
            parameter.grad = torch.zeros_like(parameter) if parameter.requires_grad else None
    try:
        type(optimizer).step(twin)
    except Exception as error:
        raise OptimusError(
            f"The optimizer {type(optimizer).__name__} cannot be used with `update: worker` or all-reduce, because its step() failed on zero"
            f" gradients: {error} Its state must be known in advance, so that workers can join. Optimizers whose step()"
            " needs a closure, such as LBFGS, are not supported."
        ) from error
    states = []
    for each in trained:
        number, index = places[id(each.parameter)]
        states.append(dict(twin.state.get(twin.param_groups[number]["params"][index], {})))
    return states


class StateLayout:
    """Writes the whole state into a vector of float32 and reads it back, and broadcasts it in its own types."""

    def __init__(
        self,
        trained: Sequence[TrainedParameter],
        buffers: Sequence[tuple[str, torch.Tensor]],
        optimizer: torch.optim.Optimizer,
        small: Callable[[], Any],
    ) -> None:
        self._trained = list(trained)
        self._buffers = list(buffers)
        self._optimizer = OptimizerLayout(optimizer, trained)
        self._small = small
        values = [dict.fromkeys(state, 0.0) for state in self._optimizer.values()]
        self._block = StateBlock({**self._whole_small(), "values": values, "room": b"x" * self._extra_room()})
        sizes = [each.parameter.numel() for each in self._trained]
        sizes += [buffer.numel() for _, buffer in self._buffers]
        sizes += [shape.numel() for _, _, shape in self._optimizer.tensors]
        self._tensor_floats = sum(sizes)
        self.floats = self._tensor_floats + self._block.capacity

    def _extra_room(self) -> int:
        """Room for plain values that the optimizer makes in its first step."""
        return 64 * len(self._trained)

    def to_message(self) -> list[dict[str, Any]]:
        """Returns the blocks as the message ``ready`` has them."""
        blocks: list[dict[str, Any]] = [
            {"name": each.name, "shape": list(each.parameter.shape), "kind": "parameter", "group": each.group}
            for each in self._trained
        ]
        blocks += [{"name": name, "shape": list(buffer.shape), "kind": "statistic"} for name, buffer in self._buffers]
        blocks += [
            {"name": self._optimizer.name_of(index, key), "shape": list(shape.shape), "kind": "optimizer"}
            for index, key, shape in self._optimizer.tensors
        ]
        return [*blocks, self._block.to_message()]

    def place(self, memory: SharedMemory) -> None:
        """Takes the memory that the worker shares."""
        self._vector = torch.frombuffer(memory.buffer, dtype=torch.float32, count=memory.floats)

    def _whole_small(self) -> dict[str, Any]:
        return {"small": self._small(), "values": self._optimizer.values(), "present": self._optimizer.present()}

    def _tensors(self) -> list[Optional[torch.Tensor]]:
        """Returns all tensors in the order of the blocks, None for those that the optimizer has not made yet."""
        tensors: list[Optional[torch.Tensor]] = [each.parameter.detach() for each in self._trained]
        tensors += [buffer for _, buffer in self._buffers]
        return tensors + [self._optimizer.get(place) for place in range(len(self._optimizer.tensors))]

    def write(self) -> None:
        """Copies the state into the memory."""
        content = self._block.pack(self._whole_small())
        self._vector[self._tensor_floats : self._tensor_floats + len(content)] = bytes_to_floats(content)
        for tensor, place in self._places():
            if tensor is None:
                place.zero_()
            else:
                check_integers(tensor)
                place.copy_(tensor.reshape(-1))

    def read(self) -> Any:
        """Takes the state over from the memory. Returns the small part of it."""
        whole = self._block.unpack(floats_to_bytes(self._vector[self._tensor_floats :]))
        self._optimizer.load(whole["values"], whole["present"])
        with torch.no_grad():
            for tensor, place in self._places():
                if tensor is not None:
                    value = place.view(tensor.shape)
                    tensor.copy_(value if tensor.is_floating_point() else value.round())
        return whole["small"]

    def _places(self) -> list[tuple[Optional[torch.Tensor], torch.Tensor]]:
        shapes = [each.parameter.numel() for each in self._trained] + [buffer.numel() for _, buffer in self._buffers]
        shapes += [shape.numel() for _, _, shape in self._optimizer.tensors]
        places, offset = [], 0
        for tensor, size in zip(self._tensors(), shapes):
            places.append((tensor, self._vector[offset : offset + size]))
            offset += size
        return places

    def send(self, broadcast: Callable[[torch.Tensor], None], device: torch.device) -> None:
        """Gives the state to all members."""
        content = pickle.dumps(self._whole_small(), protocol=4)
        broadcast(torch.tensor([len(content)], dtype=torch.int64, device=device))
        broadcast(torch.frombuffer(bytearray(content), dtype=torch.uint8).to(device))
        for chunk in _chunks([tensor for tensor in self._tensors() if tensor is not None]):
            values = torch.cat([tensor.reshape(-1).to(device) for tensor in chunk])
            broadcast(values.view(torch.uint8))  # gloo lacks some types

    def receive(self, broadcast: Callable[[torch.Tensor], None], device: torch.device, take: bool) -> Any:
        """Receives the state that a member gives, and takes it over once it has come whole, or drops it.

        Returns the small part of it.
        """
        length = torch.zeros(1, dtype=torch.int64, device=device)
        broadcast(length)
        content = torch.zeros(int(length), dtype=torch.uint8, device=device)
        broadcast(content)
        whole = pickle.loads(bytes(content.cpu().numpy()))
        shapes: list[torch.Tensor] = [each.parameter.detach() for each in self._trained]
        shapes += [buffer for _, buffer in self._buffers]
        shapes += [shape for (_, _, shape), is_there in zip(self._optimizer.tensors, whole["present"]) if is_there]
        received = []
        for chunk in _chunks(shapes):
            values = torch.empty(sum(shape.numel() for shape in chunk), dtype=chunk[0].dtype, device=device)
            broadcast(values.view(torch.uint8))
            if take:
                received.append(values)
        if take:
            self._optimizer.load(whole["values"], whole["present"])
            tensors = [tensor for tensor in self._tensors() if tensor is not None]
            with torch.no_grad():
                for chunk, values in zip(_chunks(tensors), received):
                    for tensor, value in zip(chunk, values.split([tensor.numel() for tensor in chunk])):
                        tensor.copy_(value.view(tensor.shape))
        return whole["small"]


def _chunks(tensors: Sequence[torch.Tensor]) -> list[list[torch.Tensor]]:
    """Groups neighbours of one type, up to the size of one broadcast. All members group alike."""
    chunks: list[list[torch.Tensor]] = []
    room = 0
    for tensor in tensors:
        size = tensor.numel() * tensor.element_size()
        if not chunks or chunks[-1][0].dtype != tensor.dtype or size > room:
            chunks.append([])
            room = _CHUNK_BYTES
        chunks[-1].append(tensor)
        room -= size
    return chunks
