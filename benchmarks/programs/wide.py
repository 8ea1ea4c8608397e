"""A LeNet with wide dense layers on images of 28 x 28, 64 a step: 10 million parameters, many for what it computes."""

import torch
import windows
from torch import nn

job = windows.job()
images, labels = torch.randn(2048, 1, 28, 28), torch.randint(10, (2048,))
model = nn.Sequential(
    nn.Conv2d(1, 16, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 5, padding=2), nn.ReLU(),
    nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * 49, 3600), nn.ReLU(), nn.Linear(3600, 1200), nn.ReLU(),
    nn.Linear(1200, 10),
).to(windows.DEVICE)  # fmt: skip
opt = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(images, labels), batch_size=64, shuffle=True)
model, opt, loader = job.prepare(model, opt, loader)
measured = windows.Windows()
for epoch in job.epochs(windows.EPOCHS):
    for x, y in loader:
        x, y = x.to(windows.DEVICE), y.to(windows.DEVICE)
        job.backward(nn.functional.cross_entropy(model(x), y))
        opt.step()
        opt.zero_grad()
        measured.step_done()
