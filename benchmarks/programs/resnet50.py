"""ResNet-50 on images of ImageNet's shape, 64 a step (He et al. 2016, section 4.1): 25.6 million parameters, for GPUs."""

import torch
import windows
from torch import nn


class Bottleneck(nn.Module):
    def __init__(self, inputs, inner, stride):
        super().__init__()
        outputs = 4 * inner
        self.body = nn.Sequential(
            nn.Conv2d(inputs, inner, 1, bias=False), nn.BatchNorm2d(inner), nn.ReLU(),
            nn.Conv2d(inner, inner, 3, stride, 1, bias=False), nn.BatchNorm2d(inner), nn.ReLU(),
            nn.Conv2d(inner, outputs, 1, bias=False), nn.BatchNorm2d(outputs),
        )  # fmt: skip
        self.shortcut = nn.Identity()
        if inputs != outputs or stride != 1:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return nn.functional.relu(self.body(x) + self.shortcut(x))


def resnet50():
    layers = [nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    inputs = 64
    for inner, blocks, first_stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for block in range(blocks):
            layers.append(Bottleneck(inputs, inner, first_stride if block == 0 else 1))
            inputs = 4 * inner
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000))


job = windows.job()
images, labels = torch.randn(256, 3, 224, 224), torch.randint(1000, (256,))
many = torch.utils.data.Subset(torch.utils.data.TensorDataset(images, labels), 40 * list(range(256)))
model = resnet50().to(windows.DEVICE)
opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
loader = torch.utils.data.DataLoader(many, batch_size=64, shuffle=True)
model, opt, loader = job.prepare(model, opt, loader)
measured = windows.Windows()
for epoch in job.epochs(windows.EPOCHS):
    for x, y in loader:
        x, y = x.to(windows.DEVICE), y.to(windows.DEVICE)
        job.backward(nn.functional.cross_entropy(model(x), y))
        opt.step()
        opt.zero_grad()
        measured.step_done()
