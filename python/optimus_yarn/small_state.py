"""The part of a job's state that is no tensor of the model: it travels and is kept as one dictionary."""

from __future__ import annotations

import pickle
from typing import Any

from .bends import Bends
from .noise import GradientNoise
from .scaling import LossScale
from .schedules import Schedules


class SmallState:
    """Schedules and settings of the optimizer's groups, announced bends, the gradient's noise, the loss scaler, and the
    owner's dictionary."""

    def __init__(
        self, schedules: Schedules, bends: Bends, noise: GradientNoise, owner_state: dict[str, Any]
    ) -> None:
        self._schedules = schedules
        self._bends = bends
        self._noise = noise
        self._owner_state = owner_state
        self._loss_scale = LossScale()

    def use(self, scaler: Any) -> None:
        """The program scales its losses with ``scaler``."""
        self._loss_scale.use(scaler)

    def pause(self, paused: bool) -> None:
        """Whether what the program does now belongs to a part of a step that others complete."""
        self._schedules.paused = self._loss_scale.paused = paused

    def to_dict(self) -> dict[str, Any]:
        return {
            **self._schedules.exact_state(),
            "owner": self._owner_state,
            "bends": self._bends.epochs,
            "noise": self._noise.state(),
            "scaler": self._loss_scale.state(),
        }

    def load(self, state: dict[str, Any]) -> None:
        self._schedules.load_exactly(state)
        self._bends.take_over(state["bends"])
        self._noise.load(state["noise"])
        self._owner_state.clear()
        self._owner_state.update(pickle.loads(pickle.dumps(state["owner"])))
        self._loss_scale.load(state["scaler"])
