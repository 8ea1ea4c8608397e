"""The program's learning-rate schedules: their state, and how often the program calls them."""

from __future__ import annotations

from typing import Any, Sequence

import torch

from .errors import OptimusError
from .state import CallCounts


class Schedules:
    """Counts the calls of ``step`` from each update to the next batch, and restores a joining process."""

    def __init__(self, schedules: Sequence[Any], optimizer: torch.optim.Optimizer) -> None:
        self._schedules = list(schedules)
        self._optimizer = optimizer
        self._counts = [CallCounts() for _ in schedules]
        self._calls = [0 for _ in schedules]
        self._own_steps = [_count_calls(schedule, self._calls, i) for i, schedule in enumerate(self._schedules)]

    def state(self) -> dict[str, Any]:
        """Returns everything as plain values."""
        return {
            "schedules": [schedule.state_dict() for schedule in self._schedules],
            "groups": [
                {name: float(group[name]) for name in ("lr", "weight_decay", "initial_lr") if name in group}
                for group in self._optimizer.param_groups
            ],
            "calls": [(counts.after_step, counts.after_epoch) for counts in self._counts],
        }

    def load(self, state: dict[str, Any], repeat: bool = False, ended_epoch: bool = False) -> None:
        """Takes over the state of others, and repeats the calls that they made after it."""
        if len(state["schedules"]) != len(self._schedules):
            raise OptimusError(
                f"The other workers gave job.prepare {len(state['schedules'])} schedules and this one"
                f" {len(self._schedules)}. All workers must run the same program."
            )
        for schedule, values in zip(self._schedules, state["schedules"]):
            schedule.load_state_dict(values)
        for group, values in zip(self._optimizer.param_groups, state["groups"]):
            for name, value in values.items():
                if isinstance(group.get(name), torch.Tensor):
                    group[name].fill_(value)
                else:
                    group[name] = value
        for counts, calls in zip(self._counts, state["calls"]):
            counts.complete(CallCounts(*calls))
        # Schedules warn if they go on before an update; the update has been made, in another process.
        self._optimizer._step_count = 1  # type: ignore[attr-defined]
        self._optimizer._opt_called = True  # type: ignore[attr-defined]
        if repeat:
            for own_step, counts in zip(self._own_steps, self._counts):
                for _ in range(counts.expected(ended_epoch)):
                    own_step()
        self.forget_calls()

    def record_calls(self, ended_epoch: bool) -> None:
        """Keeps the calls since the last update, which was the last of its epoch or not."""
        for counts, calls in zip(self._counts, self._calls):
            counts.record(calls, ended_epoch)
        self.forget_calls()

    def forget_calls(self) -> None:
        self._calls[:] = [0] * len(self._calls)


def check_schedule(schedule: Any) -> None:
    """Refuses values that are no schedules and schedules that need more than the number of calls."""
    if isinstance(schedule, torch.optim.lr_scheduler.ReduceLROnPlateau):
        raise OptimusError(
            "ReduceLROnPlateau is not supported, because a worker that joins cannot know the metric of the epoch"
            " before. Use a schedule that depends on the number of steps or epochs."
        )
    if not callable(getattr(schedule, "step", None)) or not callable(getattr(schedule, "state_dict", None)):
        raise OptimusError(
            f"job.prepare takes a model, an optimizer, a loader and then schedules with step() and state_dict(), got"
            f" {type(schedule).__name__} as a schedule."
        )


def _count_calls(schedule: Any, calls: list[int], index: int) -> Any:
    """Has ``schedule.step()`` count its calls. The class changes and not the instance, whose fields are its state."""

    def step(self: Any, *arguments: Any, **named: Any) -> None:
        if arguments or named:
            raise OptimusError(
                "sched.step(...) was called with a value, which a worker that joins could not repeat. Call sched.step()"
                " without values, once for each step or epoch."
            )
        calls[index] += 1
        own_class.step(self)

    own_class = type(schedule)
    schedule.__class__ = type(own_class.__name__, (own_class,), {"step": step})
    return lambda: own_class.step(schedule)
