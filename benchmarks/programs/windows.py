"""What the measured programs share: the loop without the package, and windows of steps that are timed in turn.

All programs of a comparison run at once, and one of them steps at a time. ``compare.py`` tells it how many steps to make,
over the Unix socket that OPTIMUS_BENCHMARK_SOCKET names, and the program answers with the seconds that they took.
"""

import os
import socket
import time

import torch

# Training goes on until the comparison ends it.
EPOCHS = 1_000_000

# Where the programs compute, by --device.
DEVICE = torch.device(os.environ["OPTIMUS_BENCHMARK_DEVICE"])


class Plain:
    """Takes the place of the package's job: PyTorch alone."""

    def prepare(self, *values):
        return values

    def epochs(self, count):
        return range(count)

    def backward(self, loss):
        loss.backward()


def job():
    """Returns the package's job, or the plain loop where OPTIMUS_BENCHMARK_PLAIN is set."""
    if os.environ.get("OPTIMUS_BENCHMARK_PLAIN"):
        return Plain()
    import optimus_yarn

    return optimus_yarn.init()


class Windows:
    """Call ``step_done`` at the end of each turn of the loop. It returns when the program may go on."""

    def __init__(self):
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(os.environ["OPTIMUS_BENCHMARK_SOCKET"])
        self._lines = self._socket.makefile("r")
        # The first step shows that training has begun.
        self._left = 1
        self._start = time.perf_counter()

    def step_done(self):
        self._left -= 1
        if self._left == 0:
            if DEVICE.type == "cuda":
                torch.cuda.synchronize()
            self._socket.sendall(f"{time.perf_counter() - self._start}\n".encode())
            line = self._lines.readline()
            if not line:
                os._exit(0)
            self._left = int(line)
            self._start = time.perf_counter()
