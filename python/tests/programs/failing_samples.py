"""Fails in a worker process of the data loader."""

import torch

import optimus_yarn as optimus
import pieces


class Failing(torch.utils.data.Dataset):
    """Cannot read sample 7."""

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int):
        if index == 7:
            raise ValueError("sample 7 is broken")
        return torch.zeros(pieces.FEATURES), 0


job = optimus.init()
model = pieces.model_of("plain")
opt = pieces.optimizer_of("sgd", model)
loader = torch.utils.data.DataLoader(Failing(), pieces.BATCH, num_workers=1)
model, opt, loader = job.prepare(model, opt, loader)
for _ in job.epochs(1):
    for inputs, labels in loader:
        job.backward(torch.nn.functional.cross_entropy(model(inputs), labels))
        opt.step()
        opt.zero_grad()
