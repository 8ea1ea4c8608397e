"""Reads a stream with a shuffle buffer, in the given number of worker processes."""

import random
import sys

import torch

import optimus_yarn as optimus
import pieces


class Stream(torch.utils.data.IterableDataset):
    """Yields fewer samples than an epoch has, in an order of their own in each pass."""

    def __init__(self) -> None:
        self.data = pieces.data_set()

    def __iter__(self):
        buffer = []
        for index in range(len(self.data) - 30):
            buffer.append(index)
            if len(buffer) > 20:
                inputs, label = self.data[buffer.pop(random.randrange(len(buffer)))]
                yield inputs + 0.1 * torch.rand(pieces.FEATURES), label


def main() -> None:
    torch.set_num_threads(1)
    job = optimus.init()
    model = pieces.model_of("plain")
    opt = pieces.optimizer_of("sgd", model)
    loader = torch.utils.data.DataLoader(
        Stream(), pieces.BATCH, num_workers=int(sys.argv[1]), persistent_workers=sys.argv[2] == "1"
    )
    model, opt, loader = job.prepare(model, opt, loader, samples_per_epoch=200)
    for _ in job.epochs(3):
        for inputs, labels in loader:
            job.backward(torch.nn.functional.cross_entropy(model(inputs), labels))
            opt.step()
            opt.zero_grad()


if __name__ == "__main__":
    main()
