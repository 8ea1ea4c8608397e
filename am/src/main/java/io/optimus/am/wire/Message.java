package io.optimus.am.wire;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.job.JobSpec.Optimizer;
import io.optimus.model.Allocation;
import io.optimus.model.TrainingMode;
import java.util.List;

/** What a task and the coordinator say to each other over the task's control connection. */
@JsonTypeInfo(use = JsonTypeInfo.Id.MINIMAL_CLASS, property = "kind")
public sealed interface Message {
    /** From a task to the coordinator. */
    sealed interface FromTask extends Message {}

    /** From the coordinator to a task. */
    sealed interface ToTask extends Message {}

    /**
     * A worker has loaded its engine.
     *
     * @param blocks the model's
     * @param trainingSamples how many there are
     */
    record WorkerReady(List<ParameterBlock> blocks, int trainingSamples) implements FromTask {
        /** Copies. */
        public WorkerReady {
            blocks = List.copyOf(blocks);
        }
    }

    /** A parameter server listens. */
    record ServerReady(String host, int port) implements FromTask {}

    /**
     * A sign of life.
     *
     * @param steps done since the task began
     * @param busyMillis time spent in the current computation so far; 0 outside one
     */
    record Alive(long steps, long busyMillis) implements FromTask {}

    /** The task cannot go on. */
    record Unable(String reason) implements FromTask {}

    /**
     * A task could not do its part of what it was told last, and goes on: a server could not take, send or save a
     * shard, a worker could not evaluate.
     *
     * @param number membership that it was told for
     * @param because whom it could not do it with; itself where nobody else takes part
     * @param reason in words
     */
    record NotDone(MembershipNumber number, TaskId because, String reason) implements FromTask {}

    /** A worker is connected to all servers that {@link Connect} named for {@code number}. */
    record Connected(MembershipNumber number) implements FromTask {}

    /** A worker has stopped after its last step of {@code number}; the next one would be {@code step}. */
    record AtBoundary(MembershipNumber number, long step) implements FromTask {}

    /** A server refuses everything older than {@code number}; its next step would be {@code step}. */
    record Fenced(MembershipNumber number, long step) implements FromTask {}

    /** A server holds its shard of {@code number}, or has sent away all of it. */
    record Placed(MembershipNumber number) implements FromTask {}

    /** A worker begins its first step of {@code number}. */
    record Started(MembershipNumber number, long step) implements FromTask {}

    /**
     * Steps that the reporting server has applied.
     *
     * @param number membership of the last of them
     * @param first the first step
     * @param losses one a step
     * @param nanos the server's clock at the last one, for differences only
     */
    @SuppressWarnings("ArrayRecordComponent") // sent, never compared
    record Applied(MembershipNumber number, long first, double[] losses, long nanos) implements FromTask {}

    /** A worker's step of {@code number} was refused or its connection to a server broke: it waits to begin again. */
    record Interrupted(MembershipNumber number, String reason) implements FromTask {}

    /** A worker has evaluated. */
    record Evaluated(Evaluation evaluation) implements FromTask {}

    /**
     * The first message to a task: what it needs to know of the job.
     *
     * @param mode how gradients meet
     * @param batch samples a step (synchronous: of all, asynchronous: of one worker)
     * @param seed of samples and initial parameters
     * @param optimizer of the servers
     * @param checkpointEverySteps when synchronous, a server saves its shard before each multiple of it
     * @param heartbeatMillis between signs of life
     * @param silenceMillis without one after which the task ends itself
     */
    record Welcome(
            TrainingMode mode,
            int batch,
            long seed,
            Optimizer optimizer,
            long checkpointEverySteps,
            long heartbeatMillis,
            long silenceMillis)
            implements ToTask {}

    /** The coordinator's sign of life. */
    record StillHere() implements ToTask {}

    /** To one worker: save initial parameters as the checkpoint before step 0. */
    record SaveInitial() implements ToTask {}

    /** To a worker: connect to {@code servers} in the background, for the membership to come. */
    record Connect(MembershipNumber number, List<ServerAddress> servers) implements ToTask {
        /** Copies. */
        public Connect {
            servers = List.copyOf(servers);
        }
    }

    /**
     * To a worker: stop after a step. When synchronous it goes to the first worker only, which tells all through the
     * servers, so that all stop after the same one.
     */
    record LastStep(MembershipNumber number) implements ToTask {}

    /** To a server: refuse every push and pull older than {@code number}. */
    record Fence(MembershipNumber number) implements ToTask {}

    /** To a worker: these servers are gone; do not wait for them. */
    record Abandon(List<TaskId> servers) implements ToTask {
        /** Copies. */
        public Abandon {
            servers = List.copyOf(servers);
        }
    }

    /**
     * To a server: hold these parameters in membership {@code number}.
     *
     * @param number the membership
     * @param base the membership whose shards move: what the server had in that, it still has until {@code number} steps
     * @param workers how many push to it
     * @param step the next step, to go back to if the server has already applied it; -1: its own (asynchronous)
     * @param hold what it holds from now on; what it lacks is sent to it, or loaded from {@code checkpoint}
     * @param statistics which floats of the flat vector are statistics, not trained
     * @param sends what others hold from now on
     * @param checkpoint what to load; empty: nothing
     * @param reports whether it reports applied steps
     */
    record Place(
            MembershipNumber number,
            MembershipNumber base,
            int workers,
            long step,
            Ranges hold,
            Ranges statistics,
            List<Transfer> sends,
            String checkpoint,
            boolean reports)
            implements ToTask {
        /** Copies. */
        public Place {
            sends = List.copyOf(sends);
        }
    }

    /**
     * To a worker: membership {@code number} begins.
     *
     * @param number the membership
     * @param step the first step
     * @param rank of the worker, from 0
     * @param allocation all members
     * @param servers who holds what
     * @param pull whether to read all parameters first
     */
    record Begin(
            MembershipNumber number,
            long step,
            int rank,
            Allocation allocation,
            List<ServerShard> servers,
            boolean pull)
            implements ToTask {
        /** Copies. */
        public Begin {
            servers = List.copyOf(servers);
        }
    }

    /** To a server: save the shard now, as the state before {@code step}. */
    record SaveNow(MembershipNumber number, long step) implements ToTask {}

    /** To a synchronous server: save the shard as the state before {@code step} too, if that is still to come. */
    record SaveBefore(MembershipNumber number, long step) implements ToTask {}

    /** To a worker: read all parameters and evaluate them. */
    record Evaluate() implements ToTask {}

    /** To a task: end. */
    record Leave(String reason) implements ToTask {}

    /** Where a server listens. */
    record ServerAddress(TaskId task, String host, int port) {}

    /** Who holds what. */
    record ServerShard(ServerAddress server, Ranges ranges) {}

    /** What to send to whom. */
    record Transfer(ServerAddress to, Ranges ranges) {}
}
