package io.optimus.yarn.plan;

/** Holds the plan that the last round published; safe for any thread. */
public final class LatestPlan {
    private volatile PublishedPlan current = PublishedPlan.NONE;

    public PublishedPlan current() {
        return current;
    }

    public void publish(PublishedPlan plan) {
        current = plan;
    }
}
