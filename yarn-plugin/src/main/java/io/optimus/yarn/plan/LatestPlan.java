package io.optimus.yarn.plan;

/** Where the published plan hangs: written by the round, read by everybody. */
public final class LatestPlan {
    private volatile PublishedPlan current = PublishedPlan.NONE;

    /** The plan that holds now. */
    public PublishedPlan current() {
        return current;
    }

    public void publish(PublishedPlan plan) {
        current = plan;
    }
}
