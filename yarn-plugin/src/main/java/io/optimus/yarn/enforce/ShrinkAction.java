package io.optimus.yarn.enforce;

import org.apache.hadoop.yarn.api.records.ContainerId;

/** What to do about a container that its application should have given back. */
public sealed interface ShrinkAction {
    /** The container. */
    ContainerId container();

    /** YARN's preemption contract: the ApplicationMaster is told in its next allocate response. */
    record AskBack(ContainerId container) implements ShrinkAction {}

    /** The container is completed as preempted. */
    record TakeBack(ContainerId container) implements ShrinkAction {}
}
