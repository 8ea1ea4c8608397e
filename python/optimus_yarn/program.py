"""Starts the owner's program as the main program, and tells the worker how it ended."""

from __future__ import annotations

import faulthandler
import io
import logging
import os
import random
import runpy
import signal
import sys
import sysconfig
import traceback
import types
from typing import Any, Optional

import optimus_yarn

from .connection import ENVIRONMENT_VARIABLE, PARENT_VARIABLE, Connection, Leaving
from .errors import OptimusError

# Programs that need longer for their first batch show where they are.
SLOW_START_SECONDS = 60

USAGE = "usage: python -m optimus_yarn SCRIPT ARGS...\n       python -m optimus_yarn -m MODULE ARGS..."


def main() -> None:
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help") or arguments == ["-m"]:
        print(USAGE)
        sys.exit(0 if arguments and arguments[0] != "-m" else 2)
    _log_to_standard_error()
    # The output goes to a pipe; whole lines let the container's log keep up with the program.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(line_buffering=True)
    connection = _connect()
    try:
        _run(arguments)
    except Leaving as leaving:
        logging.getLogger("optimus_yarn").info("This worker leaves the job: %s", leaving.reason)
        raise
    except SystemExit as exit_call:
        if exit_call.code not in (None, 0) and connection is not None and connection.leaving is None:
            connection.send(
                {
                    "type": "failed",
                    "reason": f"The program called sys.exit({exit_call.code!r}).",
                    "where": _where(exit_call),
                }
            )
        elif exit_call.code in (None, 0):
            _fail_if_unfinished(connection)
        raise
    except BaseException as error:
        _print_traceback(error)
        if connection is not None:
            connection.send({"type": "failed", "reason": _reason(error), "where": _where(error)})
        sys.exit(1)
    else:
        _fail_if_unfinished(connection)


def _connect() -> Optional[Connection]:
    # Programs that this one starts have no worker of their own.
    path = os.environ.pop(ENVIRONMENT_VARIABLE, None)
    if path is None:
        return None
    os.environ[PARENT_VARIABLE] = "1"
    connection = Connection(path)
    optimus_yarn._connection = connection
    random.seed(connection.welcome.seed)
    _show_where_it_hangs()
    return connection


def _show_where_it_hangs() -> None:
    """Prints the stacks of all threads when the worker ends a program that hangs, and when the start takes long."""
    try:
        faulthandler.register(signal.SIGTERM, chain=True)
        faulthandler.dump_traceback_later(SLOW_START_SECONDS)
    except (OSError, ValueError) as error:
        logging.getLogger("optimus_yarn").info("A program that hangs will not show where: %s", error)
        return
    # Pools of processes end their children in the same way.
    os.register_at_fork(after_in_child=lambda: faulthandler.unregister(signal.SIGTERM))


def _run(arguments: list[str]) -> None:
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return
    sys.argv = arguments
    script = os.path.abspath(arguments[0])
    if not getattr(sys.flags, "safe_path", False):
        # Python put the working folder there because of -m; for a script it is the script's folder.
        sys.path[0] = os.path.dirname(script)
    try:
        with io.open_code(script) as file:
            source = file.read()
    except OSError as error:
        raise OptimusError(
            f"The program {arguments[0]!r} cannot be read: {error}. Name a script in `program.script`."
        ) from error
    module = types.ModuleType("__main__")
    module.__file__ = script
    module.__builtins__ = __builtins__  # type: ignore[attr-defined]
    sys.modules["__main__"] = module
    # This file's own __future__ imports are not the script's.
    exec(compile(source, script, "exec", dont_inherit=True), module.__dict__)


def _fail_if_unfinished(connection: Optional[Connection]) -> None:
    if connection is None or connection.finished or connection.leaving is not None:
        return
    reason = (
        "The program ended before training was over. Let `for epoch in job.epochs(n)` and the loop over the loader run"
        " to their ends."
    )
    logging.getLogger("optimus_yarn").error(reason)
    connection.send({"type": "failed", "reason": reason, "where": os.path.basename(sys.argv[0])})
    sys.exit(1)


def _log_to_standard_error() -> None:
    logger = logging.getLogger("optimus_yarn")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("optimus_yarn %(levelname)s: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False


def _reason(error: BaseException) -> str:
    """Returns the error's type and its first line, and also the last where a data loader wraps another error."""
    name = type(error).__qualname__
    lines = (error.msg if isinstance(error, SyntaxError) else str(error)).strip().splitlines()
    if isinstance(error, ModuleNotFoundError):
        lines = [
            f"{error}. Send the module with `files`, or install it in the environment of `program.python`, which is"
            f" {sys.executable} here."
        ]
    elif isinstance(error, MemoryError):
        lines = [f"{error or 'there is no memory left'}. Raise roles.worker.memoryMb."]
    if not lines:
        return name
    if "Original Traceback" in str(error):
        return f"{name}: {lines[0]} {lines[-1]}"
    return f"{name}: {lines[0]}"


def _is_ours(filename: str) -> bool:
    return os.path.dirname(filename) == os.path.dirname(__file__) or os.path.basename(filename).startswith("<frozen")


def _where(error: BaseException) -> str:
    """Returns file and line of the innermost frame of the owner's files, else of the innermost frame."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{os.path.basename(error.filename)}:{error.lineno}"
    frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    frames = [each for each in frames if not _is_ours(each[0])]
    if not frames:
        return os.path.basename(sys.argv[0])
    libraries = tuple(folder + os.sep for folder in set(sysconfig.get_paths().values()) if folder)
    own = [
        each
        for each in frames
        if not os.path.abspath(each[0]).startswith(libraries)
        and not {"site-packages", "dist-packages"} & set(each[0].split(os.sep))
    ]
    filename, line = (own or frames)[-1]
    return f"{os.path.basename(filename)}:{line}"


def _print_traceback(error: BaseException) -> None:
    """Prints the traceback without the frames of this module."""
    tail: Any = error.__traceback__
    while tail is not None and _is_ours(tail.tb_frame.f_code.co_filename):
        tail = tail.tb_next
    traceback.print_exception(type(error), error, tail or error.__traceback__)
