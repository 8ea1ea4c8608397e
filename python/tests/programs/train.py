"""Trains on the cluster or alone, as the arguments say."""

import argparse
import sys
import time

import torch

import optimus_yarn as optimus
import pieces
from optimus_yarn import early, group_training

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="plain")
parser.add_argument("--optimizer", default="sgd")
parser.add_argument("--schedule", default="none")
parser.add_argument("--bends", type=float, nargs="+")
parser.add_argument("--epochs", type=int, default=20)
parser.add_argument("--parts", type=int, default=1)
parser.add_argument("--part-samples", type=int)
parser.add_argument("--scale", action="store_true")
parser.add_argument("--pause", type=float, default=0.0)
parser.add_argument("--reduce-once", action="store_true")
parser.add_argument("--keep-gradients", action="store_true")
parser.add_argument("--clip", type=float)
parser.add_argument("--print-losses", action="store_true")
parser.add_argument("--workers", type=int, default=0)
parser.add_argument("--like-a-gpu", action="store_true")
parser.add_argument("--overlap", action="store_true")
parser.add_argument("--freeze", type=int, help="the epoch from which on the first layer is frozen")
options = parser.parse_args()

if options.like_a_gpu:
    group_training._computes_asynchronously = lambda device: True
# The models of tests are small.
early._BUCKET_FLOATS = 8
torch.set_num_threads(1)
job = optimus.init()
model = pieces.model_of(options.model).to(pieces.DEVICE)
optimizer = pieces.optimizer_of(options.optimizer, model)
loader = torch.utils.data.DataLoader(
    pieces.data_set(), batch_size=pieces.BATCH, shuffle=True, num_workers=options.workers
)
schedule, every_step = pieces.schedule_of(options.schedule, optimizer)
schedules = [schedule] if schedule else []
model, optimizer, loader, *schedules = job.prepare(
    model, optimizer, loader, *schedules, bends=options.bends, overlap=options.overlap
)
scaler = torch.GradScaler(pieces.DEVICE.type, init_scale=1024.0, growth_interval=10) if options.scale else None
loss_function = torch.nn.CrossEntropyLoss()
dtype = next(model.parameters()).dtype
for epoch in job.epochs(options.epochs):
    model.train()
    if epoch == options.freeze:
        model[0].requires_grad_(False)
    for inputs, labels in loader:
        inputs, labels = inputs.to(pieces.DEVICE, dtype), labels.to(pieces.DEVICE)
        time.sleep(options.pause)
        total = 0.0
        samples = options.part_samples or -(-len(labels) // options.parts)
        parts = list(zip(inputs.split(samples), labels.split(samples)))
        for number, (part_inputs, part_labels) in enumerate(parts):
            loss = loss_function(model(part_inputs), part_labels) * (len(part_labels) / len(labels))
            job.backward(loss, scaler, last=not options.reduce_once or number + 1 == len(parts))
            total += loss.item()
        if options.clip and scaler is not None:
            scaler.unscale_(optimizer)
        if options.clip:
            torch.nn.utils.clip_grad_norm_(model.parameters(), options.clip)
        if scaler is None:
            optimizer.step()
            assert list(model.parameters())[-1].grad is not None, "the gradient is gone after the update"
        else:
            scaler.step(optimizer)
            scaler.update()
        if schedule and every_step:
            schedule.step()
        optimizer.zero_grad(set_to_none=not options.keep_gradients)
        if options.print_losses:
            print(f"loss {total!r}")
    if schedule and not every_step:
        schedule.step()
    model.eval()
    job.report(epoch_again=epoch, norm=sum(float(p.detach().norm()) for p in model.parameters()))
print("done", file=sys.stderr)
