"""The connection to the worker that started this program: lines of JSON over a Unix domain socket."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import queue
import select
import socket
import sys
import threading
from typing import Any, Callable, Optional, Union

from . import messages
from .errors import OptimusError
from .messages import Abort, Finish, Leave, Message, Step, Stop, Welcome

ENVIRONMENT_VARIABLE = "OPTIMUS_PROGRAM_SOCKET"

# A program that is connected to its worker sets this, and the processes that it starts inherit it.
PARENT_VARIABLE = "OPTIMUS_PROGRAM_PARENT"

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
    """Sends and receives messages. Used by the main thread only, but for the watch over the worker's end, and for hooks that send
    while the main thread waits for a backward pass.

    With parameter servers the main thread reads the socket itself, which saves a switch of threads at each step. A
    daemon thread waits for the other side to close, so that the program ends at once although the main thread computes.
    Where workers make the updates, the daemon thread reads, and the main thread takes its messages with ``next_message``.
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
        self._readable = select.poll()
        self._readable.register(self._socket, select.POLLIN)
        # A data loader's worker process must not keep the connection open after this process.
        os.register_at_fork(after_in_child=self._socket.close)
        welcome = self._read()
        if not isinstance(welcome, Welcome):
            raise OptimusError(f"The worker's first message is {welcome} and not a welcome.")
        self.welcome = welcome
        self.leaving: Optional[Leave] = None
        self.finished = False
        self._arrived: queue.SimpleQueue[Union[Message, OptimusError]] = queue.SimpleQueue()
        self._at_once: Callable[[Union[Stop, Abort]], None] = lambda message: None
        thread = self._read_on if welcome.updates_here else self._watch
        threading.Thread(target=thread, name="optimus-worker-watch", daemon=True).start()

    def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "ready":
            faulthandler.cancel_dump_traceback_later()
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
        if not isinstance(message, (Step, Finish)):
            raise OptimusError(f"The worker sent {message} in place of a step.")
        return message

    def leave_if_asked(self) -> None:
        """Raises ``Leaving`` where the worker said leave while this program was busy."""
        if b"\n" in self._received or self._readable.poll(0):
            work = self.receive()
            raise OptimusError(f"The worker sent {work} although this program has not answered the step before.")

    def take_at_once(self, action: Callable[[Union[Stop, Abort]], None]) -> None:
        """Has the thread that reads call ``action`` with what cannot wait for the main thread."""
        self._at_once = action

    def next_message(self, wait: bool) -> Optional[Message]:
        """Returns the next message that the thread has read; None if none has come. Raises ``Leaving`` for a leave."""
        try:
            message = self._arrived.get(block=wait)
        except queue.Empty:
            return None
        if isinstance(message, OptimusError):
            raise message
        if isinstance(message, Leave):
            self.leaving = message
            raise Leaving(message.reason)
        return message

    def _read_on(self) -> None:
        """Reads while the main thread trains, because its steps are no answers to messages."""
        while True:
            try:
                message = self._read()
            except OptimusError as error:
                self._arrived.put(error)
                continue
            if isinstance(message, (Stop, Abort)):
                self._at_once(message)
            else:
                self._arrived.put(message)

    def _read(self) -> Message:
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
