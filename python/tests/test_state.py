"""The state block, the counts of schedule calls and the order of samples."""

from __future__ import annotations

import unittest

import fake_worker  # noqa: F401  finds the package below

from optimus_yarn import OptimusError
from optimus_yarn.samples import SampleOrder
from optimus_yarn.seeds import mix
from optimus_yarn.state import CallCounts, StateBlock


class StateBlockTest(unittest.TestCase):
    def test_returns_what_it_was_given(self) -> None:
        block = StateBlock({})
        value = {"best": 0.91, "names": ["a", "b"]}
        content = block.pack(value)
        self.assertEqual(value, block.unpack(content + b"\0" * (block.capacity - len(content))))

    def test_has_room_for_twice_its_first_size(self) -> None:
        self.assertEqual(4096, StateBlock({}).capacity)
        block = StateBlock(b"x" * 5000)
        self.assertEqual(10 * 1024, block.capacity)
        with self.assertRaisesRegex(OptimusError, "take 2.... bytes, and the state has room for 10240.*in files"):
            block.pack(b"x" * 20000)

    def test_refuses_what_cannot_be_pickled(self) -> None:
        with self.assertRaisesRegex(OptimusError, "cannot be pickled.*plain values"):
            StateBlock({}).pack({"function": lambda: 1})

    def test_refuses_garbage(self) -> None:
        with self.assertRaisesRegex(OptimusError, "impossible length.*same program"):
            StateBlock({}).unpack(b"\xff" * 4096)


class CallCountsTest(unittest.TestCase):
    def test_one_call_is_assumed_after_the_first_epoch(self) -> None:
        counts = CallCounts()
        counts.record(0, ended_epoch=False)
        self.assertEqual((0, 1), (counts.expected(False), counts.expected(True)))

    def test_calls_after_each_step_are_assumed_after_the_first_epoch(self) -> None:
        counts = CallCounts()
        counts.record(2, ended_epoch=False)
        self.assertEqual((2, 2), (counts.expected(False), counts.expected(True)))

    def test_counted_ends_of_epochs_are_repeated(self) -> None:
        counts = CallCounts()
        counts.record(1, ended_epoch=False)
        counts.record(0, ended_epoch=True)
        self.assertEqual((1, 0), (counts.expected(False), counts.expected(True)))


class SampleOrderTest(unittest.TestCase):
    def test_batches_go_on_over_the_end_of_an_epoch(self) -> None:
        self.assertEqual([8, 9, 0, 1], SampleOrder(10, None).take(8, 4))

    def test_a_batch_may_be_larger_than_the_data_set(self) -> None:
        self.assertEqual([2, 0, 1, 2, 0, 1, 2], SampleOrder(3, None).take(2, 7))

    def test_seeds_differ(self) -> None:
        self.assertEqual(1000, len({mix(a, b) for a in range(10) for b in range(100)}))
        self.assertNotEqual(mix(1, 2), mix(2, 1))


if __name__ == "__main__":
    unittest.main()
