"""The process group of one membership: how it forms, and how it is given up while a collective call waits."""

from __future__ import annotations

import contextlib
import ctypes
import datetime
import ipaddress
import os
import socket
import threading
import time
import weakref
from typing import Any, Callable, Optional

import torch
import torch.distributed

from .errors import OptimusError

# Peers that hang are noticed by the job's coordinator, which aborts the group, and not by a time-out of a collective
# call: the first step of a compiled model takes minutes.
_COLLECTIVE_TIMEOUT = datetime.timedelta(days=7)
# A member that cannot reach the first worker's store gives up then, and its coordinator learns why. For a member that
# never comes, the others wait until the coordinator aborts the group.
_CONNECT_TIMEOUT = datetime.timedelta(seconds=60)
_CHECK_IN_INTERVAL_SECONDS = 0.005
# gloo has a race: a call that begins to wait for a peer just as their connection breaks never wakes. So a call is waited
# for with short time-outs, and is abandoned if this many of them pass after its group was given up. Time-outs are counted
# instead of seconds, because a process that was stopped and goes on has used up the seconds without running.
_TURN = datetime.timedelta(milliseconds=100)
_LAST_TURNS = 10
# What a member without a GPU is called among the GPUs of the others.
_CPU = "cpu"


class GroupFailed(Exception):
    """A peer is gone, or the group was given up. The step has to be repeated in another group."""


class Rendezvous:
    """The store of keys that this process serves on all addresses, where a group meets if this process is rank 0."""

    def __init__(self) -> None:
        if not torch.distributed.is_available():
            raise OptimusError(
                "This PyTorch was built without torch.distributed, which `communication: all-reduce` needs. Use a build"
                " that has it, or `communication: parameter-server`."
            )
        before = _sockets()
        self._store = torch.distributed.TCPStore(
            "127.0.0.1", 0, is_master=True, wait_for_workers=False, timeout=_CONNECT_TIMEOUT
        )
        self.port: int = self._store.port
        _close_in_children(self, _sockets() - before)


class Group:
    """The members of one membership, which reduce gradients together.

    ``form`` waits for all of them. ``abort`` may be called by another thread at any time, and wakes a thread that
    forms the group or waits in one of its collective calls.
    """

    def __init__(self, membership: str, rank: int, workers: int, host: str, port: int, device: torch.device) -> None:
        self.membership = membership
        self.rank = rank
        self.workers = workers
        self._host = host
        self._port = port
        self._device = device
        self._lock = threading.Lock()
        self._changed = threading.Event()
        self._aborted = False
        self._process_group: Any = None
        self._store: Any = None
        self._sockets: list[socket.socket] = []
        # What wakes calls of NCCL; those of gloo end with their connections.
        self._abort_calls: Callable[[], None] = _nothing
        self._problem: Optional[BaseException] = None
        self._is_nccl = False
        # Calls of gloo that may not have ended.
        self._calls: list[Any] = []
        # Whether some sleep on after the end of the group. They keep the memory of their tensors.
        self.has_sleeping_calls = False

    def form(self) -> None:
        """Waits until all members are connected. Raises ``GroupFailed`` where that fails or is given up."""
        # A thread of its own, because nothing else could wake a wait for a member that never comes.
        threading.Thread(target=self._connect, name="optimus-group", daemon=True).start()
        self._changed.wait()
        with self._lock:
            if self._aborted or self._process_group is None:
                raise GroupFailed(f"The group did not form: {self._problem or 'it was given up'}")

    def _connect(self) -> None:
        try:
            self._meet()
        except Exception as error:
            # Its traceback would keep the store.
            self._problem = error.with_traceback(None)
        finally:
            self._changed.set()

    def _meet(self) -> None:
        before = _sockets()
        store = torch.distributed.TCPStore(
            self._host, self._port, is_master=False, wait_for_workers=False, timeout=_CONNECT_TIMEOUT
        )
        of_store = _sockets() - before
        members = torch.distributed.PrefixStore(f"{self.membership}/", store)
        here = f"{self.membership}.here"
        store.add(here, 1)
        # The members' own connections are made within milliseconds once all have come.
        while store.add(here, 0) < self.workers:
            if self._aborted:
                return
            time.sleep(_CHECK_IN_INTERVAL_SECONDS)
        # Looked at again, because the program may have made connections of its own meanwhile.
        before = _sockets()
        process_group: Any = self._nccl(members) if self._can_use_nccl(members) else self._gloo(members)
        with self._lock:
            self._take(of_store | (_sockets() - before))
            self._store, self._process_group = store, process_group
        if self._aborted:
            # The destructor runs where the last reference ends: in the thread that close starts.
            del process_group, members, store
            self.close()

    def _take(self, sockets: set[tuple[int, str]]) -> None:
        """Notes the sockets of this group, which end with it."""
        self._sockets = [socket.socket(fileno=os.dup(descriptor)) for descriptor, _ in sockets]
        _close_in_children(self, sockets)

    def _can_use_nccl(self, members: Any) -> bool:
        """Whether each member has a GPU of its own. Elsewhere gloo works, through copies on the CPU."""
        if self._device.type != "cuda":
            members.set(f"device/{self.rank}", _CPU)
            return False
        members.set(f"device/{self.rank}", _identity_of(self._device, self.rank))
        devices = {members.get(f"device/{rank}").decode() for rank in range(self.workers)}
        return len(devices) == self.workers and _CPU not in devices and _abort_of_nccl() is not None

    def _nccl(self, members: Any) -> Any:
        # Errors are raised where this process waits; by default NCCL's own thread ends the process. These have other names
        # since torch 2.2.
        prefix = "TORCH_" if _torch_version() >= (2, 2) else ""
        os.environ.setdefault(prefix + "NCCL_BLOCKING_WAIT", "1")
        os.environ.setdefault(prefix + "NCCL_ASYNC_ERROR_HANDLING", "0")
        nccl = torch.distributed.ProcessGroupNCCL
        options = nccl.Options()
        options._timeout = _COLLECTIVE_TIMEOUT
        process_group = nccl(members, self.rank, self.workers, options)
        self._abort_calls = getattr(process_group, str(_abort_of_nccl()))
        self._is_nccl = True
        return process_group

    def _gloo(self, members: Any) -> Any:
        gloo = torch.distributed.ProcessGroupGloo
        options = gloo._Options()
        can_change = can_change_timeout()
        # Until the members are connected this bounds the wait for one that is lost after it has checked in. Older torch
        # has one time-out for connecting and for calls, or ignores a later one.
        options._timeout = _CONNECT_TIMEOUT if can_change else _COLLECTIVE_TIMEOUT
        if os.environ.get("GLOO_SOCKET_IFNAME"):
            options._devices = [gloo.create_device(interface=os.environ["GLOO_SOCKET_IFNAME"].split(",")[0])]
        else:
            options._devices = [gloo.create_device(hostname=self._own_address(members))]
        process_group = gloo(members, self.rank, self.workers, options)
        if can_change:
            process_group._set_default_timeout(_COLLECTIVE_TIMEOUT)
        return process_group

    def _own_address(self, members: Any) -> str:
        """Returns an address at which the other members reach this one.

        The first member's own name may lead to a loopback address on its machine, as on Debian.
        """
        own = _address_towards(self._host, self._port)
        members.set(f"address/{self.rank}", own)
        if not _is_loopback(own):
            return own
        others = (members.get(f"address/{rank}").decode() for rank in range(self.workers) if rank != self.rank)
        distant = next((other for other in others if not _is_loopback(other)), None)
        return own if distant is None else _address_towards(distant, self._port)

    def abort(self) -> None:
        """Gives the group up. Collective calls that wait in this process fail at once."""
        with self._lock:
            self._aborted = True
            self._shut_down()
            self._changed.set()

    def _shut_down(self) -> None:
        self._abort_calls()
        for each in self._sockets:
            # gloo ends the process if its listening socket fails; only connections have a peer.
            with contextlib.suppress(OSError):
                each.getpeername()
                each.shutdown(socket.SHUT_RD)

    def close(self) -> None:
        """Ends the group, and waits for its calls in flight. What peers still wait for in it fails."""
        self.abort()
        self._abort_calls = _nothing
        for call in self._calls:
            with contextlib.suppress(GroupFailed):
                self._wait(call)
        for each in self._sockets:
            each.close()
        self._sockets = []
        ended = [self._process_group]
        self._process_group = self._store = None
        if self.has_sleeping_calls:
            # Its destructor would wait for these calls for ever, so the object is never destroyed.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(ended[0]))
            return
        # The destructor joins native threads. The interpreter must not exit before that, so this thread is no daemon.
        threading.Thread(target=ended.clear, name="optimus-group-end").start()

    def all_reduce(self, values: torch.Tensor) -> Callable[[], None]:
        """Starts to add the values of all members up, in place. Returns what waits for the end."""
        return self._start(lambda group: group.allreduce([values], torch.distributed.AllreduceOptions()))

    def broadcast(self, values: torch.Tensor, source: int) -> None:
        """Gives the values of rank ``source`` to all members."""
        options = torch.distributed.BroadcastOptions()
        options.rootRank = source
        options.rootTensor = 0
        self._start(lambda group: group.broadcast([values], options))()

    def _start(self, call: Callable[[Any], Any]) -> Callable[[], None]:
        process_group = self._process_group
        if self._aborted or process_group is None:
            raise GroupFailed("The group was given up")
        try:
            work = call(process_group)
        except RuntimeError as error:
            raise GroupFailed(str(error).splitlines()[0]) from error
        if not self._is_nccl:
            self._calls = [each for each in self._calls if not each.is_completed()] + [work]
        return lambda: self._wait(work)

    def _wait(self, work: Any) -> None:
        if self._is_nccl:
            _wait_for_nccl(work)
            return
        turns = 0
        while not _ends_in_a_turn(work):
            turns += self._aborted
            if turns > _LAST_TURNS or self.has_sleeping_calls:
                self.has_sleeping_calls = True
                raise GroupFailed("The group was given up")


def can_change_timeout() -> bool:
    """Whether gloo's calls follow a time-out that is set after its members are connected."""
    return _torch_version() >= (2, 13)


def _torch_version() -> tuple[int, ...]:
    return tuple(int(number) for number in torch.__version__.split(".")[:2])


def _identity_of(device: torch.device, rank: int) -> str:
    """Returns what names a GPU among all; the rank where torch does not tell, which is so before 2.4."""
    return str(getattr(torch.cuda.get_device_properties(device), "uuid", rank))


def _abort_of_nccl() -> Optional[str]:
    """Returns the call that wakes those who wait in a group of NCCL; None where this torch has none, or no NCCL."""
    nccl = getattr(torch.distributed, "ProcessGroupNCCL", None)
    return next((name for name in ("abort", "_abort", "_shutdown") if hasattr(nccl, name)), None)


def _nothing() -> None:
    """Stands in where nothing has to be aborted."""


def _wait_for_nccl(work: Any) -> None:
    try:
        work.wait()
    except RuntimeError as error:
        raise GroupFailed(str(error).splitlines()[0]) from error


def _ends_in_a_turn(work: Any) -> bool:
    """Waits for a call of gloo. Raises ``GroupFailed`` if it has failed."""
    had_ended = work.is_completed()
    try:
        work.wait(_TURN)
        return True
    except RuntimeError as error:
        if had_ended:
            raise GroupFailed(str(error).splitlines()[0]) from error
        return False  # the turn is over, or the call has failed just now


def _address_towards(host: str, port: int) -> str:
    """Returns this machine's address on the way to a host."""
    kind, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
    with socket.socket(kind, socket.SOCK_DGRAM) as probe:
        probe.connect(address)  # sends nothing
        return str(probe.getsockname()[0])


def _is_loopback(address: str) -> bool:
    return ipaddress.ip_address(address.partition("%")[0]).is_loopback


def _sockets() -> set[tuple[int, str]]:
    """Returns descriptor and identity of this process's TCP sockets."""
    found = set()
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(OSError):
            identity = os.readlink(f"/proc/self/fd/{name}")
            if identity.startswith("socket:") and _is_tcp(int(name)):
                found.add((int(name), identity))
    return found


def _is_tcp(descriptor: int) -> bool:
    with socket.socket(fileno=os.dup(descriptor)) as duplicate:
        return duplicate.family in (socket.AF_INET, socket.AF_INET6) and duplicate.type == socket.SOCK_STREAM


# The sockets of this process's groups, which forked processes must not keep open: peers notice the end of this process
# by the end of its connections.
_owned: weakref.WeakKeyDictionary[Any, set[tuple[int, str]]] = weakref.WeakKeyDictionary()


def _close_in_children(owner: Any, sockets: set[tuple[int, str]]) -> None:
    _owned[owner] = sockets


def _close_after_fork() -> None:
    sockets = set().union(*_owned.values()) if _owned else set()
    if not sockets:
        return
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor, identity in sockets:
        with contextlib.suppress(OSError):
            if os.readlink(f"/proc/self/fd/{descriptor}") == identity:
                # The number stays taken, so that whatever closes it later closes nothing else.
                os.dup2(nothing, descriptor)
    os.close(nothing)


os.register_at_fork(after_in_child=_close_after_fork)
