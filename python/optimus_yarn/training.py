"""How a torch program trains: on the cluster's parameter servers, or alone in this process."""

from __future__ import annotations

import logging
from typing import Any, Callable, Optional, Protocol

import torch

from .bends import Bends
from .connection import Connection
from .early import EarlyGradients
from .errors import OptimusError
from .memory import BYTES_PER_FLOAT, SharedMemory
from .messages import Finish, Step, Work, alone_step
from .optimizers import OptimizerSettings
from .saving import own_module
from .schedules import Schedules
from .state import StateBlock
from .tensors import ReplacedBuffers, TensorBlocks, floats_to_bytes, shared_buffers, trained_parameters

_log = logging.getLogger("optimus_yarn")

ReadAhead = Callable[[Step], None]

_SCALED = (
    "The program uses a GradScaler, which changes gradients after the backward pass, when they have been sent to the parameter"
    " servers. Leave overlap=True out of job.prepare, or train in bfloat16, which needs no scaler."
)


class Training(Protocol):
    """Where the updates are made."""

    def start(self, samples: int, batch: int, epochs: int, read_ahead: ReadAhead) -> Work:
        """Announces the program and waits for its first step.

        ``read_ahead`` reads the batch that follows a step. It is called while the servers make an update or a GPU computes.
        """

    def hand_out(self, step: Step) -> None:
        """Is called before the batch of ``step`` is handed out."""

    def settle(self, work: Work, in_epoch: bool) -> Work:
        """Returns what comes next, ``work`` as a rule. ``in_epoch`` tells whether the loop asks inside of an epoch."""

    def backward(self, loss: torch.Tensor, scaler: Any, last: bool) -> Any:
        """Computes gradients. Returns the loss that counts."""

    def update(
        self,
        step: Step,
        loss: Any,
        scale: Optional[torch.Tensor],
        skip: bool,
    ) -> Work:
        """Answers a step with its gradient and loss, a number or a tensor of one number, and waits for the next."""


def compute_gradients(loss: torch.Tensor, scaler: Any) -> torch.Tensor:
    """Runs the backward pass and returns the loss without its graph."""
    (loss if scaler is None else scaler.scale(loss)).backward()
    return loss.detach()


class ClusterTraining:
    """Sends gradients to the worker, which pushes them to the parameter servers and pulls parameters."""

    def __init__(
        self,
        connection: Connection,
        model: torch.nn.Module,
        optimizer: torch.optim.Optimizer,
        schedules: Schedules,
        owner_state: dict[str, Any],
        bends: Bends,
        overlap: bool,
    ) -> None:
        """``overlap`` sends gradients while the backward pass computes others."""
        self._connection = connection
        self._overlap = overlap
        self._early: Optional[EarlyGradients] = None
        self._loss_before: Any = 0.0
        self._bends = bends
        self._model = own_module(model)
        self._optimizer = optimizer
        self._settings = OptimizerSettings(optimizer)
        self._schedules = schedules
        self._owner_state = owner_state
        self._updated: Optional[Step] = None
        self._warned_of_frozen = False
        # A process that joined or repeats a step, until its first update.
        self._joined_after_epoch: Optional[int] = None
        # The last step that was handed out: its number, and the optimizer's rates at that time.
        self._handed_out: Optional[tuple[int, list[dict[str, float]]]] = None
        # The epoch of that step, and the rates at its first step in this process.
        self._epoch_began: Optional[tuple[int, list[dict[str, float]]]] = None

    def start(self, samples: int, batch: int, epochs: int, read_ahead: ReadAhead) -> Work:
        self._samples = samples
        self._epochs = epochs
        self._read_ahead = read_ahead
        trained = trained_parameters(self._model, self._optimizer)
        self._trained = {id(each.parameter) for each in trained}
        buffers = shared_buffers(self._model)
        self._replaced = ReplacedBuffers(self._model, buffers)
        self._blocks = TensorBlocks(trained, buffers)
        self._state_block = StateBlock(self._state(0))
        memory = self._memory = SharedMemory(self._blocks.floats + self._state_block.capacity)
        self._blocks.place(memory)
        if self._overlap:
            self._early = EarlyGradients(self._blocks, self._connection.send)
        self._write_state(0, 0)
        self._connection.send(
            {
                "type": "ready",
                "pid": memory.process,
                "memory": {"path": memory.path, "floats": memory.floats},
                "blocks": self._blocks.to_message() + [self._state_block.to_message()],
                "samples": samples,
                "batch": batch,
                "epochs": epochs,
                "optimizer": self._settings.to_message(),
                "groups": len(self._optimizer.param_groups),
                "bends": self._bends.epochs,
            }
        )
        work = self._receive()
        if isinstance(work, Step) and work.step > 0:
            self._take_over(work)
        return work

    def _receive(self) -> Work:
        work = self._connection.receive()
        self._blocks.read_parameters()
        if isinstance(work, Finish):
            self._blocks.release()
        return work

    def _take_over(self, work: Step) -> None:
        """Takes over the state of the other workers before ``work``."""
        state = self._read_state()
        self._owner_state.clear()
        self._owner_state.update(state["owner"])
        self._bends.take_over(state["bends"])
        self._updated = None
        self._joined_after_epoch = state["epoch"]
        self._load_schedules(work, state)

    def hand_out(self, step: Step) -> None:
        self._connection.leave_if_asked()
        self._step = step
        self._loss_before = 0.0
        if self._updated is not None:
            ended_epoch = step.epoch(self._samples) != self._updated.epoch(self._samples)
            self._schedules.record_calls(ended_epoch)
            self._bends.foresee(self._schedules, step, self._samples, self._epochs)
        elif self._joined_after_epoch is not None:
            # Whatever the program did to its schedules before its first batch, the others did it long ago.
            own = self._own_rates(step)
            self._load_schedules(step, self._read_state())
            if own is not None:
                self._schedules.set_rates(own)
        self._handed_out = step.step, self._schedules.rates()
        epoch = step.epoch(self._samples)
        if self._epoch_began is None or self._epoch_began[0] != epoch:
            self._epoch_began = epoch, self._schedules.rates()

    def _own_rates(self, step: Step) -> Optional[list[dict[str, float]]]:
        """Returns the rates that a program without schedules has set for ``step``; None where the shared state has them.

        Rates that are set at the beginning of an epoch come into the shared state with the first update of that epoch.
        """
        if self._schedules.given:
            return None
        if self._handed_out is not None and self._handed_out[0] == step.step:
            return self._handed_out[1]
        epoch = step.epoch(self._samples)
        if epoch <= self._read_state()["epoch"]:
            return None
        if self._epoch_began is not None and self._epoch_began[0] == epoch:
            return self._epoch_began[1]
        return self._schedules.rates()

    def _load_schedules(self, step: Step, state: dict[str, Any]) -> None:
        ended_epoch = step.epoch(self._samples) > state["epoch"]
        self._schedules.load(state["schedules"], repeat=step.step > 0, ended_epoch=ended_epoch)

    def settle(self, work: Work, in_epoch: bool) -> Work:
        return work

    def backward(self, loss: torch.Tensor, scaler: Any, last: bool) -> Any:
        self._blocks.give_gradients()
        if self._early is not None and last:
            if scaler is not None and scaler.is_enabled():
                raise OptimusError(_SCALED)
            self._replaced.refuse()
            total = self._loss_before + loss.detach()
            self._rates = self._prepare_push(self._step)
            with torch.no_grad():
                self._blocks.write_buffers()
            self._early.start(float(total), self._rates)
        elif self._early is not None:
            self._loss_before = self._loss_before + loss.detach()
        return compute_gradients(loss, scaler)

    def update(
        self,
        step: Step,
        loss: Any,
        scale: Optional[torch.Tensor],
        skip: bool,
    ) -> Work:
        self._blocks.warn_of_changes()
        # The backward pass may have needed the old values of a buffer that forward replaced.
        self._replaced.take_back()
        if self._early is None:
            rates = self._prepare_push(step)
            self._blocks.write_gradients(scale, skip)
        else:
            rates = self._rates
            if self._settings.rates() != rates:
                raise OptimusError(
                    "A learning rate or weight decay was changed between job.backward and opt.step(), when it had been"
                    " sent. Change it before job.backward or after opt.step(), or leave overlap=True out of job.prepare."
                )
            self._early.complete()
        self._connection.leave_if_asked()
        self._connection.send({"type": "gradient", "loss": float(loss), "groups": rates})
        self._read_ahead(step)
        work = self._receive()
        if isinstance(work, Step) and self._connection.welcome.synchronous and work.step != step.step + 1:
            # The update did not count, because a task was lost; or the others made some without this worker.
            self._take_over(work)
            return work
        if self._joined_after_epoch is not None and isinstance(work, Step):
            # From here on the schedules are the members', even if the number of repeated sched.step() calls was wrong.
            self._schedules.load(self._read_state()["schedules"])
            self._joined_after_epoch = None
        self._schedules.forget_calls()
        self._updated = step
        return work

    def _prepare_push(self, step: Step) -> list[list[float]]:
        """Writes the state that goes with the gradient, and returns the learning rate and weight decay of each group."""
        self._refuse_newly_trainable()
        self._warn_of_frozen()
        rates = self._settings.rates()
        self._bends.notice(step, max(rate for rate, _ in rates), self._samples)
        self._bends.tell(self._connection, step, self._samples)
        self._write_state(self._memory.gradients_offset, step.epoch(self._samples))
        return rates

    def _refuse_newly_trainable(self) -> None:
        for group, settings in enumerate(self._optimizer.param_groups):
            for parameter in settings["params"]:
                if parameter.requires_grad and id(parameter) not in self._trained:
                    raise OptimusError(
                        f"A parameter of shape {tuple(parameter.shape)} in group {group} became trainable after"
                        " training started, and the parameter servers do not hold it. Set requires_grad=True before the"
                        " loop, and lr=0 for its group until it shall move."
                    )

    def _warn_of_frozen(self) -> None:
        if self._warned_of_frozen:
            return
        for each in self._blocks.trained:
            if not each.parameter.requires_grad:
                self._warned_of_frozen = True
                _log.warning(
                    "The parameter %s was frozen after training started. The parameter servers go on with its momentum"
                    " and weight decay; set lr=0 for its group, or say `update: worker` in the job file.",
                    each.name,
                )
                return

    def _state(self, epoch: int) -> dict[str, Any]:
        return {
            "epoch": epoch,
            "schedules": self._schedules.state(),
            "owner": self._owner_state,
            "bends": self._bends.epochs,
        }

    def _write_state(self, vector: int, epoch: int) -> None:
        """Writes the state into the vector that begins at byte ``vector`` of the memory."""
        start = vector + self._blocks.floats * BYTES_PER_FLOAT
        self._memory.write(start, self._state_block.pack_floats(self._state(epoch)))

    def _read_state(self) -> dict[str, Any]:
        return self._state_block.unpack(floats_to_bytes(self._blocks.parameters[self._blocks.floats :]))


class AloneTraining:
    """Trains in this process with the program's own optimizer, as one worker of a cluster would."""

    def __init__(self, optimizer: torch.optim.Optimizer, own_step: Any) -> None:
        self._settings: Optional[OptimizerSettings] = None
        self._optimizer = optimizer
        self._own_step = own_step
        self._check(lambda: OptimizerSettings(optimizer))

    def _check(self, check: Callable[[], Optional[OptimizerSettings]]) -> None:
        """Warns once of what parameter servers would refuse."""
        try:
            self._settings = check()
        except OptimusError as error:
            self._settings = None
            _log.warning("This program trains alone and with `update: worker`, but parameter servers cannot update it: %s", error)

    def _still_supported(self) -> Optional[OptimizerSettings]:
        if self._settings is not None:
            self._settings.rates()
        return self._settings

    def start(self, samples: int, batch: int, epochs: int, read_ahead: ReadAhead) -> Work:
        self._end = samples * epochs
        self._batch = batch
        self._read_ahead = read_ahead
        return alone_step(0, batch, self._end)

    def hand_out(self, step: Step) -> None:
        """Does nothing: nobody else waits."""

    def settle(self, work: Work, in_epoch: bool) -> Work:
        return work

    def backward(self, loss: torch.Tensor, scaler: Any, last: bool) -> Any:
        return compute_gradients(loss, scaler)

    def update(
        self,
        step: Step,
        loss: Any,
        scale: Optional[torch.Tensor],
        skip: bool,
    ) -> Work:
        self._check(self._still_supported)
        with torch.no_grad():
            for group in self._optimizer.param_groups:
                for parameter in group["params"]:
                    if parameter.requires_grad:
                        self._complete(parameter, scale, skip)
        self._own_step()
        self._read_ahead(step)
        return alone_step(step.step + 1, self._batch, self._end)

    @staticmethod
    def _complete(parameter: torch.nn.Parameter, scale: Optional[torch.Tensor], skip: bool) -> None:
        """Does to a gradient what the cluster's workers do to it."""
        if parameter.grad is None:
            parameter.grad = torch.zeros_like(parameter)
        elif skip:
            parameter.grad.zero_()
        elif scale is not None:
            parameter.grad.div_(scale.to(parameter.grad.device))
