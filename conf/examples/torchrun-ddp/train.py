"""Digits by a small network with DistributedDataParallel, as torchrun starts it anywhere. It does not know of Optimus: the
line that it prints is all that connects them."""

import argparse
import csv
import gzip
import os

import torch
import torch.distributed as dist
import torch.nn.functional as F
from torch.nn.parallel import DistributedDataParallel

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=20)
parser.add_argument("--batch", type=int, default=64, help="samples of all processes together")
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--data", default="digits.csv.gz")
options = parser.parse_args()

with gzip.open(options.data, "rt") as file:
    rows = torch.tensor([[float(word) for word in row] for row in csv.reader(file)])
device = torch.device("cpu")
if torch.cuda.is_available():
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
pixels, digits = rows[:1500, :-1].to(device) / 16, rows[:1500, -1].long().to(device)

dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
rank, size = dist.get_rank(), dist.get_world_size()
torch.manual_seed(1)
model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=options.lr, momentum=0.9)

# A process that starts anew, because the others have changed, goes on from here.
saved = os.path.join(os.environ.get("OPTIMUS_CHECKPOINT_DIR", "."), "checkpoint.pt")
step = 0
if os.path.exists(saved):
    state = torch.load(saved, map_location=device)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    step = state["step"]
model = DistributedDataParallel(model)
print(f"rank {rank} of {size} begins with step {step}", flush=True)

steps_per_epoch = len(pixels) // options.batch
while step < options.epochs * steps_per_epoch:
    order = torch.randperm(len(pixels), generator=torch.Generator().manual_seed(step // steps_per_epoch))
    first = step % steps_per_epoch * options.batch
    mine = order[first + rank:first + options.batch:size]
    loss = F.cross_entropy(model(pixels[mine]), digits[mine])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    step += 1
    if rank == 0:
        print(f"optimus: step={step} loss={loss.item():.4f} epoch={step / steps_per_epoch:.2f}", flush=True)
        if step % 20 == 0:
            os.makedirs(os.path.dirname(os.path.abspath(saved)), exist_ok=True)
            state = {"model": model.module.state_dict(), "optimizer": optimizer.state_dict(), "step": step}
            torch.save(state, saved + ".new")
            os.replace(saved + ".new", saved)

dist.barrier()
dist.destroy_process_group()
