"""The program's side of the protocol, bare, with the standard library only."""

import json
import mmap
import os
import socket
import tempfile

FLOATS = 3


class Program:
    """Trains three floats: one parameter of each of two groups, and one of state."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.environ["OPTIMUS_PROGRAM_SOCKET"])
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.welcome = self.receive()
        with tempfile.TemporaryFile() as file:
            self.descriptor = os.dup(file.fileno())
        os.ftruncate(self.descriptor, 2 * FLOATS * 4)
        vectors = memoryview(mmap.mmap(self.descriptor, 2 * FLOATS * 4)).cast("f")
        self.parameters = vectors[:FLOATS]
        self.gradient = vectors[FLOATS:]

    def receive(self):
        return json.loads(self.lines.readline())

    def send(self, **message):
        self.socket.sendall(json.dumps(message).encode() + b"\n")

    def ready(self, **changes):
        """Sends the description, with some fields changed."""
        description = {
            "type": "ready",
            "pid": os.getpid(),
            "memory": {"path": f"/proc/{os.getpid()}/fd/{self.descriptor}", "floats": FLOATS},
            "blocks": [
                {"name": "weight", "shape": [1], "kind": "parameter", "group": 0},
                {"name": "bias", "shape": [1], "kind": "parameter", "group": 1},
                {"name": "state", "shape": [1], "kind": "state"},
            ],
            "samples": 100,
            "batch": 10,
            "epochs": 2,
            "optimizer": {"kind": "sgd", "learningRate": 0.1, "momentum": 0.9, "weightDecay": 0.0},
            "groups": 2,
        }
        description.update(changes)
        self.send(**description)

    def answer(self, loss=0.5, groups=((0.1, 0.0), (0.2, 0.5))):
        self.send(type="gradient", loss=loss, groups=groups)
