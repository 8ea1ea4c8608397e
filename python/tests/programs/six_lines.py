"""The program of the README."""

import torch

import optimus_yarn as optimus
import pieces

job = optimus.init()
model = pieces.model_of("plain")
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-3)
loader = torch.utils.data.DataLoader(pieces.data_set(), batch_size=pieces.BATCH, shuffle=True)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: 0.99**step)
loss_fn = torch.nn.functional.cross_entropy

model, opt, loader, sched = job.prepare(model, opt, loader, sched)
for epoch in job.epochs(3):
    for x, y in loader:
        job.backward(loss_fn(model(x), y))
        opt.step()
        sched.step()
        opt.zero_grad()
    job.report(accuracy=float((model(x).argmax(1) == y).float().mean()))
