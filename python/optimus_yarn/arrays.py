"""Training without torch: parameters and gradients as flat numpy arrays."""

from __future__ import annotations

import math
from typing import Any, Optional, Protocol, Sequence, Union

import numpy

from . import samples as orders
from .connection import Connection
from .errors import OptimusError
from .memory import BYTES_PER_FLOAT, SharedMemory
from .messages import Step, Work, alone_step
from .state import StateBlock

_CONSTANTS = {
    "sgd": ("learningRate", "momentum", "weightDecay"),
    "adam": ("learningRate", "beta1", "beta2", "epsilon", "weightDecay"),
    "adamw": ("learningRate", "beta1", "beta2", "epsilon", "weightDecay"),
}
# As torch has them.
_DEFAULTS = {
    "sgd": {"momentum": 0.0, "weightDecay": 0.0},
    "adam": {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weightDecay": 0.0},
    "adamw": {"beta1": 0.9, "beta2": 0.999, "epsilon": 1e-8, "weightDecay": 0.01},
}


class Declaration:
    """What a program without torch says of itself, checked."""

    def __init__(
        self,
        parameters: Union[int, Sequence[tuple[str, Union[int, Sequence[int]]]]],
        samples: int,
        batch: int,
        optimizer: dict[str, Any],
        epochs: int,
    ) -> None:
        given = [("parameters", parameters)] if isinstance(parameters, int) else list(parameters)
        named = [(name, (shape,) if isinstance(shape, int) else tuple(shape)) for name, shape in given]
        problems = [f"parameter {name!r} has the shape {shape}" for name, shape in named if min(shape, default=1) < 1]
        problems += [
            f"{what}={value}"
            for what, value in (("samples", samples), ("batch", batch), ("epochs", epochs))
            if value < 1
        ]
        if not named:
            problems.append("parameters is empty")
        if problems:
            raise OptimusError(f"job.declare needs numbers of at least 1: {'; '.join(problems)}.")
        kind = optimizer.get("kind")
        if kind not in _CONSTANTS:
            raise OptimusError(f"The optimizer kind {kind!r} is not supported. Supported are {', '.join(_CONSTANTS)}.")
        unknown = set(optimizer) - set(_CONSTANTS[kind]) - {"kind"}
        if unknown or "learningRate" not in optimizer:
            raise OptimusError(
                f"The optimizer {optimizer} needs learningRate, and may have {', '.join(_CONSTANTS[kind][1:])}; it"
                f" must not have {', '.join(sorted(unknown)) or 'anything else'}."
            )
        self.parameters = named
        self.floats = sum(math.prod(shape) for _, shape in named)
        self.samples, self.batch, self.epochs = samples, batch, epochs
        self.optimizer = {**_DEFAULTS[kind], **optimizer}

    @property
    def rates(self) -> list[list[float]]:
        """Learning rate and weight decay of the one group."""
        return [[self.optimizer["learningRate"], self.optimizer["weightDecay"]]]


def sample_order(samples: int, seed: int) -> orders.SampleOrder:
    """Returns the shuffled samples of all epochs."""
    return orders.SampleOrder(
        samples,
        lambda epoch: numpy.random.Generator(numpy.random.PCG64(orders.order_seed(seed, epoch))).permutation(samples),
    )


class ArrayTraining(Protocol):
    """Where the updates are made."""

    parameters: numpy.ndarray
    gradient: numpy.ndarray

    def start(self) -> Work:
        """Announces the program and waits for its first step."""

    def hand_out(self, step: Step) -> None:
        """Is called before the samples of ``step`` are handed out."""

    def update(self, step: Step, loss: float) -> Work:
        """Answers a step with its gradient, and waits for the next."""


class ClusterArrays:
    """Arrays over the memory that the worker shares."""

    def __init__(self, connection: Connection, declaration: Declaration, owner_state: dict[str, Any]) -> None:
        self._connection = connection
        self._declaration = declaration
        self._owner_state = owner_state
        self._state_block = StateBlock(owner_state)
        self._memory = SharedMemory(declaration.floats + self._state_block.capacity)
        vectors = numpy.frombuffer(self._memory.buffer, dtype=numpy.float32)
        self._all_parameters = vectors[: self._memory.floats]
        self.parameters = self._all_parameters[: declaration.floats]
        self.gradient = vectors[self._memory.floats :][: declaration.floats]

    def start(self) -> Work:
        declaration = self._declaration
        self._write_state(0)
        self._connection.send(
            {
                "type": "ready",
                "pid": self._memory.process,
                "memory": {"path": self._memory.path, "floats": self._memory.floats},
                "blocks": [
                    {"name": name, "shape": list(shape), "kind": "parameter", "group": 0}
                    for name, shape in declaration.parameters
                ]
                + [self._state_block.to_message()],
                "samples": declaration.samples,
                "batch": declaration.batch,
                "epochs": declaration.epochs,
                "optimizer": declaration.optimizer,
                "groups": 1,
            }
        )
        work = self._connection.receive()
        if isinstance(work, Step) and work.step > 0:
            self._take_over()
        return work

    def _take_over(self) -> None:
        """Takes over the state of the other workers."""
        state = self._all_parameters[self._declaration.floats :].round().astype(numpy.uint8).tobytes()
        self._owner_state.clear()
        self._owner_state.update(self._state_block.unpack(state))

    def hand_out(self, step: Step) -> None:
        self._connection.leave_if_asked()

    def update(self, step: Step, loss: float) -> Work:
        self._write_state(self._memory.gradients_offset)
        self._connection.leave_if_asked()
        self._connection.send({"type": "gradient", "loss": loss, "groups": self._declaration.rates})
        work = self._connection.receive()
        if isinstance(work, Step) and self._connection.welcome.synchronous and work.step != step.step + 1:
            # The update did not count, because a task was lost; or the others made some without this worker.
            self._take_over()
        return work

    def _write_state(self, vector: int) -> None:
        """Writes the state into the vector that begins at byte ``vector`` of the memory."""
        start = vector + self._declaration.floats * BYTES_PER_FLOAT
        self._memory.write(start, self._state_block.pack_floats(self._owner_state))


class AloneArrays:
    """Arrays in this process, with the updates that the parameter servers make."""

    def __init__(self, declaration: Declaration) -> None:
        self._declaration = declaration
        self.parameters = numpy.zeros(declaration.floats, numpy.float32)
        self.gradient = numpy.zeros(declaration.floats, numpy.float32)
        self._first_moment: Union[float, numpy.ndarray] = 0.0
        self._second_moment: Union[float, numpy.ndarray] = 0.0

    def start(self) -> Work:
        return self._step(0)

    def hand_out(self, step: Step) -> None:
        """Does nothing: nobody else waits."""

    def update(self, step: Step, loss: float) -> Work:
        settings = self._declaration.optimizer
        rate, decay = settings["learningRate"], settings["weightDecay"]
        gradient = self.gradient
        if settings["kind"] == "adamw":
            self.parameters *= 1 - rate * decay
        else:
            gradient = gradient + decay * self.parameters
        if settings["kind"] == "sgd":
            self._first_moment = settings["momentum"] * self._first_moment + gradient
            self.parameters -= rate * self._first_moment
        else:
            beta1, beta2, updates = settings["beta1"], settings["beta2"], step.step + 1
            self._first_moment = beta1 * self._first_moment + (1 - beta1) * gradient
            self._second_moment = beta2 * self._second_moment + (1 - beta2) * gradient**2
            deviation = numpy.sqrt(self._second_moment / (1 - beta2**updates))
            self.parameters -= rate * (self._first_moment / (1 - beta1**updates)) / (deviation + settings["epsilon"])
        return self._step(step.step + 1)

    def _step(self, step: int) -> Work:
        return alone_step(step, self._declaration.batch, self._declaration.samples * self._declaration.epochs)


def array_training(
    connection: Optional[Connection], declaration: Declaration, owner_state: dict[str, Any]
) -> ArrayTraining:
    """Returns the training on the cluster, or alone where there is no connection."""
    return ClusterArrays(connection, declaration, owner_state) if connection else AloneArrays(declaration)
