"""Trains a small convolutional network on hand-written digits; `python train.py` trains it without a cluster."""

import argparse
import gzip

import torch
from torch import nn

import optimus_yarn as optimus


def read(path):
    """Images of 8 x 8 pixels and their labels; the order is fixed, so that the held-out samples are always the same."""
    with gzip.open(path, "rt") as lines:
        values = torch.tensor([[float(value) for value in line.split(",")] for line in lines])
    values = values[torch.randperm(len(values), generator=torch.Generator().manual_seed(1797))]
    return values[:, :64].reshape(-1, 1, 8, 8) / 16, values[:, 64].long()


def network(channels):
    first = [nn.Conv2d(1, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU(), nn.MaxPool2d(2)]
    second = [nn.Conv2d(channels, 2 * channels, 3, padding=1), nn.ReLU(), nn.Flatten()]
    return nn.Sequential(*first, *second, nn.Linear(32 * channels, 10))


def accuracy(model, images, labels):
    model.eval()
    with torch.no_grad():
        right = (model(images).argmax(1) == labels).float().mean().item()
    model.train()
    return right


options = argparse.ArgumentParser()
options.add_argument("--epochs", type=int, default=15)
options.add_argument("--channels", type=int, default=16, help="width of the network: more take longer to compute")
options.add_argument("--data", default="digits.csv.gz")
options = options.parse_args()

job = optimus.init()
images, labels = read(options.data)
training = torch.utils.data.TensorDataset(images[:1437], labels[:1437])
test_images, test_labels = images[1437:].to(job.device), labels[1437:].to(job.device)
model = network(options.channels).to(job.device)
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
loader = torch.utils.data.DataLoader(training, batch_size=64, shuffle=True)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(opt, options.epochs)
model, opt, loader, schedule = job.prepare(model, opt, loader, schedule)
for epoch in job.epochs(options.epochs):
    for x, y in loader:
        x, y = x.to(job.device), y.to(job.device)
        job.backward(nn.functional.cross_entropy(model(x), y))
        opt.step()
        opt.zero_grad()
    schedule.step()
    job.report(accuracy=accuracy(model, test_images, test_labels))
