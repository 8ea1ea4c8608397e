"""Reads samples that draw random numbers, in the given number of worker processes."""

import random
import sys

import numpy
import torch

import optimus_yarn as optimus
import pieces


class RandomSamples(torch.utils.data.Dataset):
    """Adds noise from three sources to each sample."""

    def __init__(self) -> None:
        self.data = pieces.data_set()

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, index: int):
        inputs, label = self.data[index]
        noise = random.random() + numpy.random.rand() + torch.rand(pieces.FEATURES)
        return inputs + 0.3 * noise, label


def main() -> None:
    workers, persistent = int(sys.argv[1]), sys.argv[2] == "1"
    torch.set_num_threads(1)
    job = optimus.init()
    model = pieces.model_of("plain")
    opt = pieces.optimizer_of("sgd", model)
    loader = torch.utils.data.DataLoader(
        RandomSamples(), pieces.BATCH, shuffle=True, num_workers=workers, persistent_workers=persistent
    )
    model, opt, loader = job.prepare(model, opt, loader)
    for _ in job.epochs(3):
        for inputs, labels in loader:
            job.backward(torch.nn.functional.cross_entropy(model(inputs), labels))
            opt.step()
            opt.zero_grad()


if __name__ == "__main__":
    main()
