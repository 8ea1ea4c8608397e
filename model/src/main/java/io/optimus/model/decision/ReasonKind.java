package io.optimus.model.decision;

import java.util.Locale;

/**
 * What a reason says, as a word for programs, with what would change it.
 *
 * <p>A reason has one kind or several: a job that may not shrink and whose growth another job outbids has both.
 */
public enum ReasonKind {
    /** Too little of a resource is free for it. */
    NO_ROOM("other jobs or applications have to release resources, or nodes have to be added"),
    /** Enough is free in sum, but on too many nodes. */
    SCATTERED("more has to become free on single nodes, or the job has to ask for smaller tasks"),
    /** Other jobs gain more from the resources that it could use. */
    OUTBID("the jobs that gain more have to end or reach their maximum, or nodes have to be added"),
    /** Jobs are served in order, and others come first. */
    COMES_LATER("the jobs before it have to get their room first; a larger priority lets it overtake them"),
    /** It has all that it asked for. */
    AT_MAXIMUM("larger numbers of max in its job file"),
    /** More tasks would not make it faster. */
    NO_GAIN(),
    /** Its speed or its end is not known well enough yet. */
    NOT_MEASURED("its next reports: it is sized as soon as its speed is known"),
    /** It runs on a size that was chosen to learn its speed. */
    EXPLORES("it leaves this size as soon as it has reported its speed there"),
    /** It grows in steps, until its speed on larger sizes is known. */
    GROWS_IN_STEPS("its next reports: it may grow again as soon as its speed on this size is known"),
    /** It may not be made smaller. */
    MAY_NOT_SHRINK("preemptible: true and a smaller minRunSeconds in its job file"),
    /** It gives tasks to others. */
    SHRUNK("it grows again when other jobs or applications end"),
    /** A change of its size would not repay what the resize costs. */
    RESIZE_COST("a larger gain: more free resources at once, or a shorter pause for a resize"),
    /** It keeps what no other job can use. */
    NOT_NEEDED(),
    /** Its share is guaranteed by its policy, whatever others gain. */
    GUARANTEED_SHARE("it grows beyond this share when it gains more than others"),
    /** It has the size that its owner asked for. */
    AS_ASKED("another size in its job file"),
    /** The owner asked for more than can ever have room. */
    ASKS_TOO_MUCH("fewer or smaller tasks in its job file, a larger limit of its queue, or more nodes"),
    /** Its size is part of the best division for all jobs. */
    BEST_FOR_ALL("another mix of jobs"),
    /** It is at the limit of its user. */
    USER_LIMIT(
            "a larger user-limit-factor or minimum-user-limit-percent of the queue, or the user's other jobs have to end"),
    /** Its queue may use no more, although nodes have room. */
    QUEUE_LIMIT("a larger maximum-capacity of the queue, or another queue"),
    /** Only some of its user's jobs count. */
    JOBS_PER_USER("the user's earlier jobs have to end, or a larger jobs-per-user of the queue"),
    /** Its queue limits for how long jobs keep their tasks. */
    QUEUE_TERMS("other values of unpreemptible-jobs and min-run-limit of the queue"),
    /** YARN is asked for tasks within the guarantee of the queue. */
    AWAITS_GUARANTEE("YARN grants these tasks as others release what the guarantee of the queue covers"),
    /** It is bound to a type of GPU. */
    GPU_TYPE("other gpuTypes in its job file, or nodes of a type that it accepts"),
    /** Where its tasks are. */
    PLACED(),
    /** An administrator fixed its size. */
    FIXED_SIZE("an administrator has to take the fixed size back"),
    /** An administrator drains its queue. */
    DRAINED("an administrator has to end the drain of the queue"),
    /** It lost tasks with a node. */
    NODE_LOST("the next plan places the lost tasks on other nodes as soon as these have room"),
    /** No round has planned it yet. */
    FIRST_PLAN("the next round plans it"),
    /** The plan is frozen after a restart. */
    RESTARTED("the missing jobs have to register again, or the recovery timeout has to pass"),
    /** It has ended. */
    ENDED(),
    /** The scheduler enforces no plan. */
    ADVICE("yarn.scheduler.optimus.mode has to be enforce");

    private final String remedy;
    private final boolean wanting;

    ReasonKind() {
        this.remedy = "nothing has to change";
        this.wanting = false;
    }

    ReasonKind(String remedy) {
        this.remedy = remedy;
        this.wanting = true;
    }

    /** The word of REST and of the commands, such as {@code queue-limit}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether its owner could want it changed. */
    public boolean isWanting() {
        return wanting;
    }

    /** What would change it. */
    public String remedy() {
        return remedy;
    }
}
