"""The whole state of a worker, written to a vector and read back, and broadcast."""

from __future__ import annotations

import sys
import unittest
from typing import Any

import fake_worker  # noqa: F401  finds the packages below

from optimus_yarn import OptimusError
from optimus_yarn.memory import SharedMemory

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

if torch is not None:
    import pieces
    from optimus_yarn.layout import StateLayout
    from optimus_yarn.tensors import shared_buffers, trained_parameters


class Worker:
    """A model, its optimizer and their layout."""

    def __init__(self, optimizer: str, model: str = "batchnorm", seed: int = 1) -> None:
        torch.manual_seed(seed)
        self.model = pieces.model_of(model)
        self.optimizer = pieces.optimizer_of(optimizer, self.model)
        self.losses: list[float] = []
        self.small = {"best": seed}
        trained = trained_parameters(self.model, self.optimizer)
        self.layout = StateLayout(trained, shared_buffers(self.model), self.optimizer, lambda: self.small)

    def train(self, steps: int) -> None:
        inputs, labels = pieces.data_set().tensors
        for step in range(steps):
            self.optimizer.zero_grad()
            dtype = next(self.model.parameters()).dtype
            loss = torch.nn.functional.cross_entropy(self.model(inputs.to(dtype)), labels)
            loss.backward()
            self.optimizer.step()
            self.losses.append(loss.item())


OPTIMIZERS = ("sgd", "adam", "adamw", "adagrad", "rmsprop", "adamax", "nadam", "groups")


@unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
class LayoutTest(unittest.TestCase):
    def copy_by_memory(self, source: Worker, target: Worker) -> Any:
        self.assertEqual(source.layout.to_message(), target.layout.to_message())
        memory = SharedMemory(source.layout.floats, more=0)
        source.layout.place(memory)
        source.layout.write()
        target.layout.place(memory)
        return target.layout.read()

    @staticmethod
    def copy_by_broadcast(source: Worker, target: Worker) -> Any:
        sent: list[torch.Tensor] = []
        source.layout.send(lambda values: sent.append(values.clone()), torch.device("cpu"))
        return target.layout.receive(lambda values: values.copy_(sent.pop(0)), torch.device("cpu"), take=True)

    def test_training_goes_on_as_before(self) -> None:
        for copy in (self.copy_by_memory, self.copy_by_broadcast):
            for optimizer in OPTIMIZERS:
                # A new optimizer, one that has made other steps, and a source that has made none.
                for steps, others in ((3, 0), (3, 2), (0, 2)):
                    with self.subTest(f"{optimizer} {copy.__name__} {steps} {others}"):
                        source, target = Worker(optimizer), Worker(optimizer, seed=2)
                        source.train(steps)
                        target.train(others)
                        self.assertEqual({"best": 1}, copy(source, target))
                        source.train(3)
                        target.train(3)
                        self.assertEqual(source.losses[-3:], target.losses[-3:])

    def test_broadcasts_keep_other_types_exact(self) -> None:
        source, target = Worker("adamw", "float64"), Worker("adamw", "float64", seed=2)
        source.train(2)
        self.copy_by_broadcast(source, target)
        source.train(2)
        target.train(2)
        self.assertEqual(source.losses[-2:], target.losses[-2:])

    def test_member_that_needs_nothing_drops_the_broadcast(self) -> None:
        source, target = Worker("adamw"), Worker("adamw", seed=2)
        source.train(1)
        before = {name: value.clone() for name, value in target.model.state_dict().items()}
        sent: list[torch.Tensor] = []
        source.layout.send(lambda values: sent.append(values.clone()), torch.device("cpu"))
        target.layout.receive(lambda values: values.copy_(sent.pop(0)), torch.device("cpu"), take=False)
        for name, value in target.model.state_dict().items():
            self.assertTrue(torch.equal(before[name], value), name)
        self.assertFalse(target.optimizer.state)

    def test_names_blocks_of_the_optimizer(self) -> None:
        blocks = Worker("sgd", "plain").layout.to_message()
        self.assertEqual(
            ["0.weight", "0.bias", "2.weight", "2.bias"]
            + [f"optimizer.{name}.momentum_buffer" for name in ("0.weight", "0.bias", "2.weight", "2.bias")]
            + ["optimus.state"],
            [block["name"] for block in blocks],
        )
        self.assertEqual(["parameter"] * 4 + ["optimizer"] * 4 + ["state"], [block["kind"] for block in blocks])
        self.assertEqual([16, 12], blocks[4]["shape"])

    def test_refuses_an_optimizer_that_needs_a_closure(self) -> None:
        model = pieces.model_of("plain")
        optimizer = torch.optim.LBFGS(model.parameters())
        with self.assertRaisesRegex(OptimusError, "optimizer LBFGS cannot be used with `update: worker` or all-reduce.*closure"):
            StateLayout(trained_parameters(model, optimizer), [], optimizer, lambda: None)

    def test_refuses_state_of_unknown_size(self) -> None:
        class Collector(torch.optim.SGD):
            def step(self, closure: Any = None) -> None:  # type: ignore[override]
                for group in self.param_groups:
                    for parameter in group["params"]:
                        self.state[parameter].setdefault("history", []).append(parameter.grad)

        model = pieces.model_of("plain")
        optimizer = Collector(model.parameters(), 0.1)
        with self.assertRaisesRegex(OptimusError, "optimizer Collector keeps 'history' .list. for .* 0.weight.*AdamW"):
            StateLayout(trained_parameters(model, optimizer), [], optimizer, lambda: None)


if __name__ == "__main__":
    unittest.main()
