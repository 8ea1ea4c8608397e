"""Training in which the workers hold all state and make updates from the mean gradient.

They reduce gradients among themselves, or have parameter servers average them.

A membership begins with ``begin`` and ends with exactly one ``boundary`` or ``interrupted``. In between this process
makes steps by itself: the backward pass ends with the mean gradient, and the program's own optimizer makes the update. Workers
change where the loop asks for its next batch: the state is then the one before a step, schedules and the owner's values
included. A process that takes over another's state loads the small part of it once more where its loop gets its first
batch, because the program may have called schedules on the way there which the others called long ago.
"""

from __future__ import annotations

import pickle
from typing import Any, Optional

import torch

from .averaging import ServerAverage
from .bends import Bends
from .buckets import Buckets
from .connection import Connection
from .errors import OptimusError
from .group import Group, GroupFailed, Rendezvous
from .layout import StateLayout
from .measuring import StepMeasurement
from .membership import CurrentMembership
from .memory import SharedMemory
from .messages import Begin, Finish, GoOn, GroupStep, Save, Step, Taken, Work
from .noise import GradientNoise, ScaledRates, rate_factor
from .saving import own_module
from .schedules import Schedules
from .small_state import SmallState
from .tensors import ReplacedBuffers, shared_buffers, trained_parameters
from .training import ReadAhead, compute_gradients

# What ``interrupted`` names as next step where this process has no state of the job yet.
NO_STATE = -1

# The numbers that travel behind the gradients: the loss, whether to stop, this worker's part in the noise, and the step.
_LOSS, _STOP, _SQUARES, _STEP, _FIRST_BUFFER = range(5)
# The step travels modulo this number: the mean of so small numbers is exact enough in float32 to tell two steps apart.
_STEPS_TOLD_APART = 64

_UNEQUAL_CALLS = (
    "The workers called job.backward a different number of times in a step, so that gradients of different steps were added"
    " up. Give last=False to all calls of a step but the last."
)
_AVERAGED_TWICE = (
    "job.backward was called again in a step whose gradients the parameter servers had averaged already. With"
    " `update: worker` the last call of a step has to complete them: give the others last=False."
)


class GroupTraining:
    """Trains with the program's own optimizer on the mean gradient of a group of workers."""

    def __init__(
        self,
        connection: Connection,
        model: torch.nn.Module,
        optimizer: torch.optim.Optimizer,
        own_step: Any,
        schedules: Schedules,
        owner_state: dict[str, Any],
        bends: Bends,
    ) -> None:
        self._connection = connection
        self._bends = bends
        self._updated: Optional[Step] = None
        self._adaptive = connection.welcome.adaptive
        self._model = own_module(model)
        self._optimizer = optimizer
        self._own_step = own_step
        self._schedules = schedules
        self._owner_state = owner_state
        self._membership = CurrentMembership()
        self._begin: Optional[Begin] = None
        self._next = NO_STATE
        # The first worker asks before this step whether training goes on.
        self._decision = 0
        self._in_epoch = False
        self._at_boundary = False
        self._interrupted = False
        # The small state that this process took over, until its loop has its first batch.
        self._taken_over: Optional[dict[str, Any]] = None
        # Buffers and small state before the step in flight, where it may have to be repeated.
        self._kept: Optional[tuple[list[torch.Tensor], bytes]] = None
        self._save_step: Optional[int] = None
        self._memory_is_free = True
        self._buckets: Optional[Buckets] = None
        # Averages in place of the buckets where there are parameter servers.
        self._servers: Optional[ServerAverage] = None
        # Whether they have averaged the step in flight.
        self._is_averaged = False

    def start(self, samples: int, batch: int, epochs: int, read_ahead: ReadAhead) -> Work:
        self._samples, self._epochs, self._read_ahead = samples, epochs, read_ahead
        trained = trained_parameters(self._model, self._optimizer)
        self._trained = {id(each.parameter) for each in trained}
        self._parameters = [each.parameter for each in trained]
        buffers = shared_buffers(self._model)
        self._buffers = [buffer for _, buffer in buffers]
        self._replaced = ReplacedBuffers(self._model, buffers)
        self._averaged = [buffer for buffer in self._buffers if buffer.is_floating_point()]
        self._device = self._parameters[0].device
        self._initial_batch = batch
        self._noise = GradientNoise(batch)
        self._measurement = StepMeasurement(self._noise, self._device)
        self._small_state = SmallState(self._schedules, self._bends, self._noise, self._owner_state)
        self._layout = StateLayout(trained, buffers, self._optimizer, self._small)
        if self._connection.welcome.all_reduce:
            memory = SharedMemory(self._layout.floats, more=0)
        else:
            averaged = sum(each.numel() for each in [*self._parameters, *self._buffers])
            memory = SharedMemory(self._layout.floats, averaged)
            self._servers = ServerAverage(self._connection, memory, self._parameters, self._buffers)
        self._layout.place(memory)
        self._layout.write()
        self._rendezvous = Rendezvous()
        self._connection.take_at_once(self._membership.arrived)
        self._connection.send(
            {
                "type": "ready",
                "pid": memory.process,
                "memory": {"path": memory.path, "floats": memory.floats},
                "rendezvous": self._rendezvous.port,
                "blocks": self._layout.to_message(),
                "samples": samples,
                "batch": batch,
                "epochs": epochs,
                "optimizer": {"kind": "own", "name": type(self._optimizer).__name__},
                "groups": len(self._optimizer.param_groups),
                "bends": self._bends.epochs,
            }
        )
        return self._await_begin()

    # Between memberships.

    def settle(self, work: Work, in_epoch: bool) -> Work:
        if isinstance(work, Finish):
            return work
        self._in_epoch = in_epoch
        if not in_epoch:
            self._measurement.pause()
        if self._interrupted:
            self._interrupted = False
            self._take_small(self._kept_small())
        elif self._at_boundary:
            self._at_boundary = False
            membership = self._membership.leave()
            self._connection.send({"type": "boundary", "membership": membership, "step": self._next})
        elif self._membership.is_aborted:
            if isinstance(work, GroupStep) and work.part > 0:
                self._restore_kept()
                self._take_small(self._kept_small())
            self._send_interrupted("The membership was given up")
        else:
            if self._taken_over is not None and not in_epoch:
                self._take_small(self._taken_over)
            return work
        return self._await_begin()

    def _await_begin(self) -> Work:
        """Waits for the next membership, at a place where this process holds the state before a step."""
        while True:
            if self._memory_is_free:
                self._save_if_asked(self._next)
            message = self._connection.next_message(wait=True)
            if isinstance(message, Finish):
                return message
            if isinstance(message, Begin):
                try:
                    return self._enter(message)
                except GroupFailed as error:
                    self._send_interrupted(str(error))
            else:
                self._control(message)

    def _enter(self, begin: Begin) -> GroupStep:
        group = None
        # Where servers average, a group only hands the state on.
        if begin.workers > 1 and (self._servers is None or begin.receivers):
            group = Group(begin.membership, begin.rank, begin.workers, begin.host, begin.port, self._device)
        self._membership.enter(begin.membership, group)
        if begin.load and begin.rank == begin.source:
            self._take_over(self._layout.read(), begin)
        if group is not None and begin.receivers:
            if begin.rank == begin.source:
                self._layout.send(lambda values: group.broadcast(values, begin.source), self._device)
            else:
                receives = begin.rank in begin.receivers
                small = self._layout.receive(
                    lambda values: group.broadcast(values, begin.source), self._device, receives
                )
                if receives:
                    self._take_over(small, begin)
        if self._servers is not None and group is not None:
            self._membership.close_group()
            group = None
        self._next = begin.step
        self._begin = begin
        self._decision = 0
        self._at_boundary = 0 <= begin.end_step <= begin.step
        if self._servers is None:
            self._prepare_buckets(group is not None or begin.accumulate > 0)
        self._measurement.pause()
        self._connection.send({"type": "started", "membership": begin.membership, "step": begin.step})
        return begin.at(begin.step)

    def _take_over(self, small: dict[str, Any], begin: Begin) -> None:
        self._next = begin.step
        self._take_small(small)
        self._taken_over = small

    def _prepare_buckets(self, needed: bool) -> None:
        if self._membership.keeps_memory:
            self._membership.keeps_memory = False
            self._remove_buckets()
        if needed and self._buckets is None:
            extra = _FIRST_BUFFER + sum(buffer.numel() for buffer in self._averaged)
            self._buckets = Buckets(self._parameters, extra, self._adaptive)
        elif not needed and self._buckets is not None:
            # A lone worker trains as the plain program does.
            self._remove_buckets()

    def _remove_buckets(self) -> None:
        if self._buckets is not None:
            self._buckets.remove()
            self._buckets = None
        for parameter in self._parameters:
            parameter.grad = None

    def _send_interrupted(self, reason: str) -> None:
        membership = self._membership.leave()
        self._connection.send(
            {"type": "interrupted", "membership": membership, "step": self._next, "reason": reason}
        )

    # The state before the step in flight.

    def _small(self) -> dict[str, Any]:
        in_epoch = self._in_epoch if self._taken_over is None else self._taken_over["inEpoch"]
        return {**self._small_state.to_dict(), "inEpoch": in_epoch}

    def _take_small(self, small: dict[str, Any]) -> None:
        self._small_state.load(small)
        self._updated = None

    def _keep(self) -> None:
        self._replaced.take_back()
        self._kept = ([buffer.clone() for buffer in self._buffers], pickle.dumps(self._small(), protocol=4))

    def _kept_small(self) -> dict[str, Any]:
        assert self._kept is not None
        small: dict[str, Any] = pickle.loads(self._kept[1])
        return small

    def _restore_kept(self) -> None:
        """Makes the tensors those before the step in flight again."""
        assert self._kept is not None
        self._replaced.take_back()
        with torch.no_grad():
            for buffer, kept in zip(self._buffers, self._kept[0]):
                buffer.copy_(kept)
            for parameter in self._parameters:
                if parameter.grad is not None:
                    parameter.grad.zero_()
        if self._buckets is not None:
            self._buckets.forget_parts()

    # Checkpoints.

    def _control(self, message: Any) -> None:
        if isinstance(message, Save):
            self._save_step = message.step
        elif isinstance(message, Taken):
            self._memory_is_free = True
        elif isinstance(message, GoOn):
            if message.membership == self._membership.name:
                self._decision = message.decision
        else:
            raise OptimusError(f"The worker sent {message} while the step before {self._next} was not over.")

    def _save_if_asked(self, step: int) -> None:
        """Copies the state into the memory if it is the one that was asked for, and drops requests that came late."""
        # Before the first membership this process holds the initial state, the one before step 0.
        step = max(0, step)
        if self._save_step is None or self._save_step > step:
            return
        wanted, self._save_step = self._save_step, None
        if step != wanted:
            return
        while not self._memory_is_free:
            self._control(self._connection.next_message(wait=True))
        self._layout.write()
        self._memory_is_free = False
        self._connection.send({"type": "saved", "step": wanted})

    # Steps.

    def hand_out(self, step: Step) -> None:
        assert isinstance(step, GroupStep) and self._begin is not None
        self._step = step
        if step.part == 0:
            if self._updated is not None:
                self._schedules.record_calls(step.epoch(self._samples) != self._updated.epoch(self._samples))
                self._bends.foresee(self._schedules, step, self._samples, self._epochs)
            while True:
                message = self._connection.next_message(wait=False)
                if message is None:
                    break
                self._control(message)
            if self._taken_over is not None:
                if self._taken_over["inEpoch"]:
                    self._take_small(self._taken_over)
                self._taken_over = None
            self._save_if_asked(step.step)
            self._await_decision(step.step)
            if self._buckets is not None or self._servers is not None:
                self._keep()
            self._measurement.begin_step()
            self._loss: Any = 0.0
        self._is_averaged = False
        self._small_state.pause(step.part + 1 < step.parts)

    def _await_decision(self, step: int) -> None:
        """Waits, as the first worker, where it is decided before a step whether training goes on."""
        assert self._begin is not None
        if self._begin.rank != 0 or step < self._decision:
            return
        self._connection.send({"type": "at-decision", "membership": self._membership.name, "step": step})
        while step >= self._decision:
            self._control(self._connection.next_message(wait=True))
        self._connection.send({"type": "computing"})

    def backward(self, loss: torch.Tensor, scaler: Any, last: bool) -> Any:
        if self._interrupted:
            return 0.0
        if self._is_averaged:
            raise OptimusError(_AVERAGED_TWICE)
        if scaler is not None:
            self._small_state.use(scaler)
        step, group = self._step, self._membership.group
        # Each part counts by its samples. The parts' gradients add up to the mean over this worker's samples.
        fraction = step.count / step.whole_count
        if step.parts > 1:
            loss = loss * fraction
        is_last_part = step.part + 1 == step.parts
        reducer = group if is_last_part and last else None
        buckets = self._buckets
        if reducer is not None:
            assert buckets is not None
            buckets.start(reducer, step.share)
        try:
            self._loss = self._loss + compute_gradients(loss, scaler)
            # The backward pass may have needed the old values of a buffer that forward replaced.
            self._replaced.take_back()
            if last and _computes_asynchronously(self._device):
                self._read_ahead(step)
            if self._adaptive:
                self._measurement.backward_ended()
            if reducer is not None:
                return self._reduce()
            if self._servers is not None:
                return self._average(self._servers) if last else 0.0
        except GroupFailed as error:
            self._interrupt(str(error))
            return 0.0
        finally:
            if buckets is not None:
                buckets.stop()
        if step.parts == 1 or buckets is None:
            return 0.0 if group is not None else self._lone_loss()
        lone = group is None
        if lone and self._adaptive:
            self._measurement.add_part(buckets.square_of_part(), fraction)
        if not is_last_part:
            buckets.keep_part()
            return 0.0
        if lone and last:
            self._measurement.add_parts(buckets.add_parts())
            return self._lone_loss()
        return 0.0

    def _average(self, servers: ServerAverage) -> float:
        """Waits for the mean gradient, loss and buffers of all workers. Returns the loss."""
        membership = self._membership
        loss, self._at_boundary = servers.average(
            membership.name, self._step, float(self._loss), membership.is_stopped, self._control
        )
        self._is_averaged = True
        self._loss = 0.0
        return loss

    def _lone_loss(self) -> Any:
        loss, self._loss = self._loss, 0.0
        return loss

    def _reduce(self) -> float:
        """Waits for the mean gradient, loss and buffers of all workers. Returns the loss."""
        step, buckets = self._step, self._buckets
        assert buckets is not None

        def fill(extra: torch.Tensor, square: float) -> None:
            extra[_LOSS] = self._loss * step.share
            extra[_STOP] = float(self._membership.is_stopped)
            extra[_SQUARES] = square / step.share
            extra[_STEP] = step.step % _STEPS_TOLD_APART * step.share
            if self._averaged:
                values = torch.cat([buffer.reshape(-1).to(extra) for buffer in self._averaged])
                torch.mul(values, step.share, out=extra[_FIRST_BUFFER:])

        self._connection.send({"type": "waiting"})
        square_of_mean = buckets.complete(fill)
        self._connection.send({"type": "computing"})
        sums = buckets.extra
        loss, stop, squares, mean_step = sums[:_FIRST_BUFFER].tolist()
        if abs(mean_step - step.step % _STEPS_TOLD_APART) > 0.001:
            raise OptimusError(_UNEQUAL_CALLS)
        with torch.no_grad():
            offset = _FIRST_BUFFER
            for buffer in self._averaged:
                buffer.copy_(sums[offset : offset + buffer.numel()].view(buffer.shape))
                offset += buffer.numel()
        self._measurement.add_workers(squares, square_of_mean, step.workers)
        self._loss = 0.0
        self._at_boundary = stop > 0.5
        return float(loss)

    def _interrupt(self, reason: str) -> None:
        """Goes back to the state before the step. The rest of the loop's body then has no effect that stays."""
        self._interrupted = True
        self._at_boundary = False
        self._restore_kept()
        self._send_interrupted(reason)

    def update(
        self,
        step: Step,
        loss: Any,
        scale: Optional[torch.Tensor],
        skip: bool,
    ) -> Work:
        assert isinstance(step, GroupStep) and self._begin is not None
        if self._interrupted:
            return step.at_part(0)
        if step.part + 1 < step.parts:
            if self._adaptive:
                self._measurement.part_ended()
            return step.at_part(step.part + 1)
        self._refuse_newly_trainable()
        for parameter in self._parameters:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
        self._bends.notice(step, max(float(group["lr"]) for group in self._optimizer.param_groups), self._samples)
        self._bends.tell(self._connection, step, self._samples)
        if self._adaptive:
            gradients = step.parts if self._membership.group is None else step.workers
            self._measurement.add_to_noise(gradients, 1.0 if scale is None else float(scale), step.batch)
        if not skip:
            self._make_step(step, scale)
        self._send_stepped(step, loss)
        self._schedules.forget_calls()
        self._updated = step
        self._next = step.step + 1
        if self._servers is None and self._membership.group is None and self._membership.is_stopped:
            self._at_boundary = True
        if self._next == self._begin.end_step:
            self._at_boundary = True
        return self._begin.at(self._next)

    def _make_step(self, step: GroupStep, scale: Optional[torch.Tensor]) -> None:
        if scale is not None:
            with torch.no_grad():
                for parameter in self._parameters:
                    if parameter.grad is not None:
                        parameter.grad.div_(scale.to(parameter.grad.device))
        for parameter in self._parameters:
            if not parameter.requires_grad:
                parameter.grad = None  # frozen since training started: momentum and decay would move it on
        if not self._adaptive:
            self._own_step()
            return
        with ScaledRates(self._optimizer, rate_factor(self._optimizer, self._noise, step.batch, self._initial_batch)):
            self._own_step()

    def _send_stepped(self, step: GroupStep, loss: Any) -> None:
        message: dict[str, Any] = {
            "type": "stepped",
            "membership": self._membership.name,
            "step": step.step,
            "loss": float(loss),
        }
        if self._adaptive:
            message.update(self._measurement.to_message(step))
        self._connection.send(message)

    def _refuse_newly_trainable(self) -> None:
        for group, settings in enumerate(self._optimizer.param_groups):
            for parameter in settings["params"]:
                if parameter.requires_grad and id(parameter) not in self._trained:
                    raise OptimusError(
                        f"A parameter of shape {tuple(parameter.shape)} in group {group} became trainable after"
                        " training started, and workers that join do not receive it. Set requires_grad=True before the"
                        " loop, and lr=0 for its group until it shall move."
                    )


def _computes_asynchronously(device: torch.device) -> bool:
    """Whether the device still computes when the backward pass has returned."""
    return device.type == "cuda"
