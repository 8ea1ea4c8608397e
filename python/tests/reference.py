"""Plain torch in one process: what the programs of these tests must compute."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Optional

import torch

import fake_worker  # noqa: F401  finds the packages below
import pieces
from optimus_yarn import seeds
from optimus_yarn.loader import shuffle_of
from optimus_yarn.samples import SampleOrder


def named_values(model: torch.nn.Module) -> Iterator[tuple[str, torch.Tensor]]:
    """Returns trainable parameters and buffers."""
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            yield name, parameter.detach().cpu()
    for name, buffer in model.named_buffers():
        yield name, buffer.cpu()


def train(
    model: str = "plain",
    optimizer: str = "sgd",
    schedule: str = "none",
    epochs: Any = 20,
    clip: Any = None,
    freeze: Any = None,
    workers_of: Optional[Callable[[int], int]] = None,
    batch_of: Callable[[int], int] = lambda step: pieces.BATCH,
) -> tuple[list[float], list[list[list[float]]], torch.nn.Module]:
    """Returns the loss of each step, the rates of each step and the trained model.

    With ``workers_of``, batches are divided as the cluster does it, and buffers are averaged over the parts. Where
    ``batch_of`` differs from the initial batch, rates are scaled by the square root of the ratio, as for Adam.
    """
    seeds.seed_all(1)
    net = pieces.model_of(model).to(pieces.DEVICE)
    dtype = next(net.parameters()).dtype
    updates = pieces.optimizer_of(optimizer, net)
    rule, every_step = pieces.schedule_of(schedule, updates)
    data = pieces.data_set()
    order = SampleOrder(len(data), shuffle_of(len(data), 1))
    steps = -(-len(data) * int(epochs) // pieces.BATCH)
    losses, rates = [], []
    position = 0
    for step in range(steps):
        batch = batch_of(step)
        indices = order.take(position, batch)
        if freeze and position >= int(freeze) * len(data):
            net[0].requires_grad_(False)
        position += batch
        workers = workers_of(step) if workers_of else 1
        updates.zero_grad(set_to_none=True)
        before = {name: buffer.clone() for name, buffer in net.named_buffers()}
        mean = {name: torch.zeros_like(buffer, dtype=torch.float32) for name, buffer in before.items()}
        loss_sum = 0.0
        for rank in range(workers):
            part = indices[batch * rank // workers : batch * (rank + 1) // workers]
            for name, buffer in net.named_buffers():
                buffer.copy_(before[name])
            inputs, labels = data.tensors[0][part].to(pieces.DEVICE, dtype), data.tensors[1][part].to(pieces.DEVICE)
            loss = torch.nn.functional.cross_entropy(net(inputs), labels) * (len(part) / batch)
            loss.backward()
            loss_sum += loss.item()
            for name, buffer in net.named_buffers():
                mean[name] += buffer * (len(part) / batch)
        for name, buffer in net.named_buffers():
            buffer.copy_(mean[name] if buffer.is_floating_point() else mean[name].round())
        if clip:
            torch.nn.utils.clip_grad_norm_(net.parameters(), float(clip))
        for parameter in net.parameters():
            if parameter.grad is None and parameter.requires_grad:
                parameter.grad = torch.zeros_like(parameter)
        rates.append([[float(group["lr"]), float(group["weight_decay"])] for group in updates.param_groups])
        for group in updates.param_groups:
            group["lr"] *= (batch / pieces.BATCH) ** 0.5
        updates.step()
        for group, (rate, _) in zip(updates.param_groups, rates[-1]):
            group["lr"] = rate
        losses.append(loss_sum)
        ends_epoch = (step + 1) * pieces.BATCH // len(data) > step * pieces.BATCH // len(data)
        if rule and (every_step or ends_epoch):
            rule.step()
    return losses, rates, net
