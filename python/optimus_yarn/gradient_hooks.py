"""Calls a function when a backward pass has completed a parameter's gradient."""

from __future__ import annotations

from typing import Any, Callable

import torch


class _AccumulatorHook:
    """Keeps a parameter's gradient accumulator alive, which the graph of each step would make anew otherwise."""

    def __init__(self, parameter: torch.nn.Parameter, action: Callable[[], None]) -> None:
        with torch.enable_grad():
            graph: Any = parameter.expand_as(parameter).grad_fn
            self._accumulator = graph.next_functions[0][0]
        self._handle = self._accumulator.register_hook(lambda *ignored: action())

    def remove(self) -> None:
        self._handle.remove()


def after_gradient(parameter: torch.nn.Parameter, action: Callable[[], None]) -> Any:
    """Has ``action`` called when a backward pass has completed a parameter's gradient. Returns what can be removed."""
    if hasattr(parameter, "register_post_accumulate_grad_hook"):  # torch 2.1
        return parameter.register_post_accumulate_grad_hook(lambda ignored: action())
    return _AccumulatorHook(parameter, action)
