"""Memory that this program shares with its worker."""

from __future__ import annotations

import mmap
import os
import tempfile
from typing import Optional

BYTES_PER_FLOAT = 4


class SharedMemory:
    """A vector of ``floats`` float32 numbers for parameters or all state, then one of ``more`` for what servers are sent.

    The worker opens it under ``path``, so a container's limit on /dev/shm does not matter.
    """

    def __init__(self, floats: int, more: Optional[int] = None) -> None:
        """``more`` is as long as the first vector if left out."""
        self.floats = floats
        size = max(1, (floats + (floats if more is None else more)) * BYTES_PER_FLOAT)
        if hasattr(os, "memfd_create"):
            self._descriptor = os.memfd_create("optimus-parameters")
        else:
            with tempfile.TemporaryFile() as file:
                self._descriptor = os.dup(file.fileno())
        os.ftruncate(self._descriptor, size)
        self.buffer = mmap.mmap(self._descriptor, size)
        self.process = os.getpid()
        self.path = f"/proc/{self.process}/fd/{self._descriptor}"

    def write(self, offset: int, content: bytes) -> None:
        """Writes bytes at an offset in bytes. Small writes cost less than those of torch."""
        self.buffer[offset : offset + len(content)] = content

    @property
    def gradients_offset(self) -> int:
        """Where the gradients start, in bytes."""
        return self.floats * BYTES_PER_FLOAT
