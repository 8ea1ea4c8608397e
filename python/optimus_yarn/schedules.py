"""The program's learning-rate schedules: their state, and how often the program calls them."""

from __future__ import annotations

import contextlib
import copy
import io
import types
import warnings
from typing import Any, Optional, Sequence

import torch

from .errors import OptimusError
from .state import CallCounts


class Schedules:
    """Counts the calls of ``step`` from each update to the next batch, and restores a joining process."""

    def __init__(self, schedules: Sequence[Any], optimizer: torch.optim.Optimizer) -> None:
        self._schedules = list(schedules)
        self._optimizer = optimizer
        # While this holds, calls of step() have no effect: the batch is a part of a step that others complete.
        self.paused = False
        self._counts = [CallCounts() for _ in schedules]
        self._calls = [0 for _ in schedules]
        self._own_steps = [self._count_calls(schedule, i) for i, schedule in enumerate(self._schedules)]

    @property
    def given(self) -> bool:
        """Whether the program has given any schedule."""
        return bool(self._schedules)

    def rates(self) -> list[dict[str, float]]:
        """Returns learning rate and weight decay of each group."""
        return [
            {name: float(group[name]) for name in ("lr", "weight_decay", "initial_lr") if name in group}
            for group in self._optimizer.param_groups
        ]

    def set_rates(self, rates: list[dict[str, Any]]) -> None:
        for group, values in zip(self._optimizer.param_groups, rates):
            for name, value in values.items():
                if isinstance(group.get(name), torch.Tensor):
                    group[name].fill_(value)
                else:
                    group[name] = value

    def state(self) -> dict[str, Any]:
        """Returns everything as plain values."""
        return {
            "schedules": [_values(schedule) for schedule in self._schedules],
            "groups": self.rates(),
            "calls": [(counts.after_step, counts.after_epoch) for counts in self._counts],
        }

    def load(self, state: dict[str, Any], repeat: bool = False, ended_epoch: bool = False) -> None:
        """Takes over the state of others, and repeats the calls that they made after it."""
        self.load_exactly(state)
        for counts, calls in zip(self._counts, state["calls"]):
            counts.complete(CallCounts(*calls))
        if repeat:
            for own_step, counts in zip(self._own_steps, self._counts):
                for _ in range(counts.expected(ended_epoch)):
                    own_step()
        self.forget_calls()

    def load_exactly(self, state: dict[str, Any]) -> None:
        """Takes over a state, and assumes no calls after it."""
        if len(state["schedules"]) != len(self._schedules):
            raise OptimusError(
                f"The other workers gave job.prepare {len(state['schedules'])} schedules and this one"
                f" {len(self._schedules)}. All workers must run the same program."
            )
        for schedule, values in zip(self._schedules, state["schedules"]):
            schedule.load_state_dict(values)
        self.set_rates(state["groups"])
        # Schedules warn if they go on before an update; the update has been made, in another process.
        self._optimizer._step_count = 1  # type: ignore[attr-defined]
        self._optimizer._opt_called = True  # type: ignore[attr-defined]

    def exact_state(self) -> dict[str, Any]:
        """Returns the schedules and all settings of the optimizer's groups as they are now, as plain values."""
        return {
            "schedules": [_values(schedule) for schedule in self._schedules],
            "groups": [
                {
                    name: value.item() if isinstance(value, torch.Tensor) and value.numel() == 1 else value
                    for name, value in group.items()
                    if name != "params"
                }
                for group in self._optimizer.param_groups
            ],
        }

    def record_calls(self, ended_epoch: bool) -> None:
        """Keeps the calls since the last update, which was the last of its epoch or not."""
        for counts, calls in zip(self._counts, self._calls):
            counts.record(calls, ended_epoch)
        self.forget_calls()

    def knows_calls(self) -> bool:
        """Whether it is known how often each schedule is called after an ordinary step."""
        return all(counts.after_step is not None for counts in self._counts)

    def copies(self) -> Optional[SchedulesAhead]:
        """Returns copies to try out; None where a schedule is the owner's own, whose calls may do anything."""
        own = [type(schedule).__mro__[1].__module__ for schedule in self._schedules]
        if not own or any(not module.startswith("torch.optim.") for module in own):
            return None
        try:
            return SchedulesAhead(self._schedules, self._optimizer, self._counts)
        except Exception:
            return None

    def forget_calls(self) -> None:
        self._calls[:] = [0] * len(self._calls)

    def _count_calls(self, schedule: Any, index: int) -> Any:
        """Has ``schedule.step()`` count its calls. The class changes, not the instance, whose fields are its state."""
        counts = self

        def step(self: Any, *arguments: Any, **named: Any) -> None:
            if arguments or named:
                raise OptimusError(
                    "sched.step(...) was called with a value, which a worker that joins could not repeat. Call"
                    " sched.step() without values, once for each step or epoch."
                )
            if not counts.paused:
                counts._calls[index] += 1
                own_class.step(self)

        own_class = type(schedule)
        schedule.__class__ = type(own_class.__name__, (own_class,), {"step": step})
        return lambda: own_class.step(schedule)


def _values(schedule: Any) -> dict[str, Any]:
    """Returns the state without the schedule's own methods, which OneCycleLR of torch 1.13 keeps among its values."""
    return {
        name: value
        for name, value in schedule.state_dict().items()
        if not (isinstance(value, types.MethodType) and value.__self__ is schedule)
    }


class SchedulesAhead:
    """Copies of schedules over the settings of the optimizer's groups, without its parameters."""

    def __init__(
        self, schedules: Sequence[Any], optimizer: torch.optim.Optimizer, counts: Sequence[CallCounts]
    ) -> None:
        self._groups = [
            {name: copy.deepcopy(value) for name, value in group.items() if name != "params"}
            for group in optimizer.param_groups
        ]
        stand_in = types.SimpleNamespace(param_groups=self._groups, defaults=dict(optimizer.defaults), state={})
        stand_in.step = types.SimpleNamespace(_with_counter=True, _wrapped_by_lr_sched=True)
        stand_in._step_count, stand_in._opt_called = 1, True
        self._schedules = [
            copy.deepcopy(schedule, {id(optimizer): stand_in, **_methods_of(schedule)}) for schedule in schedules
        ]
        self._counts = [CallCounts(each.after_step, each.after_epoch) for each in counts]
        self.called_each_step = any(each.after_step for each in counts)

    def rate(self) -> float:
        """The largest learning rate of all groups."""
        return max(float(group["lr"]) for group in self._groups)

    def call(self, ended_epoch: bool) -> bool:
        """Makes the calls that follow an update. Returns false where a schedule refuses."""
        # Schedules may print, and warn that they are called too often.
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            try:
                for schedule, counts in zip(self._schedules, self._counts):
                    for _ in range(counts.expected(ended_epoch)):
                        type(schedule).__mro__[1].step(schedule)
            except Exception:
                return False
        return True


def _methods_of(schedule: Any) -> dict[int, Any]:
    """Returns, as a memo, copies of the bound methods by which a schedule computes rates.

    Their objects are copied without what they refer to, such as a trainer without its model and data.
    """
    methods = {
        id(rate): types.MethodType(rate.__func__, copy.copy(rate.__self__))
        for rate in getattr(schedule, "lr_lambdas", [])
        if isinstance(rate, types.MethodType)
    }
    for each in getattr(schedule, "_schedulers", []):
        methods.update(_methods_of(each))
    return methods


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
