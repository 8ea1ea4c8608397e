"""Writes trained models into the folder of files that the job keeps."""

from __future__ import annotations

import importlib.util
import os
import pathlib
from typing import Any, Callable, Sequence

from .errors import OptimusError

# The worker uploads this folder, in the program's first working folder, when the program has ended.
FOLDER = "output"
STATE_DICT = "model.pt"
SAFETENSORS = "model.safetensors"
ARRAYS = "model.npz"


def has_safetensors() -> bool:
    """Whether the owner's environment has the package safetensors."""
    return importlib.util.find_spec("safetensors") is not None


def own_module(model: Any) -> Any:
    """Returns the module that torch.compile was given, whose names have no prefix."""
    return getattr(model, "_orig_mod", model)


def save_model(model: Any, path: pathlib.Path) -> None:
    """Writes the ``state_dict`` of a torch model on the CPU, as safetensors if the path ends so."""
    state = own_module(model).state_dict()
    if path.suffix != ".safetensors":
        import torch

        _replace(path, lambda part: torch.save(_copied(state, keep_ties=True), part))
        return
    try:
        from safetensors.torch import save_file
    except ImportError as error:
        raise OptimusError(
            f"{path.name} needs the package safetensors, which this Python does not have: {error}. Install it, or save"
            " a file that ends in .pt."
        ) from error
    tensors = {name: value for name, value in _copied(state, keep_ties=False).items() if hasattr(value, "data_ptr")}
    _replace(path, lambda part: save_file(tensors, part))


def save_arrays(parameters: Sequence[tuple[str, Sequence[int]]], vector: Any, path: pathlib.Path) -> None:
    """Writes each parameter of a flat vector under its name, as numpy.load reads it."""
    import math

    import numpy

    arrays = {}
    start = 0
    for name, shape in parameters:
        stop = start + math.prod(shape)
        arrays[name] = vector[start:stop].reshape(shape)
        start = stop

    def write(part: str) -> None:
        with open(part, "wb") as file:
            numpy.savez(file, **arrays)

    _replace(path, write)


def _copied(state: Any, keep_ties: bool) -> dict[str, Any]:
    """Copies tensors to memory of their own on the CPU.

    A file of a tensor holds the whole memory that the tensor is a view of, here that of all parameters and gradients.
    With ``keep_ties``, weights that are one tensor stay one tensor; safetensors has no such weights.
    """
    copies: dict[Any, Any] = {}
    copied = {}
    for name, value in state.items():
        if not hasattr(value, "data_ptr"):
            copied[name] = value
            continue
        tensor = value.detach()
        key: Any = name
        if keep_ties and tensor.numel():
            key = (tensor.device, tensor.data_ptr(), tensor.dtype, tuple(tensor.shape), tensor.stride())
        if key not in copies:
            copies[key] = tensor.cpu().clone().contiguous()
        copied[name] = copies[key]
    return copied


def _replace(path: pathlib.Path, write: Callable[[str], Any]) -> None:
    """Writes a file beside ``path`` first, so that nobody sees a part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        write(str(part))
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
