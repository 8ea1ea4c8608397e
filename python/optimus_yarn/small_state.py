"""The part of a job's state that is no tensor of the model: it travels and is kept as one dictionary."""

from __future__ import annotations

import pickle
from typing import Any, Optional

from .bends import Bends
from .noise import GradientNoise
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
        self._scaler: Any = None
        # What the scaler gets when the program first uses it.
        self._scaler_state: Optional[dict[str, Any]] = None

    def use(self, scaler: Any) -> None:
        """The program scales its losses with ``scaler``."""
        if scaler is not self._scaler:
            self._scaler = scaler
            if self._scaler_state:
                scaler.load_state_dict(self._scaler_state)

    def to_dict(self) -> dict[str, Any]:
        return {
            **self._schedules.exact_state(),
            "owner": self._owner_state,
            "bends": self._bends.epochs,
            "noise": self._noise.state(),
            "scaler": self._scaler.state_dict() if self._scaler is not None else self._scaler_state,
        }

    def load(self, state: dict[str, Any]) -> None:
        self._schedules.load_exactly(state)
        self._bends.take_over(state["bends"])
        self._noise.load(state["noise"])
        self._owner_state.clear()
        self._owner_state.update(pickle.loads(pickle.dumps(state["owner"])))
        self._scaler_state = state["scaler"]
        if self._scaler is not None and self._scaler_state:
            self._scaler.load_state_dict(self._scaler_state)
