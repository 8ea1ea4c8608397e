"""The membership of a group of workers that this process is in."""

from __future__ import annotations

import threading
from typing import Optional, Union

from .group import Group, GroupFailed
from .messages import Abort, Stop


class CurrentMembership:
    """Its name and its group, shared with the thread that reads messages: stop and abort take effect at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._aborted = ""
        self._stopped = ""
        self._group: Optional[Group] = None
        # Whether calls that never end keep memory which later ones must not use.
        self.keeps_memory = False
        # Empty while this process is in none.
        self.name = ""

    def arrived(self, message: Union[Stop, Abort]) -> None:
        """Takes a message on the thread that reads them."""
        with self._lock:
            if isinstance(message, Stop):
                self._stopped = message.membership
                return
            self._aborted = message.membership
            group = self._group if self.name == message.membership else None
        if group is not None:
            group.abort()

    def enter(self, name: str, group: Optional[Group]) -> None:
        """Begins a membership; waits until its group has formed. Raises ``GroupFailed`` where it was given up."""
        with self._lock:
            self.name = name
            self._group = group
            if self._aborted == name:
                raise GroupFailed("The membership was given up before it began")
        if group is not None:
            group.form()

    def leave(self) -> str:
        """Ends the membership and returns its name."""
        self.close_group()
        with self._lock:
            name, self.name = self.name, ""
        return name

    def close_group(self) -> None:
        with self._lock:
            group, self._group = self._group, None
        if group is not None:
            group.close()
            self.keeps_memory |= group.has_sleeping_calls

    @property
    def group(self) -> Optional[Group]:
        return self._group

    @property
    def is_aborted(self) -> bool:
        return self.name != "" and self._aborted == self.name

    @property
    def is_stopped(self) -> bool:
        """Whether the step in flight or the next is the last one."""
        return self.name != "" and self._stopped == self.name
