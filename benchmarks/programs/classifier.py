"""Learns the classes that a random network gives to random vectors; part of the training labels may be wrong.

Prints a line ``epoch seconds loss`` after each epoch, with the loss on samples that are held out and have the right labels.
The gradient has the more noise the more labels are wrong.
"""

import argparse
import time

import optimus_yarn
import torch
from torch import nn

INPUTS, CLASSES, HELD_OUT = 64, 10, 4000


def dense():
    """A small network: most of a step does not depend on the samples."""
    return nn.Sequential(nn.Linear(INPUTS, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, CLASSES))


def convolutional():
    """A network with much to compute for each sample and few parameters to exchange."""
    layers = [nn.Unflatten(1, (1, 8, 8)), nn.Conv2d(1, 32, 3, padding=1), nn.ReLU()]
    for _ in range(2):
        layers += [nn.Conv2d(32, 32, 3, padding=1), nn.ReLU()]
    return nn.Sequential(*layers, nn.Flatten(), nn.Linear(32 * INPUTS, CLASSES))


def samples(count, wrong):
    generator = torch.Generator().manual_seed(1)
    inputs = torch.randn(count + HELD_OUT, INPUTS, generator=generator)
    teacher = torch.randn(INPUTS, CLASSES, generator=generator)
    labels = (inputs @ teacher).argmax(1)
    others = torch.randint(CLASSES, (count,), generator=generator)
    flipped = torch.rand(count, generator=generator) < wrong
    labels[:count] = torch.where(flipped, others, labels[:count])
    return inputs, labels


arguments = argparse.ArgumentParser()
arguments.add_argument("--epochs", type=int, required=True)
arguments.add_argument("--samples", type=int, required=True)
arguments.add_argument("--network", choices=("dense", "convolutional"), required=True)
arguments.add_argument("--wrong-labels", type=float, required=True)
options = arguments.parse_args()

job = optimus_yarn.init()
inputs, labels = samples(options.samples, options.wrong_labels)
training = torch.utils.data.TensorDataset(inputs[: options.samples], labels[: options.samples])
loader = torch.utils.data.DataLoader(training, batch_size=64, shuffle=True)
model = dense() if options.network == "dense" else convolutional()
opt = torch.optim.SGD(model.parameters(), lr=0.005)
model, opt, loader = job.prepare(model, opt, loader)
start = None
for epoch in job.epochs(options.epochs):
    for x, y in loader:
        if start is None:
            start = time.monotonic()
        job.backward(nn.functional.cross_entropy(model(x), y))
        opt.step()
        opt.zero_grad()
    with torch.no_grad():
        loss = nn.functional.cross_entropy(model(inputs[options.samples :]), labels[options.samples :]).item()
    print(f"{epoch} {time.monotonic() - start:.3f} {loss:.5f}", flush=True)
