"""The small state that a joining process needs besides parameters: schedules, learning rates, the owner's dictionary.

The state travels as bytes in a block of the shared vectors. It is written at each ``opt.step()``, before the
program calls ``sched.step()``. A process that joins loads it and repeats the calls of ``sched.step()`` that the
others made after that update. The state records how many calls followed an ordinary step before, and how many
followed the last step of an epoch. A process that must repeat a step, because its update did not count, does the same
with the state before that step. Where no epoch has ended yet, one call is assumed if none follow ordinary steps,
and otherwise as many as follow those. At its own first update the process loads the state once more, so that a
wrong guess lasts for one step.
"""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import Any, Optional

from .errors import OptimusError

_LENGTH_BYTES = 8
_SMALLEST_CAPACITY = 4096
_ROUNDED_TO = 1024


class StateBlock:
    """A block of fixed size that holds a picklable value: its length in 8 bytes, then the pickle."""

    def __init__(self, first: Any) -> None:
        size = len(self._pickled(first))
        self.capacity = -(-max(_SMALLEST_CAPACITY, 2 * size) // _ROUNDED_TO) * _ROUNDED_TO
        self._latest = b""
        self._latest_floats = b""

    def to_message(self) -> dict[str, Any]:
        return {"name": "optimus.state", "shape": [self.capacity], "kind": "state"}

    def pack(self, value: Any) -> bytes:
        content = self._pickled(value)
        if len(content) > self.capacity:
            raise OptimusError(
                f"job.state and the schedules take {len(content)} bytes, and the state has room for {self.capacity},"
                " twice its size when training started. Keep large values in files, or fill job.state to its full size"
                " before the loop starts (before job.declare in programs without torch)."
            )
        return content

    def pack_floats(self, value: Any) -> bytes:
        """Returns the packed value with each byte as one float32. Most steps have the same state as the step before."""
        content = self.pack(value)
        if content != self._latest:
            self._latest, self._latest_floats = content, struct.pack(f"{len(content)}f", *content)
        return self._latest_floats

    def unpack(self, content: bytes) -> Any:
        length = int.from_bytes(content[:_LENGTH_BYTES], "little")
        if not 0 < length <= self.capacity - _LENGTH_BYTES:
            raise OptimusError(
                f"The state of the other workers has the impossible length {length} for a room of {self.capacity}"
                " bytes. All workers must run the same program and the same versions of Python and torch."
            )
        return pickle.loads(content[_LENGTH_BYTES : _LENGTH_BYTES + length])

    @staticmethod
    def _pickled(value: Any) -> bytes:
        try:
            content = pickle.dumps(value, protocol=4)
        except Exception as error:
            raise OptimusError(
                f"job.state or a schedule's state_dict() cannot be pickled: {error}. Keep only plain values in them."
            ) from error
        return len(content).to_bytes(_LENGTH_BYTES, "little") + content


@dataclass
class CallCounts:
    """How often the program calls one schedule's ``step`` after an update; None where that is not known yet."""

    after_step: Optional[int] = None
    after_epoch: Optional[int] = None

    def record(self, calls: int, ended_epoch: bool) -> None:
        if ended_epoch:
            self.after_epoch = calls
        else:
            self.after_step = calls

    def complete(self, others: CallCounts) -> None:
        """Takes over what the others know and this process does not."""
        self.after_step = others.after_step if self.after_step is None else self.after_step
        self.after_epoch = others.after_epoch if self.after_epoch is None else self.after_epoch

    def expected(self, ended_epoch: bool) -> int:
        """Returns the calls that follow an update, by the rule at the top of this module."""
        after_step = self.after_step or 0
        if not ended_epoch:
            return after_step
        if self.after_epoch is not None:
            return self.after_epoch
        return after_step or 1
