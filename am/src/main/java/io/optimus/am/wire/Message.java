package io.optimus.am.wire;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.optimus.am.engine.Activity;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ProgramReport;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.engine.StepMeasurement;
import io.optimus.am.engine.StepTotals;
import io.optimus.am.engine.WireFormat;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import io.optimus.model.throughput.GradientNoise;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A message between a task and the coordinator, over the task's control connection. */
@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS, property = "kind")
public sealed interface Message {
    /** From a task to the coordinator. */
    sealed interface FromTask extends Message {}

    /** From the coordinator to a task. */
    sealed interface ToTask extends Message {}

    /**
     * A worker has loaded its engine.
     *
     * @param blocks the model's tensors
     * @param trainingSamples the number of training samples
     * @param program what an owner's program decides; empty if the job file decides
     * @param rendezvous the address at which it lets other workers meet; empty if they use parameter servers
     */
    record WorkerReady(
            List<ParameterBlock> blocks,
            int trainingSamples,
            Optional<ProgramSettings> program,
            Optional<ServerAddress> rendezvous)
            implements FromTask {
        public WorkerReady {
            blocks = List.copyOf(blocks);
        }
    }

    /** A parameter server listens. */
    record ServerReady(String host, int port) implements FromTask {}

    /** The address at which a coordinator that takes over can call the task. */
    record Reachable(String host, int port) implements FromTask {}

    /**
     * The first message to a coordinator that takes over.
     *
     * @param kept what the task kept for it; empty if it was not in a membership
     * @param applied the steps that it has reported since
     * @param reports what its program has reported since
     * @param held the memberships for which a server still holds its shard; empty for a worker
     */
    record Returned(
            Optional<Keep> kept, List<Applied> applied, List<ProgramReport> reports, List<MembershipNumber> held)
            implements FromTask {
        public Returned {
            applied = List.copyOf(applied);
            reports = List.copyOf(reports);
            held = List.copyOf(held);
        }
    }

    /**
     * A heartbeat of a task.
     *
     * @param steps the number of steps since the task began
     * @param totals a worker's steps whose time is known
     * @param activity what a worker's engine does; other tasks wait
     */
    record Alive(long steps, StepTotals totals, Activity activity) implements FromTask {
        /** A heartbeat of a task that computes no gradients. */
        public static Alive waiting(long steps) {
            return new Alive(steps, StepTotals.NONE, Activity.WAITING);
        }
    }

    /** The task cannot go on. */
    record Unable(String reason) implements FromTask {}

    /**
     * A task could not do what it was told last, and goes on: a server could not receive, send or save a shard, or a
     * worker could not evaluate.
     *
     * @param number the membership that it was told for
     * @param because the other task that takes part; the sender itself if there is none
     * @param reason the reason in words
     */
    record NotDone(MembershipNumber number, TaskId because, String reason) implements FromTask {}

    /** A worker is connected to all servers that {@link Connect} named for membership {@code number}. */
    record Connected(MembershipNumber number) implements FromTask {}

    /** A server has made room, as {@link Prepare} told it. */
    record Prepared(MembershipNumber number) implements FromTask {}

    /** A worker has stopped after its last step of membership {@code number}. The next step would be {@code step}. */
    record AtBoundary(MembershipNumber number, long step) implements FromTask {}

    /**
     * All steps before {@code step} are done, and the sender lets no later one go on before {@link GoOn} answers: the first
     * worker, synchronous, or the server that reports, asynchronous.
     */
    record AtDecision(MembershipNumber number, long step) implements FromTask {}

    /**
     * A holder of parameters takes part in no membership older than {@code number}. Its next step would be {@code step};
     * −1 if its parameters are not those before any step.
     */
    record Fenced(MembershipNumber number, long step) implements FromTask {}

    /** A server holds its shard of membership {@code number}, or has sent all of it to others. */
    record Placed(MembershipNumber number) implements FromTask {}

    /** A worker begins its first step of membership {@code number}. */
    record Started(MembershipNumber number, long step) implements FromTask {}

    /**
     * Steps that the reporting server has applied.
     *
     * @param number the membership of the last step
     * @param first the first step
     * @param losses the loss of each step
     * @param nanos the server's clock at the last step, for differences only
     */
    @SuppressWarnings("ArrayRecordComponent") // sent, never compared
    record Applied(MembershipNumber number, long first, double[] losses, long nanos) implements FromTask {}

    /**
     * What the first worker of a group has measured since the last such message, if the job adapts its batch.
     *
     * @param number the membership
     * @param steps the number of measured steps
     * @param noise the gradient's noise of a batch of the initial size; empty while it is unknown
     * @param timedSteps the number of steps in {@code times}
     * @param times mean times; empty if no step was timed
     */
    record Measured(
            MembershipNumber number,
            int steps,
            Optional<GradientNoise> noise,
            int timedSteps,
            Optional<StepMeasurement.Times> times)
            implements FromTask {}

    /** A worker's step of membership {@code number} failed: it was refused, or a connection broke. The worker waits. */
    record Interrupted(MembershipNumber number, String reason) implements FromTask {}

    /** The program of a worker has reported figures. */
    record Reported(ProgramReport report) implements FromTask {}

    /**
     * A worker has evaluated, if its engine can, and has sent the files that its program left.
     *
     * @param evaluation the quality on held-out samples
     * @param warnings what went wrong after training, in sentences
     */
    record Evaluated(Optional<Evaluation> evaluation, List<String> warnings) implements FromTask {
        public Evaluated {
            warnings = List.copyOf(warnings);
        }
    }

    /** A task that runs commands is idle, and has reserved {@code port} of {@code host} for the next one. */
    record CommandReady(String host, int port) implements FromTask {}

    /**
     * What a command has printed about its training since the last such message.
     *
     * @param number the membership
     * @param step the last step
     * @param loss the mean of the losses; empty if it printed none
     * @param epoch passes over the training samples, fractions included; empty if it printed none
     * @param values the last of each further figure
     * @param nanos the task's clock at the last step, for differences only
     */
    record CommandReport(
            MembershipNumber number,
            long step,
            OptionalDouble loss,
            OptionalDouble epoch,
            Map<String, Double> values,
            long nanos)
            implements FromTask {
        public CommandReport {
            values = Map.copyOf(values);
        }
    }

    /**
     * A command has ended, with all processes that it had started.
     *
     * @param number the membership
     * @param exitCode as a shell tells it: 128 + n for the end by signal n
     * @param byItself whether it had not been told to end
     * @param reason how it ended, with the last lines of its output
     */
    record CommandEnded(MembershipNumber number, int exitCode, boolean byItself, String reason) implements FromTask {}

    /**
     * What a task that runs commands tells a coordinator that takes over.
     *
     * @param host the task's host
     * @param port the port that is reserved for its command, or for the next one if none runs; 0 if none is reserved
     * @param started the last command, if it runs or has ended by itself
     * @param ended how that command has ended; empty if it runs
     * @param report what that command has printed since its last report; empty if nothing
     */
    record CommandState(
            String host,
            int port,
            Optional<Started> started,
            Optional<CommandEnded> ended,
            Optional<CommandReport> report)
            implements FromTask {
        /**
         * A command that was started.
         *
         * @param number the membership
         * @param members its members at that time; they meet at the address of the first
         * @param toldToEnd whether it was told to end
         * @param step the last step that it has printed; 0 if none
         */
        public record Started(MembershipNumber number, List<TaskId> members, boolean toldToEnd, long step) {
            public Started {
                members = List.copyOf(members);
            }
        }
    }

    /**
     * The first message to a task: the settings of the job.
     *
     * @param mode whether workers wait for each other
     * @param wireFormat of gradients and parameters
     * @param batch the samples of a step, unless a program decides; synchronous: of all workers, asynchronous: of one
     *     worker
     * @param seed the seed of samples and initial parameters
     * @param checkpointEverySteps a synchronous server saves its shard before each multiple of this
     * @param heartbeatMillis the time between two heartbeats
     * @param silenceMillis the time without a message of the coordinator after which the task ends itself
     * @param awaitsSuccessor whether a task whose coordinator is gone goes on so long, until another one takes over
     */
    record Welcome(
            TrainingMode mode,
            WireFormat wireFormat,
            int batch,
            long seed,
            long checkpointEverySteps,
            long heartbeatMillis,
            long silenceMillis,
            boolean awaitsSuccessor)
            implements ToTask {
        /** The same of a coordinator that another one may follow. */
        public Welcome awaitingSuccessor() {
            return new Welcome(
                    mode, wireFormat, batch, seed, checkpointEverySteps, heartbeatMillis, silenceMillis, true);
        }
    }

    /** A heartbeat of the coordinator. */
    record StillHere() implements ToTask {}

    /**
     * To a member: keep this for a coordinator that takes over. All members get it when a membership begins and every 20 s or
     * so after that. In between, only the task that reports the steps gets it.
     *
     * @param number the membership, whose servers have their shards
     * @param workers by rank
     * @param servers the servers and their shards
     * @param step the next step
     * @param state JSON that only coordinators read: the losses of the steps before {@code step}, and where training ends if
     *     that is decided
     */
    record Keep(MembershipNumber number, List<TaskId> workers, List<ServerShard> servers, long step, String state)
            implements ToTask {
        public Keep {
            workers = List.copyOf(workers);
            servers = List.copyOf(servers);
        }
    }

    /** To one worker: save initial parameters, as the checkpoint before step 0. */
    record SaveInitial() implements ToTask {}

    /** To a worker: connect to {@code servers} in the background, for the next membership. */
    record Connect(MembershipNumber number, List<ServerAddress> servers) implements ToTask {
        public Connect {
            servers = List.copyOf(servers);
        }
    }

    /**
     * To a worker: stop after a step. In synchronous training only the first worker receives it, and tells the others
     * through the servers, so that all stop after the same step. To an asynchronous server that waits for a decision: apply
     * nothing more, and have the workers stop.
     */
    record LastStep(MembershipNumber number) implements ToTask {}

    /**
     * The answer to {@link AtDecision}: whether training ends is decided for all steps so far. Where it ends, {@link
     * LastStep} comes first. A synchronous server that reports is told as well, since it reports at once what the next
     * decision needs.
     *
     * @param number the membership that asked
     * @param decision the step before which the next decision is due; {@link Long#MAX_VALUE}: none is
     */
    record GoOn(MembershipNumber number, long decision) implements ToTask {}

    /**
     * To a server: refuse pushes and pulls older than {@code number}. To a worker that holds the parameters: give up the
     * step in flight.
     */
    record Fence(MembershipNumber number) implements ToTask {}

    /** To a worker: do not wait for these servers, which are gone. */
    record Abandon(List<TaskId> servers) implements ToTask {
        public Abandon {
            servers = List.copyOf(servers);
        }
    }

    /** To a server: make room for these floats, which a later membership may place there, and answer {@link Prepared}. */
    record Prepare(MembershipNumber number, Ranges hold, Updates updates) implements ToTask {}

    /**
     * To a server: hold these parameters in membership {@code number}.
     *
     * @param number the membership
     * @param base the membership whose shards move; the server keeps its shard of that one until {@code number} steps
     * @param workers those that push to it, by rank; it closes the connections of others
     * @param step the next step, which the server takes back if it has applied it; −1: the server's own (asynchronous)
     * @param hold the floats that it holds from now on; those it lacks are sent to it, or loaded from the checkpoint, unless
     *     it only averages
     * @param updates how it updates them
     * @param sends the floats that it sends to other servers
     * @param checkpoint the checkpoint to load; empty: none
     * @param reports whether it reports applied steps
     */
    record Place(
            MembershipNumber number,
            MembershipNumber base,
            List<TaskId> workers,
            long step,
            Ranges hold,
            Updates updates,
            List<Transfer> sends,
            String checkpoint,
            boolean reports)
            implements ToTask {
        public Place {
            workers = List.copyOf(workers);
            sends = List.copyOf(sends);
        }
    }

    /**
     * To a worker: membership {@code number} begins.
     *
     * @param number the membership
     * @param step the first step
     * @param endStep synchronous workers stop before this step, which training never does
     * @param rank the worker's rank, from 0
     * @param allocation the number of members
     * @param servers the servers and their shards
     * @param pull whether to read all parameters first
     * @param group how workers that hold the parameters themselves train; empty: servers hold them
     */
    record Begin(
            MembershipNumber number,
            long step,
            long endStep,
            int rank,
            Allocation allocation,
            List<ServerShard> servers,
            boolean pull,
            Optional<Group> group)
            implements ToTask {
        public Begin {
            servers = List.copyOf(servers);
        }
    }

    /**
     * How workers that hold the parameters themselves train. If there are {@code receivers}, one worker sends all
     * parameters and state to them before the first step.
     *
     * @param rendezvous the address at which the workers meet
     * @param source the rank of the worker that sends
     * @param receivers the ranks of the workers that receive
     * @param checkpoint the checkpoint that the source loads first; empty: none
     * @param samples the samples of the steps
     */
    record Group(ServerAddress rendezvous, int source, List<Integer> receivers, String checkpoint, Samples samples) {
        public Group {
            receivers = List.copyOf(receivers);
        }
    }

    /**
     * The samples of a membership's steps.
     *
     * @param from the position of the first step's first sample in the endless sequence of samples
     * @param batch the samples of each step
     * @param accumulate in how many more parts than one each worker computes its samples of a step, 0 or more
     */
    record Samples(long from, int batch, int accumulate) {}

    /** To a holder of parameters: save them now, as the state before {@code step}. */
    record SaveNow(MembershipNumber number, long step) implements ToTask {}

    /** To a holder of parameters, synchronous: also save them before {@code step}, unless that step is over. */
    record SaveBefore(MembershipNumber number, long step) implements ToTask {}

    /** To a worker: read all parameters and evaluate them. */
    record Evaluate() implements ToTask {}

    /**
     * To an idle task: run your command.
     *
     * @param members all members, for a coordinator that takes over; they meet at the address of the first
     * @param variables environment variables
     */
    record RunCommand(MembershipNumber number, List<TaskId> members, Map<String, String> variables) implements ToTask {
        public RunCommand {
            members = List.copyOf(members);
            variables = Map.copyOf(variables);
        }
    }

    /** To a task: end the command of membership {@code number}, with SIGTERM first. */
    record EndCommand(MembershipNumber number) implements ToTask {}

    /** To a task that runs commands: the job does without you, and no other coordinator will take you over. */
    record GivenUp(String reason) implements ToTask {}

    /** To a task: end your process. */
    record Leave(String reason) implements ToTask {}

    /** The address at which a task listens for others. */
    record ServerAddress(TaskId task, String host, int port) {}

    /** A server and the floats that it holds. */
    record ServerShard(ServerAddress server, Ranges ranges) {}

    /** Floats to send to another server. */
    record Transfer(ServerAddress to, Ranges ranges) {}
}
