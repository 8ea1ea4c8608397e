"""Reads the models that jobs save."""

from __future__ import annotations

import json
import math
import pathlib
from typing import Any, Union

from .errors import OptimusError

_FORMAT = "optimus-model"
_VERSION = 1
# One line of JSON with the shapes of a hundred thousand tensors is about 10 MB.
_LONGEST_HEADER = 1 << 26


def load(path: Union[str, pathlib.Path]) -> dict[str, Any]:
    """Returns the tensors of a saved model by name: of torch if it is installed, of numpy otherwise.

    They are float32; ``model.load_state_dict`` converts them. The parameters that a program froze are not in the
    file, so give it ``strict=False`` then.
    """
    with open(path, "rb") as file:
        header = _header(file.readline(_LONGEST_HEADER), path)
        content = file.read()
    floats = sum(math.prod(block["shape"]) for block in header["blocks"])
    if len(content) != 4 * floats:
        raise OptimusError(f"{path} holds {len(content)} bytes of numbers where its header says {4 * floats}.")
    values = _vector(content)
    tensors = {}
    start = 0
    for block in header["blocks"]:
        stop = start + math.prod(block["shape"])
        if block["kind"] not in ("STATE", "OPTIMIZER"):
            tensors[block["name"]] = values[start:stop].reshape(block["shape"])
        start = stop
    return tensors


def _header(line: bytes, path: Any) -> dict[str, Any]:
    try:
        header: dict[str, Any] = json.loads(line)
        known = header["format"] == _FORMAT and header["version"] == _VERSION
    except (ValueError, TypeError, KeyError):
        known = False
    if not known:
        raise OptimusError(f"{path} is no model of version {_VERSION} that an Optimus job saved.")
    return header


def _vector(content: bytes) -> Any:
    try:
        import torch
    except ImportError:
        import numpy

        return numpy.frombuffer(content, dtype="<f4").copy()
    return torch.frombuffer(bytearray(content), dtype=torch.float32)
