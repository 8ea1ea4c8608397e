"""What the owner's loader does for its batches holds for those of the prepared one."""

from __future__ import annotations

import contextlib
import sys
import unittest
from typing import Any

import fake_worker  # noqa: F401  finds the packages below

try:
    import torch
    from torch.utils import data
except ImportError:
    torch = None  # type: ignore[assignment]

from optimus_yarn.job import Job

if torch is not None:
    import pieces
    from optimus_yarn.loader import shuffle_of

    class Opened(data.Dataset):
        """Can be read once a worker process has opened it, as files are."""

        file: Any = None

        def __len__(self) -> int:
            return 4

        def __getitem__(self, index: int) -> Any:
            return torch.full((1,), self.file[index])

    def open_in_worker(number: int) -> None:
        data.get_worker_info().dataset.file = [1.0, 1.0, 1.0, 1.0]

    class Stream(data.IterableDataset):
        def __len__(self) -> int:
            return 4

        def __iter__(self) -> Any:
            return iter([1, 2, 3, 4])


@unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
class LoaderTest(unittest.TestCase):
    def batches(self, loader: Any, draws: int = 0, during: Any = contextlib.nullcontext()) -> list[Any]:
        """Returns the batches of one epoch in which the loop draws so many random numbers in each step.

        The job is prepared in the context ``during``.
        """
        job = Job(None)
        model = pieces.model_of("plain")
        opt = pieces.optimizer_of("sgd", model)
        with during:
            _, opt, loader = job.prepare(model, opt, loader)
        seen = []
        for _ in job.epochs(1):
            for batch in loader:
                seen.append(batch)
                torch.rand(draws)
                job.backward(sum(parameter.sum() for parameter in model.parameters()))
                opt.step()
        return seen

    @unittest.skipUnless(hasattr(torch, "set_default_device"), "This torch has no default device")
    def test_shuffles_alike_whatever_the_default_device(self) -> None:
        expected = shuffle_of(7, 1)(0)
        with torch.device("meta"):
            self.assertTrue(torch.equal(expected, shuffle_of(7, 1)(0)))

    @unittest.skipUnless(hasattr(torch, "set_default_device"), "This torch has no default device")
    def test_may_be_prepared_under_another_default_device(self) -> None:
        self.assertEqual(7, len(self.batches(data.DataLoader(pieces.data_set(), 32), during=torch.device("meta"))))

    def test_random_numbers_of_a_collate_fn_do_not_depend_on_the_loop(self) -> None:
        def collate(samples: list[Any]) -> Any:
            return torch.rand(2)

        first, second = (
            self.batches(data.DataLoader(pieces.data_set(), 32, collate_fn=collate), draws) for draws in (0, 3)
        )
        self.assertEqual(7, len(first))
        self.assertTrue(torch.equal(torch.stack(first), torch.stack(second)))

    def test_worker_init_fn_sees_the_owners_data_set(self) -> None:
        loader = data.DataLoader(Opened(), 4, num_workers=1, worker_init_fn=open_in_worker)
        self.assertEqual(4.0, float(self.batches(loader)[0].sum()))

    def test_batches_of_a_stream_are_those_of_the_collate_fn(self) -> None:
        loader = data.DataLoader(Stream(), 4, collate_fn=tuple)
        self.assertEqual([(1, 2, 3, 4)], self.batches(loader))


if __name__ == "__main__":
    unittest.main()
