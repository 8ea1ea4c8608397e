package io.optimus.yarn.round;

/** Where the published plan hangs: written by the round, read by everybody. */
public final class PlanBoard {
    private volatile PublishedPlan current = PublishedPlan.NONE;

    /** The plan that holds now. */
    public PublishedPlan current() {
        return current;
    }

    void publish(PublishedPlan plan) {
        current = plan;
    }
}
