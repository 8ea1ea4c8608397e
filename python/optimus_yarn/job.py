"""The job as the program sees it."""

from __future__ import annotations

import logging
import math
import os
import pathlib
from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence, Union

from . import saving, seeds
from .connection import PARENT_VARIABLE, Connection
from .cycle import StepCycle
from .errors import OptimusError
from .messages import Finish, Step, Welcome
from .samples import step_seed

if TYPE_CHECKING:
    from .arrays import ArrayTraining
    from .loader import PartLoader
    from .training import Training

_log = logging.getLogger("optimus_yarn")

ALONE_SEED = 1

# The number of GPUs that the job file asks for, for each worker; 0 or unset: none.
GPUS_VARIABLE = "OPTIMUS_GPUS"

_COMPLETE_TORCH_STEP = (
    "Each batch of the loader needs job.backward(loss) and then opt.step() of the optimizer that was given to"
    " job.prepare, once. To accumulate gradients, raise the loader's batch_size, split each batch in the loop, and call"
    " job.backward(loss * len(part) / len(batch), last=False) for each part, without last=False for the last one."
)
_COMPLETE_ARRAY_STEP = "Write the gradient into job.gradient and call job.update(loss) once in each turn of the loop."


def _warn_of_foreign_parameters(model: Any, optimizer: Any) -> None:
    own = {id(parameter) for parameter in model.parameters()}
    trained = [each for group in optimizer.param_groups for each in group["params"] if each.requires_grad]
    foreign = sum(id(each) not in own for each in trained)
    if foreign:
        _log.warning(
            "%d of the %d parameters that the optimizer trains are not the model's. They are trained, but job.save leaves"
            " them out, and buffers beside them are not shared. If they are a second module's, give job.prepare both in one"
            " torch.nn.ModuleDict.",
            foreign,
            len(trained),
        )


class Job:
    """A training job. ``optimus_yarn.init()`` returns it.

    ``state`` is a dictionary for the owner's small picklable values, such as the best accuracy so far. It is carried
    to workers that join and through restarts.
    """

    def __init__(self, connection: Optional[Connection], folder: Optional[pathlib.Path] = None) -> None:
        self._connection = connection
        self._folder = (folder or pathlib.Path.cwd()) / saving.FOLDER
        self._model: Any = None
        self._device: Any = None
        self._welcome = connection.welcome if connection else Welcome("alone", ALONE_SEED, True)
        self._cycle = StepCycle()
        self._training: Optional[Training] = None
        self._loader: Optional[PartLoader] = None
        self._arrays: Optional[ArrayTraining] = None
        self._order: Any = None
        self._epoch: Optional[int] = None
        self._in_epochs = False
        self._steps_of: Optional[int] = None
        self._started = False
        self.state: dict[str, Any] = {}
        self._has_scaler = False
        seeds.seed_start(self._welcome.seed)

    def prepare(
        self,
        model: Any,
        optimizer: Any,
        loader: Any,
        *schedules: Any,
        samples_per_epoch: Optional[int] = None,
        bends: Optional[Sequence[float]] = None,
        overlap: bool = False,
    ) -> tuple[Any, ...]:
        """Returns the same values, with a loader that yields this worker's part of each step.

        The loader's batch_size is the size of the whole batch of all workers. From then on ``optimizer.step()`` has
        the parameter servers make the update and returns when this worker has the new parameters; with `update: worker`
        and with all-reduce it makes the update from the mean gradient of all workers.
        ``samples_per_epoch`` is the length of an epoch of an iterable data set that has no length. ``bends`` are the
        epochs at which the learning rate falls by half or more, for programs whose schedules do not show it.
        ``overlap`` has the parameter servers get gradients while ``job.backward`` computes others. The program must leave
        them as they are then, so it cannot clip them or use a GradScaler. All-reduce overlaps in any case.
        """
        from . import loader as loaders
        from . import optimizers, training
        from .bends import Bends
        from .schedules import Schedules, check_schedule

        self._check_first("job.prepare")
        if self._connection is not None and not self._welcome.updates_here:
            optimizers.OptimizerSettings(optimizer)
        for schedule in schedules:
            check_schedule(schedule)
        if not schedules and any("initial_lr" in group for group in optimizer.param_groups):
            _log.warning(
                "This optimizer has a schedule that was not given to job.prepare: workers that join, and restarts, begin it"
                " anew. Call job.prepare(model, opt, loader, sched)."
            )
        _warn_of_foreign_parameters(model, optimizer)
        known_bends = Bends(bends)
        part_loader = loaders.PartLoader(loader, self._cycle, self._welcome.seed, samples_per_epoch)
        own_step = optimizers.replace_step(optimizer, self._update)
        counted = Schedules(schedules, optimizer)
        if self._connection is None:
            self._training = training.AloneTraining(optimizer, own_step)
        elif self._welcome.updates_here:
            from .group_training import GroupTraining

            self._training = GroupTraining(self._connection, model, optimizer, own_step, counted, self.state, known_bends)
        else:
            self._training = training.ClusterTraining(
                self._connection, model, optimizer, counted, self.state, known_bends, overlap
            )
        self._loader = part_loader
        self._model = model
        return (model, optimizer, part_loader, *schedules)

    @property
    def device(self) -> Any:
        """The ``torch.device`` to move the model and batches to: cuda where this process sees a GPU, else cpu."""
        import torch

        if self._device is None:
            self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
            asked = os.environ.get(GPUS_VARIABLE, "0")
            if self._device.type == "cpu" and asked not in ("", "0"):
                _log.warning(
                    "The job asks for %s GPUs for each worker, and torch %s sees none (CUDA_VISIBLE_DEVICES=%s), so this"
                    " program computes on the CPU. Check that this torch is a build for CUDA, and see docs/gpus.md.",
                    asked,
                    torch.__version__,
                    os.environ.get("CUDA_VISIBLE_DEVICES", "unset"),
                )
        return self._device

    def epochs(self, count: Optional[int] = None) -> Iterator[int]:
        """Yields the numbers of the epochs until training ends, from the epoch of this worker's first step on.

        ``count`` is the number of epochs; programs without torch have given it to ``declare``.
        Asynchronous training ends soon after the last epoch and not exactly with it, so one more number may come.
        """
        if self._training is None and self._arrays is None:
            raise OptimusError(
                "job.epochs was called before job.prepare(model, optimizer, loader). Call prepare first; programs"
                " without torch call job.declare(...)."
            )
        if self._connection is None and PARENT_VARIABLE in os.environ:
            raise OptimusError(
                "This process was started by a program of a job, and is no worker of it: only the program's first process"
                " is. Train there; for several GPUs give the job more workers, with one GPU each."
            )
        self._begin(count)
        while self._cycle.next_epoch() is not None:
            self._epoch = self._cycle.epoch
            if self._loader is not None:
                self._loader.epoch = self._epoch
            self._in_epochs = True
            yield self._epoch
            self._in_epochs = False
            self._check_epoch_done(self._epoch)
        self._end()

    def _begin(self, count: Optional[int]) -> None:
        """Announces the program and waits for its first step."""
        training, loader = self._training, self._loader
        if training is None or loader is None:
            arrays, declaration = self._declared(), self._declaration
            if count not in (None, declaration.epochs):
                raise OptimusError(
                    f"job.epochs({count}) differs from job.declare(epochs={declaration.epochs}). Call job.epochs()"
                    " without a number."
                )
            self._start("job.epochs")
            self._cycle.begin(
                arrays.start(), declaration.samples, arrays.hand_out, _COMPLETE_ARRAY_STEP, tell=self._tell
            )
            return
        if count is None or count < 1:
            raise OptimusError(f"job.epochs({count}) trains nothing. Give it the number of epochs, at least 1.")
        self._start("job.epochs")
        work = training.start(loader.samples, loader.batch_size, count, loader.read_ahead)
        self._cycle.begin(
            work, loader.samples, training.hand_out, _COMPLETE_TORCH_STEP, training.settle, self._tell
        )

    def _check_epoch_done(self, epoch: int) -> None:
        step = self._cycle.next_in(epoch)
        if step is not None:
            loop = "`for samples in job.steps()`" if self._loader is None else "`for batch in loader`"
            raise OptimusError(
                f"Epoch {epoch} ended before step {step.step}, which belongs to it. Let {loop} run to its end in each"
                " epoch: the job counts on all steps. For shorter epochs give fewer samples."
            )

    def declare(
        self,
        parameters: Union[int, Sequence[tuple[str, Union[int, Sequence[int]]]]],
        samples: int,
        batch: int,
        optimizer: dict[str, Any],
        epochs: int,
    ) -> None:
        """Declares a program without torch: its parameters, as names and shapes or as one number of floats.

        ``batch`` is the size of the whole batch of all workers. ``optimizer`` has kind (sgd, adam, adamw) and
        learningRate, and may have momentum, or beta1, beta2 and epsilon, and weightDecay. Then fill
        ``parameters`` with their first values.
        """
        from . import arrays

        self._check_first("job.declare")
        if self._welcome.updates_here:
            key = "communication: all-reduce" if self._welcome.all_reduce else "update: worker"
            raise OptimusError(
                f"The job file says `{key}`, which programs of torch can use, since their optimizers make the update."
                " For job.declare leave it out: the parameter servers make the update then."
            )
        self._declaration = arrays.Declaration(parameters, samples, batch, optimizer, epochs)
        self._arrays = arrays.array_training(self._connection, self._declaration, self.state)

    def steps(self) -> Iterator[Any]:
        """Yields the indices of this worker's samples of each step: of one epoch in the body of ``for epoch in
        job.epochs()``, else of all epochs, until training ends.

        The body of the loop writes the mean gradient over these samples into ``gradient`` and calls ``update``.
        """
        self._declared()
        if self._in_epochs:
            if self._steps_of == self._epoch:
                raise OptimusError(
                    "job.steps was called twice in one epoch. Let one loop over it run to its end in each epoch, or one"
                    " for all epochs without job.epochs."
                )
            yield from self._steps_in(self.epoch)
        else:
            for epoch in self.epochs():
                yield from self._steps_in(epoch)

    def _steps_in(self, epoch: int) -> Iterator[Any]:
        from . import arrays

        self._steps_of = epoch
        if self._order is None:
            self._order = arrays.sample_order(self._declaration.samples, self._welcome.seed)
        while True:
            step = self._cycle.next_in(epoch)
            if step is None:
                return
            indices = arrays.numpy.array(self._order.take(step.position, step.count))
            seeds.seed_all(step_seed(self._welcome.seed, step.step, step.rank))
            self._cycle.hand_out()
            yield indices

    def update(self, loss: float) -> None:
        """Pushes ``gradient`` and returns when ``parameters`` are those of the next step."""
        training = self._declared()
        self._cycle.check_in_step("job.update(loss)")
        self._cycle.add_loss(float(loss))
        self._cycle.update(training.update)

    @property
    def parameters(self) -> Any:
        """All parameters of a program without torch, one float32 array in the order of ``declare``."""
        return self._declared().parameters

    @property
    def gradient(self) -> Any:
        """The gradient of a program without torch, one float32 array. It keeps the values of the step before."""
        return self._declared().gradient

    def _declared(self) -> ArrayTraining:
        if self._arrays is None:
            raise OptimusError(
                "The job has no numpy arrays before job.declare(...). Call it first; programs of torch use job.prepare,"
                " job.epochs and opt.step() instead."
            )
        return self._arrays

    def _check_first(self, call: str) -> None:
        if self._training is not None or self._arrays is not None:
            raise OptimusError(
                f"{call} was called after job.prepare or job.declare. A job has one model, one optimizer and one"
                " loader."
            )

    def _start(self, call: str) -> None:
        if self._started:
            raise OptimusError(f"{call} was called twice. Train all epochs in one loop.")
        self._started = True

    def _tell(self, message: dict[str, Any]) -> None:
        if self._connection is not None:
            self._connection.send(message)

    def _end(self) -> None:
        if self._connection is not None:
            self._save_at_end()
            self._connection.send({"type": "finished"})

    def _save_at_end(self) -> None:
        """Saves the trained model. A job that cannot do this has the servers' copy still."""
        names = [saving.ARRAYS]
        if self._model is not None:
            names = [saving.STATE_DICT] + ([saving.SAFETENSORS] if saving.has_safetensors() else [])
        for name in names:
            try:
                self.save(name)
            except Exception as error:
                _log.warning("%s could not be saved: %s: %s", name, type(error).__name__, error)

    @property
    def output_folder(self) -> pathlib.Path:
        """A folder of this worker whose files the job keeps: they are copied to the job's output folder at the end.

        Only the files of the worker that is first at the end are kept.
        """
        self._folder.mkdir(parents=True, exist_ok=True)
        return self._folder

    def save(self, file: Optional[str] = None) -> Optional[pathlib.Path]:
        """Saves the model's ``state_dict`` into ``output_folder`` and returns the path; None where not ``is_first``.

        ``file`` is a path relative to that folder, model.pt if left out. One that ends in .safetensors is written in that
        format. Programs without torch save their arrays by name, to model.npz if ``file`` is left out.
        """
        if self._model is None and self._arrays is None:
            raise OptimusError("job.save() has no model before job.prepare(...) or job.declare(...). Call it later.")
        if not self.is_first:
            return None
        path = self.output_folder / (file or (saving.ARRAYS if self._model is None else saving.STATE_DICT))
        if self._folder.resolve() not in path.resolve().parents:
            raise OptimusError(
                f"job.save({file!r}) leads out of {self._folder}. Give it a path relative to that folder, such as"
                " 'model.pt'; write files for other places yourself."
            )
        if self._model is not None:
            saving.save_model(self._model, path)
        else:
            saving.save_arrays(self._declaration.parameters, self.parameters, path)
        return path

    def backward(self, loss: Any, scaler: Any = None, last: bool = True) -> None:
        """Computes gradients of ``loss``, the mean over this worker's part of the batch.

        Called several times in a step, gradients and losses add up: give it ``loss * len(part) / len(batch)``, since parts
        may differ in size. All calls of a step but the last one get ``last=False``: the last one completes the step's gradients,
        which then go to the other workers or to the servers. Only where parameter servers make the updates, without
        ``overlap=True``, has it no effect. ``scaler`` is the program's GradScaler, if it has one.
        """
        self._cycle.check_in_step("job.backward(loss)")
        if getattr(loss, "numel", lambda: 0)() != 1:
            shape = tuple(loss.shape) if hasattr(loss, "shape") else type(loss).__name__
            raise OptimusError(
                f"job.backward takes one number, the mean loss over this worker's part of the batch, got {shape}. Use"
                " loss.mean(), or reduction='mean' in the loss function."
            )
        assert self._training is not None
        self._has_scaler = scaler is not None
        self._cycle.add_loss(self._training.backward(loss, scaler, last), last)

    def _update(self, scale: Any, skip: bool, is_scaled: bool) -> None:
        training = self._training
        assert training is not None
        if is_scaled and not self._has_scaler:
            raise OptimusError(
                "A GradScaler called opt.step(), and job.backward was not given it. Call"
                " job.backward(loss, scaler=scaler) with the loss itself: the job would report scaled losses, and workers"
                " that join would not have the scale."
            )
        self._cycle.update(lambda step, loss: training.update(step, loss, scale, skip))

    def report(self, **values: Any) -> None:
        """Reports finite numbers of this epoch, such as ``accuracy=0.91``. The cluster's pages show them."""
        numbers = {}
        for name, value in values.items():
            try:
                number = float(value)
            except (TypeError, ValueError) as error:
                raise OptimusError(f"job.report({name}={value!r}) is no number. Report numbers only.") from error
            if math.isfinite(number):
                numbers[name] = number
            else:
                _log.warning("job.report(%s=%s) is left out because it is not finite.", name, number)
        if not numbers:
            return
        epoch = self._epoch if self._epoch is not None else 0
        if self._connection is None:
            print(
                f"epoch {epoch}: " + ", ".join(f"{name} {number:.6g}" for name, number in numbers.items()), flush=True
            )
        else:
            self._connection.send({"type": "report", "epoch": epoch, "values": numbers})

    @property
    def task(self) -> str:
        """The name of this worker's task, such as ``worker-0``; ``alone`` where no cluster is."""
        return self._welcome.task

    @property
    def seed(self) -> int:
        """The job's seed."""
        return self._welcome.seed

    @property
    def epoch(self) -> int:
        """The number that ``job.epochs`` yielded last."""
        if self._epoch is None:
            raise OptimusError("job.epoch is known inside of `for epoch in job.epochs(n)` only.")
        return self._epoch

    @property
    def step(self) -> int:
        """The number of the step that runs now or comes next. Asynchronous workers count their own steps."""
        return self._latest("step").step

    @property
    def rank(self) -> int:
        """This worker's place among the workers of the step; a resize may change it."""
        return self._latest("rank").rank

    @property
    def workers(self) -> int:
        """The number of workers in the step; a resize may change it."""
        return self._latest("workers").workers

    @property
    def is_first(self) -> bool:
        """Whether this worker has rank 0: one worker prints and saves, the others need not.

        True after the end of training, since only one worker's program goes on then.
        """
        if isinstance(self._cycle.work, Finish):
            return True
        return self._latest("is_first").rank == 0

    def _latest(self, name: str) -> Step:
        if self._cycle.latest is None:
            raise OptimusError(
                f"job.{name} is known once the first step has come, inside of `for epoch in job.epochs(n)`. Before the"
                " loop, job.task tells workers apart."
            )
        return self._cycle.latest
