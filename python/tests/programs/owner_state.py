"""Counts batches in the owner's state, and says what a joiner finds there."""

import torch

import optimus_yarn as optimus
import pieces

job = optimus.init()
model = pieces.model_of("plain")
opt = pieces.optimizer_of("sgd", model)
loader = torch.utils.data.DataLoader(pieces.data_set(), pieces.BATCH, shuffle=True)
model, opt, loader = job.prepare(model, opt, loader)
first = True
for epoch in job.epochs(2):
    if first and job.step > 0:
        print(f"joined at step {job.step} of epoch {epoch} with {job.state}")
    first = False
    for inputs, labels in loader:
        job.state["batches"] = job.step + 1
        job.backward(torch.nn.functional.cross_entropy(model(inputs), labels))
        opt.step()
        opt.zero_grad()
