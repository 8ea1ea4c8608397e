package io.optimus.yarn.enforce;

import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * One step of YARN's preemption for a container that its application should have released.
 *
 * @param container the container
 * @param step what to do
 */
public record ShrinkAction(ContainerId container, Step step) {
    /** The two steps of YARN's preemption. */
    public enum Step {
        /** The next allocate response asks the ApplicationMaster to release the container. */
        PREEMPTION_MESSAGE,
        /** The container is ended as preempted. */
        KILL
    }

    /** Asks the ApplicationMaster to release {@code container}. */
    public static ShrinkAction message(ContainerId container) {
        return new ShrinkAction(container, Step.PREEMPTION_MESSAGE);
    }

    /** Ends {@code container}. */
    public static ShrinkAction kill(ContainerId container) {
        return new ShrinkAction(container, Step.KILL);
    }
}
