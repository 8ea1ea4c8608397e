"""Trains a PyTorch program on the parameter servers of Optimus for YARN.

Start with ``init``, then read ``Job``; python/README.md shows a whole program.
"""

from __future__ import annotations

import pathlib
from typing import Optional

from .connection import Connection
from .errors import OptimusError
from .job import Job
from .models import load

__all__ = ["Job", "OptimusError", "init", "load"]
__version__ = "0.1.0"

_connection: Optional[Connection] = None
# Where the program started; scripts may change their working folder before they call init.
_folder = pathlib.Path.cwd()
_job: Optional[Job] = None


def init() -> Job:
    """Returns this program's job. Call it before the model is built, since it seeds the random numbers.

    Started by hand, without a cluster, the job trains in this process as a single worker would.
    """
    global _job
    if _job is not None:
        raise OptimusError("optimus_yarn.init() was called twice. Keep the job that the first call returned.")
    _job = Job(_connection, _folder)
    return _job
