"""Iterable data sets."""

from __future__ import annotations

import random
import sys
import unittest
from typing import Any, Iterator

from fake_worker import PROGRAMS, FakeCluster
from test_steps import step

from optimus_yarn import OptimusError

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

if torch is not None:
    from torch.utils import data

    from optimus_yarn.cycle import StepCycle
    from optimus_yarn.loader import PartLoader
    from optimus_yarn.streams import StreamBatches

    class Count(data.IterableDataset):
        """Yields numbers, and counts what is read."""

        def __init__(self, length: int) -> None:
            self.length = length
            self.read = self.opened = 0

        def __iter__(self) -> Iterator[int]:
            self.opened += 1
            for number in range(self.length):
                self.read += 1
                yield number


@unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")
class StreamTest(unittest.TestCase):
    def batches(self, dataset: Any, samples: int) -> StreamBatches:
        batches = StreamBatches(dataset, samples, list, 1)
        batches.within_epoch = False
        return batches

    def take(self, batches: StreamBatches, number: int, position: int, **changed: int) -> list[list[Any]]:
        batches.start = step(0, position, **changed)
        reading = iter(batches)
        return [next(reading) for _ in range(number)]

    def test_parts_of_workers_are_the_whole_batch(self) -> None:
        parts = []
        for rank in (0, 1):
            batches = self.batches(Count(10), 10)
            parts.append(self.take(batches, 4, position=2 * rank, count=2, stride=4, batch=4))
        self.assertEqual([[0, 1], [4, 5], [8, 9], [2, 3]], parts[0])
        self.assertEqual([[2, 3], [6, 7], [0, 1], [4, 5]], parts[1])

    def test_a_longer_stream_is_cut_and_a_shorter_one_begins_again(self) -> None:
        for length, expected in ((9, [[0, 1, 2, 3], [4, 0, 1, 2]]), (3, [[0, 1, 2, 0], [1, 0, 1, 2]])):
            got = self.take(self.batches(Count(length), 5), 2, position=0, count=4, stride=4, batch=4)
            self.assertEqual(expected, got)

    def test_ends_with_the_epoch(self) -> None:
        batches = StreamBatches(Count(10), 10, list, 1)
        batches.start = step(2, 8, count=2, stride=4, batch=4)
        self.assertEqual([[8, 9]], list(batches))

    def test_goes_on_where_it_is_after_a_resize_and_reads_again_to_go_back(self) -> None:
        stream = Count(100)
        batches = self.batches(stream, 100)
        self.take(batches, 3, position=0, count=4, stride=4, batch=4)
        self.take(batches, 1, position=14, count=2, stride=4, batch=4)
        self.assertEqual((1, 16), (stream.opened, stream.read))
        self.take(batches, 1, position=4, count=2, stride=4, batch=4)
        self.assertEqual((2, 16 + 6), (stream.opened, stream.read))

    def test_random_numbers_depend_on_the_position_only(self) -> None:
        class Noise(data.IterableDataset):
            def __iter__(self) -> Iterator[float]:
                offset = random.random()
                for _ in range(10):
                    yield offset + random.random()

        whole = self.take(self.batches(Noise(), 10), 5, position=0, count=4, stride=4, batch=4)
        random.seed()
        part = self.take(self.batches(Noise(), 10), 1, position=16, count=4, stride=4, batch=4)
        self.assertEqual(whole[4], part[0])
        self.assertNotEqual(whole[0], whole[1])

    def test_tells_the_data_set_its_epoch(self) -> None:
        class Told(Count):
            epochs: list[int] = []

            def set_epoch(self, epoch: int) -> None:
                self.epochs.append(epoch)

        self.take(self.batches(Told(4), 4), 3, position=0, count=4, stride=4, batch=4)
        self.assertEqual([0, 1, 2], Told.epochs)

    def test_refuses_what_has_no_end_and_no_samples(self) -> None:
        def part_loader(dataset: Any, samples: Any = None) -> PartLoader:
            return PartLoader(data.DataLoader(dataset, 4), StepCycle(), 1, samples)

        for call, problem in (
            (lambda: part_loader(Count(4)), "Count is iterable and has no length.*samples_per_epoch=N"),
            (lambda: part_loader(Count(4), 0), "samples_per_epoch=0 trains nothing"),
            (lambda: part_loader(range(4), 4), "samples_per_epoch=4 is for iterable data sets, and range has a length"),
            (
                lambda: self.take(self.batches(Count(0), 4), 1, position=0, count=1, stride=1, batch=1),
                "iterable data set Count yields no sample",
            ),
        ):
            with self.subTest(problem), self.assertRaisesRegex(OptimusError, problem):
                call()

    def test_warns_of_more_processes_than_one(self) -> None:
        with self.assertLogs("optimus_yarn", "WARNING") as logs:
            loader = PartLoader(data.DataLoader(Count(4), 4, num_workers=3), StepCycle(), 1, 4)
        self.assertIn("Count is read by one process and not by num_workers=3", logs.output[0])
        self.assertEqual(1, loader._batches.num_workers)

    def test_trains_the_same_through_resizes_and_in_a_process(self) -> None:
        losses = []
        for workers, persistent, plan in (
            ("0", "0", lambda step: 1),
            ("0", "0", lambda step: 1 if step < 4 or 10 <= step < 14 else 2),
            ("1", "1", lambda step: 1 if step < 9 else 2),
        ):
            with FakeCluster([str(PROGRAMS / "stream.py"), workers, persistent], plan) as cluster:
                losses.append(cluster.train().losses)
        self.assertEqual(19, len(losses[0]))
        for got in losses[1:]:
            for number, (one, other) in enumerate(zip(losses[0], got)):
                self.assertAlmostEqual(one, other, delta=1e-5, msg=f"step {number}")


if __name__ == "__main__":
    unittest.main()
