"""Buckets of gradients, and the noise that is measured from them."""

from __future__ import annotations

import sys
import threading
import unittest
from typing import Any, Callable

import fake_worker  # noqa: F401  finds the packages below

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]

if torch is not None:
    import pieces
    from optimus_yarn.buckets import Buckets
    from optimus_yarn.noise import GradientNoise, ScaledRates, estimate, rate_factor

needs_torch = unittest.skipIf(torch is None, f"torch is not installed for {sys.executable}")


class SharedSum:
    """Adds up what the threads of several workers give, call by call."""

    def __init__(self, workers: int) -> None:
        self._barrier = threading.Barrier(workers, timeout=60)
        self._given: list[Any] = [None] * workers
        self.sizes: list[int] = []

    def reducer(self, rank: int) -> Any:
        return _Member(self, rank)

    def add_up(self, rank: int, values: torch.Tensor) -> None:
        self._given[rank] = values
        self._barrier.wait()
        if rank == 0:
            self.sizes.append(values.numel())
            total = sum(value.clone() for value in self._given)
            for value in self._given:
                value.copy_(total)
        self._barrier.wait()


class _Member:
    def __init__(self, shared: SharedSum, rank: int) -> None:
        self._shared = shared
        self._rank = rank

    def all_reduce(self, values: torch.Tensor) -> Callable[[], None]:
        return lambda: self._shared.add_up(self._rank, values)


@needs_torch
class NoiseTest(unittest.TestCase):
    def test_estimates_of_the_example(self) -> None:
        self.assertEqual((3.0, 8.0), estimate(weighted_squares=5.0, square_of_mean=4.0, gradients=2, batch=8))

    def test_agrees_with_gradients_of_single_samples(self) -> None:
        """The mean estimate over many batches is the one that all gradients of single samples give."""
        torch.manual_seed(3)
        model = pieces.model_of("plain")
        inputs, labels = pieces.data_set().tensors
        rows = []
        for index in range(len(inputs)):
            model.zero_grad()
            torch.nn.functional.cross_entropy(model(inputs[index : index + 1]), labels[index : index + 1]).backward()
            rows.append(torch.cat([each.grad.reshape(-1) for each in model.parameters()]))
        samples = torch.stack(rows).double()
        mean = samples.mean(0)
        trace = float(((samples - mean) ** 2).sum() / len(samples))
        generator = torch.Generator().manual_seed(4)
        estimates = []
        for _ in range(4000):
            # Three workers with unequal parts, drawn with replacement as from an endless data set.
            parts = [samples[torch.randint(len(samples), (count,), generator=generator)] for count in (11, 11, 10)]
            weighted = sum(len(part) / 32 * float((part.mean(0) ** 2).sum()) for part in parts)
            whole = torch.cat(parts).mean(0)
            estimates.append(estimate(weighted, float((whole**2).sum()), 3, 32))
        squared_norm = sum(each[0] for each in estimates) / len(estimates)
        measured_trace = sum(each[1] for each in estimates) / len(estimates)
        self.assertAlmostEqual(1.0, measured_trace / trace, delta=0.03)
        self.assertAlmostEqual(1.0, squared_norm / float((mean**2).sum()), delta=0.05)

    def test_smoothed_and_scaled_to_the_initial_batch(self) -> None:
        noise = GradientNoise(initial_batch=4)
        self.assertIsNone(noise.to_message())
        self.assertEqual(1.0, noise.gain(8))
        noise.add(5.0, 4.0, 2, 8)
        noise.add(float("inf"), 4.0, 2, 8)
        known = noise.to_message()
        assert known is not None
        self.assertAlmostEqual(3.0, known["squaredNorm"])
        self.assertAlmostEqual(2.0, known["variance"])
        # (2 + 3) / (2 / 2 + 3)
        self.assertAlmostEqual(1.25, noise.gain(8))
        copy = GradientNoise(4)
        copy.load(noise.state())
        self.assertEqual(known, copy.to_message())

    def test_rates_follow_the_batch_and_come_back(self) -> None:
        model = pieces.model_of("plain")
        noise = GradientNoise(4)
        noise.add(5.0, 4.0, 2, 8)
        adam = pieces.optimizer_of("adamw", model)
        self.assertEqual(2.0, rate_factor(adam, noise, 16, 4))
        sgd = pieces.optimizer_of("groups", model)
        self.assertAlmostEqual(1.25, rate_factor(sgd, noise, 8, 4))
        self.assertEqual(1.0, rate_factor(sgd, noise, 4, 4))
        with ScaledRates(sgd, 1.25):
            self.assertEqual([0.125, 0.025], [group["lr"] for group in sgd.param_groups])
        self.assertEqual([0.1, 0.02], [group["lr"] for group in sgd.param_groups])


@needs_torch
class BucketsTest(unittest.TestCase):
    def wide_model(self) -> Any:
        """Returns a model of 2.4 MB, for more than one bucket."""
        torch.manual_seed(1)
        return torch.nn.Sequential(
            torch.nn.Linear(300, 1000), torch.nn.Tanh(), torch.nn.Linear(1000, 300), torch.nn.Linear(300, 4)
        )

    def test_mean_gradient_and_squares_of_two_workers(self) -> None:
        generator = torch.Generator().manual_seed(2)
        inputs = torch.randn(8, 300, generator=generator)
        labels = torch.arange(8) % 4
        parts = (slice(0, 5), slice(5, 8))
        shared = SharedSum(2)
        models = [self.wide_model() for _ in parts]
        squares: list[Any] = [None, None]
        failures: list[BaseException] = []

        def work(rank: int) -> None:
            part = parts[rank]
            weight = len(inputs[part]) / 8
            try:
                buckets = Buckets(list(models[rank].parameters()), extra=2, measure=True)
                buckets.start(shared.reducer(rank), weight)
                torch.nn.functional.cross_entropy(models[rank](inputs[part]), labels[part]).backward()
                squares[rank] = complete(buckets, rank, weight)
            except BaseException as error:
                failures.append(error)

        def complete(buckets: Any, rank: int, weight: float) -> Any:
            def fill(extra: torch.Tensor, square: float) -> None:
                extra[0], extra[1] = square / weight, rank + 1

            return buckets.complete(fill), buckets.extra.tolist()

        threads = [threading.Thread(target=work, args=(rank,)) for rank in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(120)
        self.assertEqual([], failures)
        whole = self.wide_model()
        torch.nn.functional.cross_entropy(whole(inputs), labels).backward()
        norms = []
        for part in parts:
            alone = self.wide_model()
            torch.nn.functional.cross_entropy(alone(inputs[part]), labels[part]).backward()
            norms.append(sum(float((each.grad**2).sum()) for each in alone.parameters()))
        for model in models:
            for expected, got in zip(whole.parameters(), model.parameters()):
                self.assertLess(float((expected.grad - got.grad).abs().max()), 1e-6)
        self.assertGreater(len(shared.sizes), 1)
        for square_of_mean, extra in squares:
            expected = sum(float((each.grad**2).sum()) for each in whole.parameters())
            self.assertAlmostEqual(1.0, square_of_mean / expected, delta=1e-4)
            self.assertAlmostEqual(1.0, extra[0] / (5 / 8 * norms[0] + 3 / 8 * norms[1]), delta=1e-4)
            self.assertEqual(3.0, extra[1])

    def test_parts_of_a_lone_worker_add_up_however_often_backward_is_called(self) -> None:
        for dtype in (torch.float32, torch.float64, torch.bfloat16):
            with self.subTest(dtype):
                parameter = torch.nn.Parameter(torch.zeros(2, dtype=dtype))
                buckets = Buckets([parameter], extra=0, measure=False)
                for gradient in (1.0, 2.0):
                    parameter.grad = torch.full_like(parameter, gradient)
                    buckets.keep_part()
                for gradient in (4.0, 8.0):
                    assert parameter.grad is not None
                    parameter.grad += gradient
                    buckets.add_parts()
                self.assertEqual([15.0, 15.0], parameter.grad.tolist())

    def test_parts_with_sparse_gradients(self) -> None:
        table = torch.nn.Embedding(3, 2, sparse=True)
        buckets = Buckets(list(table.parameters()), extra=0, measure=False)
        for places, complete in (([0, 1], buckets.keep_part), ([1], buckets.add_parts)):
            table.weight.grad = None
            table(torch.tensor(places)).sum().backward()
            complete()
        self.assertEqual([[1.0, 1.0], [2.0, 2.0], [0.0, 0.0]], table.weight.grad.tolist())


if __name__ == "__main__":
    unittest.main()
