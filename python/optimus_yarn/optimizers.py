"""What the parameter servers must know of the program's optimizer, and its checks."""

from __future__ import annotations

import types
from typing import Any, Callable

import torch

from .errors import OptimusError

SUPPORTED = (
    "SGD (with momentum and weight decay), Adam and AdamW of torch.optim; `update: worker` in the job file takes the others"
)

# Schedules of torch that compute each rate from the previous one may end this far below zero.
_LARGEST_ROUNDING = 1e-12

# Settings that the servers do not have; each must be off.
_UNSUPPORTED = ("nesterov", "dampening", "maximize", "amsgrad")


class OptimizerSettings:
    """Kind and constants of an optimizer, read once and held against its groups at each step."""

    def __init__(self, optimizer: torch.optim.Optimizer) -> None:
        self._optimizer = optimizer
        if type(optimizer) is torch.optim.SGD:
            self.kind = "sgd"
            self._constants: tuple[str, ...] = ("momentum",)
        elif type(optimizer) in (torch.optim.Adam, torch.optim.AdamW):
            decoupled = optimizer.param_groups[0].get("decoupled_weight_decay", False)
            is_adamw = type(optimizer) is torch.optim.AdamW or decoupled
            self.kind = "adamw" if is_adamw else "adam"
            self._constants = ("betas", "eps")
        else:
            raise OptimusError(
                f"The optimizer {type(optimizer).__name__} is not supported, because the parameter servers make the"
                f" updates. Supported are {SUPPORTED}."
            )
        if optimizer.state:
            raise OptimusError(
                f"The optimizer holds state of {len(optimizer.state)} parameters from earlier steps, which the"
                " parameter servers cannot take over. Give job.prepare a new optimizer."
            )
        self._first = {name: _plain(optimizer.param_groups[0][name]) for name in self._constants}
        self._groups = len(optimizer.param_groups)
        self.rates()

    def rates(self) -> list[list[float]]:
        """Checks all groups, and returns learning rate and weight decay of each."""
        groups = self._optimizer.param_groups
        if len(groups) != self._groups:
            raise OptimusError(
                f"The optimizer has {len(groups)} parameter groups and had {self._groups} when training started. Add"
                " all groups before job.prepare."
            )
        for index, group in enumerate(groups):
            for name in _UNSUPPORTED:
                if group.get(name):
                    raise OptimusError(
                        f"Parameter group {index} has {name}={group[name]}, which the parameter servers do not have."
                        f" Switch it off. Supported are {SUPPORTED}."
                    )
            for name, first in self._first.items():
                if _plain(group[name]) != first:
                    hint = ""
                    if name in ("momentum", "betas"):
                        hint = " OneCycleLR and CyclicLR change it unless they get cycle_momentum=False."
                    raise OptimusError(
                        f"Parameter group {index} has {name}={group[name]}, and it was {first} for group 0 at first."
                        f" The parameter servers have one {name} for all groups and steps; only lr and weight_decay may"
                        f" differ.{hint}"
                    )
        return [[_without_rounding(float(group["lr"])), float(group["weight_decay"])] for group in groups]

    def to_message(self) -> dict[str, Any]:
        """Returns the optimizer as the message ``ready`` has it."""
        learning_rate, weight_decay = self.rates()[0]
        message: dict[str, Any] = {"kind": self.kind, "learningRate": learning_rate, "weightDecay": weight_decay}
        if self.kind == "sgd":
            message["momentum"] = self._first["momentum"]
        else:
            message["beta1"], message["beta2"] = self._first["betas"]
            message["epsilon"] = self._first["eps"]
        return message


def _without_rounding(rate: float) -> float:
    """Returns 0 for a rate that is below it by rounding alone, as some schedules end."""
    return 0.0 if -_LARGEST_ROUNDING < rate < 0 else rate


def _plain(value: Any) -> Any:
    return tuple(float(part) for part in value) if isinstance(value, (tuple, list)) else float(value)


def replace_step(optimizer: torch.optim.Optimizer, update: Callable[..., Any]) -> Callable[[], Any]:
    """Has ``optimizer.step()`` call ``update`` and returns the optimizer's own step.

    ``update`` gets the scale that a GradScaler left in the gradients (None where it is gone already), whether the
    scaler found infinite gradients, and whether a scaler called.
    """
    own_step = optimizer.step

    def step(self: torch.optim.Optimizer, closure: Any = None, **arguments: Any) -> None:
        if closure is not None:
            raise OptimusError("opt.step(closure) is not supported. Call job.backward(loss), then opt.step().")
        scaler = arguments.pop("grad_scaler", None)
        is_scaled = scaler is not None or getattr(self, "found_inf", None) is not None
        if arguments:
            raise OptimusError(f"opt.step() takes no arguments, got {', '.join(arguments)}.")
        if scaler is not None:  # torch before 2.0
            optimizer_state = scaler._per_optimizer_states[id(self)]
            if optimizer_state["stage"].name == "READY":
                scaler._check_inf_per_device(self)
            found = sum(float(part) for part in optimizer_state["found_inf_per_device"].values())
            scale = None if optimizer_state["stage"].name == "UNSCALED" else scaler._get_scale_async()
        else:
            found = float(getattr(self, "found_inf", None) or 0.0)
            scale = getattr(self, "grad_scale", None)
            if hasattr(self, "found_inf"):
                # Fused optimizers would divide by the scale once more where they find it, and others refuse it.
                self.grad_scale = self.found_inf = None  # type: ignore[attr-defined]
        update(scale, found > 0, is_scaled)
        # The marks by which schedules see that opt.step() comes before sched.step(), in torch 2 and before.
        self._opt_called = True  # type: ignore[attr-defined]
        self._step_count = getattr(self, "_step_count", 0) + 1  # type: ignore[attr-defined]

    # Schedules warn where they do not see their own mark on opt.step, although the order of calls is right.
    step._with_counter = True  # type: ignore[attr-defined]
    step._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    # Schedules that are made later wrap opt.step once more, and need a bound method for that.
    optimizer.step = types.MethodType(step, optimizer)  # type: ignore[method-assign]
    # A GradScaler then calls opt.step() at each step, also where it found infinite gradients.
    optimizer._step_supports_amp_scaling = True  # type: ignore[attr-defined]
    return own_step
