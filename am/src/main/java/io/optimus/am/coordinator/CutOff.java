package io.optimus.am.coordinator;

import java.util.OptionalLong;

/**
 * Finds out that this process is cut off from the network: YARN does not answer it, and nothing is heard of any task on
 * another host. Their silence then does not mean that they have failed; they go on by themselves. Where only YARN or only
 * the tasks are silent, this process is not cut off. A single task on another host that hangs while the ResourceManager is
 * down looks like a cut. All times are nanoseconds of one clock; one thread calls all methods but {@link #yarnAnswers}.
 */
final class CutOff {
    private final long noticedAfter;
    private final long longest;
    private volatile boolean answers;
    private OptionalLong answeredAt = OptionalLong.empty();
    private boolean isCut;
    private long from;
    private long to;

    /**
     * Without any answer of YARN, nothing is a cut.
     *
     * @param noticedAfter this process counts as cut off once neither YARN nor a task has been heard for so long
     * @param longest a cut that takes longer is no excuse for silent tasks
     */
    CutOff(long noticedAfter, long longest) {
        this.noticedAfter = noticedAfter;
        this.longest = longest;
    }

    /** YARN has answered. Any thread may call this. */
    void yarnAnswers() {
        answers = true;
    }

    /**
     * Looks at what was heard until {@code now}.
     *
     * @param othersHeard when a task on another host was heard last; empty: there is none
     * @return the length of a cut that is over now; otherwise 0
     */
    long tick(long now, OptionalLong othersHeard) {
        if (answers) {
            answers = false;
            answeredAt = OptionalLong.of(now);
        }
        long heard = answeredAt.isPresent() && othersHeard.isPresent()
                ? Math.max(answeredAt.getAsLong(), othersHeard.getAsLong())
                : now;
        boolean wasCut = isCut;
        isCut = now - heard > noticedAfter;
        if (isCut) {
            from = heard;
            to = now;
        }
        return wasCut && !isCut && othersHeard.isPresent() ? to - from : 0;
    }

    /**
     * Whether a task may be silent since this process is or was cut off. After a cut, the system sends what was lost again only
     * after as much time as that cut took. A task that was heard since then is silent itself.
     */
    boolean explainsSilence(long now, long taskHeard) {
        long length = to - from;
        return length > 0 && length < longest && taskHeard <= to && now < to + Math.max(length, noticedAfter);
    }
}
