"""The program's GradScaler."""

from __future__ import annotations

import types
from typing import Any, Optional


class LossScale:
    """Takes over and hands on the state of the scaler, and keeps its scale while parts of a step are added up."""

    def __init__(self) -> None:
        # While this holds, update() does not change the scale: the batch is a part of a step that others complete.
        self.paused = False
        self._scaler: Any = None
        # What the scaler gets when the program first uses it.
        self._state: Optional[dict[str, Any]] = None

    def use(self, scaler: Any) -> None:
        """The program scales its losses with ``scaler``."""
        if scaler is self._scaler:
            return
        self._scaler = scaler
        if "update" not in vars(scaler):
            scaler.update = types.MethodType(self._update, scaler)
        if self._state:
            scaler.load_state_dict(self._state)

    def _update(self, scaler: Any, new_scale: Any = None) -> None:
        type(scaler).update(scaler, scaler.get_scale() if self.paused else new_scale)

    def state(self) -> Optional[dict[str, Any]]:
        return self._scaler.state_dict() if self._scaler is not None else self._state

    def load(self, state: Optional[dict[str, Any]]) -> None:
        self._state = state
        if self._scaler is not None and state:
            self._scaler.load_state_dict(state)
