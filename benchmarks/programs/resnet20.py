"""ResNet-20 on images of CIFAR's shape, 128 a step (He et al. 2016, section 4.2): few parameters for what it computes."""

import torch
import windows
from torch import nn


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(),
            nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs),
        )  # fmt: skip
        self.padding = outputs - inputs
        self.stride = stride

    def forward(self, x):
        shortcut = nn.functional.pad(x[:, :, :: self.stride, :: self.stride], (0, 0, 0, 0, 0, self.padding))
        return nn.functional.relu(self.body(x) + shortcut)


def resnet20():
    layers = [nn.Conv2d(3, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU()]
    for inputs, outputs in ((16, 16), (16, 32), (32, 64)):
        layers += [Block(inputs, outputs, outputs // inputs), Block(outputs, outputs, 1), Block(outputs, outputs, 1)]
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(64, 10))


job = windows.job()
images, labels = torch.randn(2048, 3, 32, 32), torch.randint(10, (2048,))
model = resnet20().to(windows.DEVICE)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(images, labels), batch_size=128, shuffle=True)
model, opt, loader = job.prepare(model, opt, loader)
measured = windows.Windows()
for epoch in job.epochs(windows.EPOCHS):
    for x, y in loader:
        x, y = x.to(windows.DEVICE), y.to(windows.DEVICE)
        job.backward(nn.functional.cross_entropy(model(x), y))
        opt.step()
        opt.zero_grad()
        measured.step_done()
