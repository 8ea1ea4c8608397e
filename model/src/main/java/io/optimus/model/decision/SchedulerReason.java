package io.optimus.model.decision;

import io.optimus.model.Allocation;
import java.util.List;
import java.util.SortedMap;

/** What does not come from a policy: the state of the scheduler, orders of administrators, and what YARN does. */
public sealed interface SchedulerReason extends Reason {
    /** What the sentence says. */
    ReasonKind kind();

    @Override
    default List<ReasonKind> kinds() {
        return List.of(kind());
    }

    @Override
    default boolean isOfDecision() {
        return false;
    }

    /** No round has planned the job yet. */
    record FirstPlan() implements SchedulerReason {
        @Override
        public String sentence() {
            return "waits for the scheduler's first plan";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.FIRST_PLAN;
        }
    }

    /** The job said that it has ended. */
    record Ended() implements SchedulerReason {
        @Override
        public String sentence() {
            return "the job has ended";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.ENDED;
        }
    }

    /**
     * The plan is frozen after a restart.
     *
     * @param awaited jobs that have not registered again with all tasks; 0: none, but rounds are paused
     */
    record KeptAfterRestart(int awaited) implements SchedulerReason {
        @Override
        public String sentence() {
            if (awaited == 0) {
                return "keeps its tasks: no round has decided since the restart of the ResourceManager, because rounds are"
                        + " paused by an administrator";
            }
            return "keeps its tasks: after the restart of the ResourceManager, " + awaited
                    + (awaited == 1 ? " job has" : " jobs have") + " not registered again with all tasks yet";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.RESTARTED;
        }

        @Override
        public SortedMap<String, Double> figures() {
            return new Figures().with("jobsAwaited", awaited).all();
        }
    }

    /** An administrator drains the queue. */
    record QueueDrained(String queue) implements SchedulerReason {
        @Override
        public String sentence() {
            return "waits: an administrator drains the queue " + queue;
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.DRAINED;
        }
    }

    /** An administrator fixed the size of the job. */
    record SizeFixed(Allocation size) implements SchedulerReason {
        @Override
        public String sentence() {
            return "an administrator fixed its size at " + size;
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.FIXED_SIZE;
        }
    }

    /** The queue does not let jobs keep all their tasks. */
    record QueueShrinksAll() implements SchedulerReason {
        @Override
        public String sentence() {
            return "its queue lets every job shrink, also one that is not preemptible";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.QUEUE_TERMS;
        }
    }

    /** The queue lets jobs keep all their tasks for so long only. */
    record QueueKeepsFor(long seconds) implements SchedulerReason {
        @Override
        public String sentence() {
            return "its queue keeps no job from shrinking for longer than " + seconds + " s";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.QUEUE_TERMS;
        }
    }

    /** YARN is asked for tasks within the guarantee of the queue. */
    record AskedOfYarn(Allocation tasks) implements SchedulerReason {
        @Override
        public String sentence() {
            return "YARN is asked for " + tasks + " within the guarantee of its queue";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.AWAITS_GUARANTEE;
        }
    }

    /** A node failed or left, with tasks of the job. */
    record NodeLost(String node, Allocation tasks) implements SchedulerReason {
        @Override
        public String sentence() {
            return "it lost " + tasks + " with node " + node;
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.NODE_LOST;
        }
    }

    /** Nothing of this is enforced. */
    record OnlyAdvice() implements SchedulerReason {
        @Override
        public String sentence() {
            return "this is advice only: the scheduler runs in mode advise, and the job sizes itself";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.ADVICE;
        }
    }
}
