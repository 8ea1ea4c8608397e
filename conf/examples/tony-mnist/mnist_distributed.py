"""Handwritten digits on several workers, as a program for TonY: it finds the others by INIT_METHOD, RANK and WORLD."""

import csv
import gzip
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F

rank, world = int(os.environ["RANK"]), int(os.environ["WORLD"])
dist.init_process_group("gloo", init_method=os.environ["INIT_METHOD"], rank=rank, world_size=world)

with gzip.open("digits.csv.gz", "rt") as file:
    rows = torch.tensor([[float(word) for word in row] for row in csv.reader(file)])
pixels, digits = rows[:, :-1] / 16, rows[:, -1].long()

torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
for epoch in range(10):
    for first in range(0, len(pixels), 64):
        mine = slice(first + rank, first + 64, world)
        loss = F.cross_entropy(model(pixels[mine]), digits[mine])
        optimizer.zero_grad()
        loss.backward()
        for parameter in model.parameters():
            dist.all_reduce(parameter.grad)
            parameter.grad /= world
        optimizer.step()
    print(f"epoch {epoch + 1}: loss {loss.item():.4f}", flush=True)
dist.destroy_process_group()
