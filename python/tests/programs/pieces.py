"""Models, data, optimizers and schedules that the test programs and their references share."""

from __future__ import annotations

import os

import torch
from torch import nn

SAMPLES, FEATURES, CLASSES, BATCH = 210, 12, 4, 32

# Where train.py and its reference compute: "cpu" or "cuda".
DEVICE = torch.device(os.environ.get("OPTIMUS_TEST_DEVICE", "cpu"))


def data_set() -> torch.utils.data.TensorDataset:
    generator = torch.Generator().manual_seed(5)
    inputs = torch.randn(SAMPLES, FEATURES, generator=generator)
    labels = (inputs @ torch.randn(FEATURES, CLASSES, generator=generator)).argmax(1)
    return torch.utils.data.TensorDataset(inputs, labels)


class Tied(nn.Module):
    """Uses one square matrix twice."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(FEATURES, FEATURES)
        self.second = nn.Linear(FEATURES, FEATURES)
        self.second.weight = self.first.weight
        self.last = nn.Linear(FEATURES, CLASSES)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        return self.last(self.second(torch.tanh(self.first(inputs))))


class Unused(nn.Module):
    """Has a layer without gradients."""

    def __init__(self) -> None:
        super().__init__()
        self.unused = nn.Linear(3, 3)
        self.used = nn.Linear(FEATURES, CLASSES)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        return self.used(inputs)


class Running(nn.Module):
    """Puts a new tensor in the place of its buffer in each step."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(FEATURES))
        self.register_buffer("scale", torch.ones(FEATURES))
        self.first = nn.Linear(FEATURES, FEATURES)
        self.last = nn.Linear(FEATURES, CLASSES)

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        if self.training:
            self.mean = 0.9 * self.mean + 0.1 * inputs.mean(0)
        outputs = self.last(self.first(inputs - self.mean) * self.scale)
        if self.training:
            # The backward pass still needs the old value.
            self.scale = 0.9 * self.scale + 0.1 * inputs.abs().mean(0)
        return outputs


def model_of(kind: str) -> nn.Module:
    if kind == "tied":
        return Tied()
    if kind == "running":
        return Running()
    if kind == "unused":
        return Unused()
    middle = [nn.BatchNorm1d(16)] if kind == "batchnorm" else []
    model = nn.Sequential(nn.Linear(FEATURES, 16), *middle, nn.Tanh(), nn.Linear(16, CLASSES))
    if kind == "frozen":
        for parameter in model[0].parameters():
            parameter.requires_grad_(False)
    if kind == "float64":
        model.double()
    return model


def optimizer_of(kind: str, model: nn.Module) -> torch.optim.Optimizer:
    if kind == "groups":
        parameters = list(model.parameters())
        return torch.optim.SGD(
            [{"params": parameters[:2]}, {"params": parameters[2:], "lr": 0.02, "weight_decay": 1e-3}],
            lr=0.1,
            momentum=0.9,
        )
    if kind == "adam":
        return torch.optim.Adam(model.parameters(), lr=3e-3, weight_decay=1e-3)
    if kind == "adamw":
        return torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-2)
    if kind == "still":
        return torch.optim.SGD(model.parameters(), lr=0.0)
    others = {
        "adagrad": torch.optim.Adagrad,
        "rmsprop": torch.optim.RMSprop,
        "adamax": torch.optim.Adamax,
        "nadam": torch.optim.NAdam,
    }
    if kind in others:
        return others[kind](model.parameters(), lr=3e-3)
    return torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-3)


class OwnSchedule:
    """A schedule that torch does not know: a tenth of the learning rate from step FALL on."""

    FALL = 25

    def __init__(self, optimizer: torch.optim.Optimizer) -> None:
        self.optimizer, self.calls = optimizer, 0

    def step(self) -> None:
        self.calls += 1
        if self.calls == self.FALL:
            for group in self.optimizer.param_groups:
                group["lr"] *= 0.1

    def state_dict(self) -> dict[str, int]:
        return {"calls": self.calls}

    def load_state_dict(self, values: dict[str, int]) -> None:
        self.calls = values["calls"]


def schedule_of(kind: str, optimizer: torch.optim.Optimizer):
    """Returns a schedule and whether it is called at each step."""
    if kind == "epochs":
        return torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5), False
    if kind == "onecycle":
        return torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.01, total_steps=200), True
    if kind == "steps":
        warm_up = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 20) * 0.99**step)
        return warm_up, True
    if kind == "own":
        return OwnSchedule(optimizer), True
    return None, False
