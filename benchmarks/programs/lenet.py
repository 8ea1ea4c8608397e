"""LeNet on images of 8 x 8, 64 a step: a small model, of which a step takes about 2 ms."""

import torch
import windows
from torch import nn

job = windows.job()
images, labels = torch.randn(1437, 1, 8, 8), torch.randint(10, (1437,))
model = nn.Sequential(
    nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.AvgPool2d(2), nn.Conv2d(6, 16, 3), nn.ReLU(), nn.Flatten(),
    nn.Linear(64, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
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
