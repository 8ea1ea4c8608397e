"""Parameters, gradients and buffers of every kind reach the shared memory and come back."""

from __future__ import annotations

import contextlib
import sys
import unittest
import unittest.mock

import fake_worker  # noqa: F401  finds the packages below

try:
    import torch
    from torch import nn
except ImportError:
    torch = None  # type: ignore[assignment]

if torch is not None:
    from optimus_yarn import OptimusError
    from optimus_yarn.memory import SharedMemory
    from optimus_yarn.state import StateBlock
    from optimus_yarn.tensors import (
        TensorBlocks,
        floats_to_bytes,
        shared_buffers,
        trained_parameters,
    )
    from optimus_yarn.transfers import Transfer, lock_for_gpus


@unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
class TensorBlocksTest(unittest.TestCase):
    def place(self, model: nn.Module) -> TensorBlocks:
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        blocks = TensorBlocks(trained_parameters(model, optimizer), shared_buffers(model))
        self.memory = SharedMemory(blocks.floats)
        blocks.place(self.memory)
        return blocks

    def test_parameters_are_views(self) -> None:
        model = nn.Linear(3, 2)
        before = [parameter.detach().clone() for parameter in model.parameters()]
        blocks = self.place(model)
        for old, new in zip(before, model.parameters()):
            self.assertTrue(torch.equal(old, new))
        blocks.parameters.fill_(7.0)
        self.assertEqual(7.0 * 8, sum(parameter.sum().item() for parameter in model.parameters()))

    def test_mixed_types_and_layouts(self) -> None:
        torch.manual_seed(3)
        model = nn.ModuleDict(
            {
                "single": nn.Linear(3, 3),
                "wide": nn.Linear(3, 3).double(),
                "brain": nn.Linear(3, 3).bfloat16(),
                "image": nn.Conv2d(2, 3, 3).to(memory_format=torch.channels_last),
            }
        )
        blocks = self.place(model)
        expected = torch.cat([parameter.detach().float().reshape(-1) for parameter in model.parameters()])
        self.assertTrue(torch.equal(expected, blocks.parameters))
        blocks.give_gradients()
        for parameter in model.parameters():
            gradient = torch.randn(parameter.shape).to(parameter.dtype)
            if parameter.grad is None:
                parameter.grad = gradient
            else:
                parameter.grad += gradient
        blocks.write_gradients(None, skip=False)
        expected = torch.cat([parameter.grad.float().reshape(-1) for parameter in model.parameters()])
        self.assertTrue(torch.equal(expected, blocks.gradients))
        blocks.parameters.copy_(torch.arange(blocks.floats).float())
        blocks.read_parameters()
        values = torch.cat([parameter.detach().float().reshape(-1) for parameter in model.parameters()])
        self.assertLess(float((values - blocks.parameters).abs().max()), 0.3)  # bfloat16 has 8 bits
        self.assertTrue(model["image"].weight.is_contiguous(memory_format=torch.channels_last))

    def test_gradients_that_another_tool_replaced(self) -> None:
        model = nn.Linear(2, 1, bias=False)
        blocks = self.place(model)
        blocks.give_gradients()
        model.weight.grad = torch.tensor([[1.0, 2.0]])
        blocks.write_gradients(None, skip=False)
        self.assertEqual([1.0, 2.0], blocks.gradients.tolist())

    def test_sparse_gradients(self) -> None:
        model = nn.Embedding(4, 2, sparse=True)
        blocks = self.place(model)
        blocks.give_gradients()
        model(torch.tensor([1, 1, 3])).sum().backward()
        blocks.write_gradients(None, skip=False)
        self.assertEqual([0, 0, 2, 2, 0, 0, 1, 1], blocks.gradients.tolist())

    def test_scale_and_skip(self) -> None:
        model = nn.Linear(2, 1, bias=False)
        blocks = self.place(model)
        for scale, skip, expected in ((torch.tensor(4.0), False, [1.0, 2.0]), (torch.tensor(4.0), True, [0.0, 0.0])):
            model.weight.grad = torch.tensor([[4.0, 8.0]])
            blocks.write_gradients(scale, skip)
            self.assertEqual(expected, blocks.gradients.tolist())

    def test_buffers_of_the_saved_state(self) -> None:
        model = nn.BatchNorm1d(2)
        model.register_buffer("mask", torch.ones(5), persistent=False)
        blocks = self.place(model)
        names = [block["name"] for block in blocks.to_message()]
        self.assertEqual(["weight", "bias", "running_mean", "running_var", "num_batches_tracked"], names)
        model(torch.randn(8, 2))
        blocks.write_gradients(None, skip=False)
        self.assertEqual(1.0, float(blocks.gradients[-1]))
        # The mean over workers of equal integers may be slightly off in float32.
        blocks.parameters[-1] = 2.9999998
        blocks.read_parameters()
        self.assertEqual(3, int(model.num_batches_tracked))

    def test_buffers_before_a_step_are_kept_until_its_update(self) -> None:
        model = nn.BatchNorm1d(2)
        blocks = self.place(model)
        before = model.running_mean.clone()
        model(torch.randn(8, 2) + 5)
        blocks.write_gradients(None, skip=False)
        after = model.running_mean.clone()
        self.assertFalse(torch.equal(before, after))
        self.assertTrue(torch.equal(after, blocks.gradients[4:6]))
        # The update did not count, so that the step is repeated from the same values.
        blocks.read_parameters()
        self.assertTrue(torch.equal(before, model.running_mean))
        self.assertEqual(0, int(model.num_batches_tracked))

    def test_buffers_of_every_type(self) -> None:
        model = nn.Linear(1, 1)
        model.register_buffer("wide", torch.ones(2, dtype=torch.float64))
        model.register_buffer("flag", torch.tensor(True))
        model.register_buffer("turned", torch.arange(6.0).view(2, 3).t())
        blocks = self.place(model)
        self.assertEqual([1, 1, 1, 0, 3, 1, 4, 2, 5], blocks.parameters[2:].tolist())
        model.wide += 1
        model.flag.fill_(False)
        model.turned += 1
        blocks.write_gradients(None, skip=False)
        self.assertEqual([2, 2, 0, 1, 4, 2, 5, 3, 6], blocks.gradients[2:].tolist())
        blocks.read_parameters()
        self.assertEqual(([1, 1], True, 5), (model.wide.tolist(), bool(model.flag), float(model.turned[2, 1])))

    def test_large_integers_in_buffers(self) -> None:
        model = nn.Linear(1, 1)
        model.register_buffer("keys", torch.tensor([1 << 40]))
        with self.assertRaisesRegex(OptimusError, "holds the integer 1099511627776.*persistent=False"):
            self.place(model)

    def test_memory_is_locked_once_where_a_gpu_copies(self) -> None:
        cudart = unittest.mock.Mock()
        cudart.cudaHostRegister.return_value = 712
        memory = SharedMemory(5)
        torch_cuda = {"cudart": unittest.mock.Mock(return_value=cudart), "device": contextlib.nullcontext}
        with unittest.mock.patch.multiple("torch.cuda", **torch_cuda), unittest.mock.patch("torch.zeros") as kernel:
            lock_for_gpus(memory, [Transfer(torch.device("cpu"), 0)])
            cudart.cudaHostRegister.assert_not_called()
            with self.assertLogs("optimus_yarn", "INFO") as logs:
                lock_for_gpus(memory, [Transfer(torch.device("cuda"), 0), Transfer(torch.device("cpu"), 3)])
        (address, size, flags), _ = cudart.cudaHostRegister.call_args
        whole = torch.frombuffer(memory.buffer, dtype=torch.uint8)
        self.assertEqual((whole.data_ptr(), 40, 0), (address, size, flags))
        self.assertIn("error 712", logs.output[0])
        kernel.assert_called_once()

    def test_nothing_to_train(self) -> None:
        model = nn.Linear(1, 1).requires_grad_(False)
        with self.assertRaisesRegex(OptimusError, "no parameter with requires_grad=True"):
            self.place(model)

    def test_parameters_outside_of_the_model(self) -> None:
        model, extra = nn.Linear(1, 1, bias=False), nn.Parameter(torch.zeros(2))
        optimizer = torch.optim.SGD([{"params": model.parameters()}, {"params": [extra]}], 0.1)
        self.assertEqual(
            [("weight", 0), ("group1.parameter0", 1)],
            [(each.name, each.group) for each in trained_parameters(model, optimizer)],
        )

    def test_bytes_travel_as_floats(self) -> None:
        block = StateBlock({})
        for value in ({"all": bytes(range(256))}, {"all": bytes(range(256))}, {"none": b""}):
            floats = torch.frombuffer(bytearray(block.pack_floats(value)), dtype=torch.float32)
            self.assertEqual(block.pack(value), floats_to_bytes(floats))


if __name__ == "__main__":
    unittest.main()
