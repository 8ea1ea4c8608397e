"""The cycle of a step: a batch is handed out, gradients are computed, the update answers it."""

from __future__ import annotations

from typing import Any, Callable, Optional

from .errors import OptimusError
from .messages import Step, Work


class StepCycle:
    """Knows the step that comes next or runs now, and refuses calls that are out of order.

    The order of calls is ``begin``, then for each step ``hand_out``, ``add_loss`` once or several times, and
    ``update``, until ``work`` is a ``Finish``.
    """

    def __init__(self) -> None:
        self.work: Optional[Work] = None
        self.latest: Optional[Step] = None
        self.samples = 0
        self.handed_out = False
        self._loss: Any = None
        self._complete = False
        self._on_hand_out: Callable[[Step], None] = lambda step: None
        self._settle: Callable[[Work, bool], Work] = lambda work, in_epoch: work
        self._tell: Callable[[dict[str, Any]], None] = lambda message: None
        self._between_epochs = False
        self._remedy = ""

    def begin(
        self,
        work: Work,
        samples: int,
        on_hand_out: Callable[[Step], None],
        remedy: str,
        settle: Optional[Callable[[Work, bool], Work]] = None,
        tell: Optional[Callable[[dict[str, Any]], None]] = None,
    ) -> None:
        """Takes the first step. ``remedy`` tells the owner how to complete a step.

        ``settle`` returns what comes next if that was not certain. It is told whether the loop is inside of an epoch.
        ``tell`` sends the worker a message: between two epochs the program may take longer than for a step.
        """
        self._on_hand_out = on_hand_out
        self._settle = settle or self._settle
        self._tell = tell or self._tell
        self._remedy = remedy
        self.samples = samples
        self._take(work)

    def _take(self, work: Work) -> None:
        self.work = work
        if isinstance(work, Step):
            self.latest = work

    @property
    def epoch(self) -> Optional[int]:
        """The epoch of the step that comes next or runs now; None after the end and before the start."""
        return self.work.epoch(self.samples) if isinstance(self.work, Step) else None

    def next_in(self, epoch: int) -> Optional[Step]:
        """Returns the next step if it lies in ``epoch``."""
        if self.handed_out:
            assert self.latest is not None
            raise OptimusError(f"The loop went on before step {self.latest.step} was complete. {self._remedy}")
        if self.epoch == epoch:
            assert self.work is not None
            self._take(self._settle(self.work, True))
        if self.epoch == epoch:
            return self.latest
        if not self._between_epochs:
            self._between_epochs = True
            self._tell({"type": "between-epochs"})
        return None

    def next_epoch(self) -> Optional[int]:
        """Returns the epoch of the next step, once that is certain; None after the end."""
        assert self.work is not None
        self._take(self._settle(self.work, False))
        return self.epoch

    def hand_out(self) -> None:
        """Begins the next step."""
        assert self.latest is not None
        if self._between_epochs:
            self._between_epochs = False
            self._tell({"type": "computing"})
        self._on_hand_out(self.latest)
        self.handed_out = True
        self._loss = None
        self._complete = False

    def check_in_step(self, call: str) -> None:
        if not self.handed_out:
            raise OptimusError(
                f"{call} was called outside of a step. Call it once a batch has come from the loader that"
                " job.prepare returned, inside of `for epoch in job.epochs(n)`, and before opt.step()."
            )

    def add_loss(self, loss: Any, last: bool = True) -> None:
        """Adds a loss, a number or a tensor of one number, to the loss of this step; ``last`` completes its gradients."""
        self._complete = self._complete or last
        self._loss = loss if self._loss is None else self._loss + loss

    def update(self, send: Callable[[Step, Any], Work]) -> None:
        """Has ``send`` answer the step with its loss, as it was added, and keeps what comes next."""
        self.check_in_step("opt.step()")
        if self._loss is None:
            raise OptimusError(
                "opt.step() was called without job.backward(loss) in this step. Write job.backward(loss) in place of"
                " loss.backward(), so that the loss and the gradients reach the parameter servers."
            )
        if not self._complete:
            raise OptimusError(
                "opt.step() was called after job.backward(loss, last=False) only. The last job.backward of a step has to"
                " complete the gradients: call it without last=False."
            )
        assert self.latest is not None
        self._take(send(self.latest, self._loss))
        self.handed_out = False
        self._loss = None
