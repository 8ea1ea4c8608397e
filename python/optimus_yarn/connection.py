"""The connection to the worker that started this program: lines of JSON over a Unix domain socket."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import sys
import threading
from typing import Any, Optional, Union

from . import messages
from .errors import OptimusError
from .messages import Finish, Leave, Step, Welcome

ENVIRONMENT_VARIABLE = "OPTIMUS_PROGRAM_SOCKET"

# What a process of the shell returns after SIGHUP: the parent is gone.
WORKER_GONE_EXIT_CODE = 129

# Flushing can block where a pipe is full and nobody reads it; the process ends then all the same.
FLUSH_SECONDS = 1.0


class Leaving(SystemExit):
    """Ends the program quietly because the job does not need this worker any more."""

    def __init__(self, reason: str) -> None:
        super().__init__(0)
        self.reason = reason


class Connection:
    """Sends and receives messages. Used by the main thread only, but for the watch over the worker's end.

    The main thread reads the socket itself, which saves a switch of threads at each step. A daemon thread waits
    for the other side to close, so that the program ends at once although the main thread computes.
    """

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(path)
        except OSError as error:
            raise OptimusError(
                f"The program cannot connect to its worker's socket {path!r} ({ENVIRONMENT_VARIABLE}): {error}."
                " Unset the variable to train without a cluster."
            ) from error
        self._received = bytearray()
        # A data loader's worker process must not keep the connection open after this process.
        os.register_at_fork(after_in_child=self._socket.close)
        welcome = self._read()
        if not isinstance(welcome, Welcome):
            raise OptimusError(f"The worker's first message is {welcome} and not a welcome.")
        self.welcome = welcome
        self.leaving: Optional[Leave] = None
        self.finished = False
        threading.Thread(target=self._watch, name="optimus-worker-watch", daemon=True).start()

    def send(self, message: dict[str, Any]) -> None:
        self.finished = self.finished or message["type"] == "finished"
        try:
            self._socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            end_now()

    def receive(self) -> Union[Step, Finish]:
        """Waits for the next message. Raises ``Leaving`` where it is a leave."""
        message = self._read()
        if isinstance(message, Leave):
            self.leaving = message
            raise Leaving(message.reason)
        if isinstance(message, Welcome):
            raise OptimusError("The worker sent a second welcome.")
        return message

    def leave_if_asked(self) -> None:
        """Raises ``Leaving`` where the worker said leave while this program was busy."""
        if b"\n" in self._received or select.select([self._socket], [], [], 0)[0]:
            work = self.receive()
            raise OptimusError(f"The worker sent {work} although this program has not answered the step before.")

    def _read(self) -> Union[Welcome, Step, Finish, Leave]:
        while True:
            end = self._received.find(b"\n")
            if end >= 0:
                line = bytes(self._received[:end])
                del self._received[: end + 1]
                return messages.parse(json.loads(line))
            try:
                received = self._socket.recv(65536)
            except OSError:
                received = b""
            if not received:
                end_now()
            self._received += received

    def _watch(self) -> None:
        poll = select.poll()
        poll.register(self._socket, select.POLLRDHUP)
        while not poll.poll():
            pass
        end_now()


def end_now() -> None:
    """Ends this process because its worker is gone, whatever its other threads do."""
    flush = threading.Thread(target=_flush, daemon=True)
    flush.start()
    flush.join(FLUSH_SECONDS)
    os._exit(WORKER_GONE_EXIT_CODE)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
