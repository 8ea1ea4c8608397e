package io.optimus.am.master.scheduler;

import io.optimus.am.master.plan.Directive;
import io.optimus.model.Allocation;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whose directive counts: the scheduler's where it enforces plans, the job's own where there is no such
 * scheduler.
 *
 * <p>A job that sizes itself runs at its minimum, wherever YARN gives room; one that runs already when the scheduler
 * stops enforcing keeps the size that it has. A scheduler that is silent only for a while changes nothing.
 */
public final class DirectiveSource {
    private static final Logger LOG = LoggerFactory.getLogger(DirectiveSource.class);

    private final Allocation minimum;
    private final Supplier<Allocation> present;
    private boolean sizesItself;
    private boolean heard;
    private long ownPlans;

    /**
     * Nothing is decided yet.
     *
     * @param minimum fewest tasks that the job can run with
     * @param present tasks that the job has at the moment
     */
    public DirectiveSource(Allocation minimum, Supplier<Allocation> present) {
        this.minimum = minimum;
        this.present = present;
    }

    /** What to follow after the scheduler's answer; empty: nothing new. */
    public Optional<Directive> answered(SchedulerReply reply) {
        heard = true;
        if (reply.enforced()) {
            sizesItself = false;
            return reply.directive();
        }
        return ownSize("the scheduler runs in mode " + reply.mode());
    }

    /** What to follow when no scheduler of training jobs has answered in time; empty: go on as before. */
    public Optional<Directive> silence(String why) {
        return heard ? Optional.empty() : ownSize("no scheduler of training jobs answers (" + why + ")");
    }

    /** Whether the job decides its size at the moment. */
    public boolean sizesItself() {
        return sizesItself;
    }

    private Optional<Directive> ownSize(String why) {
        if (sizesItself) {
            return Optional.empty();
        }
        sizesItself = true;
        Allocation now = present.get();
        Allocation size = minimum.isWithin(now) ? now : minimum;
        String reason = "fixed size: " + why;
        LOG.info("sizing=own allocation=\"{}\" reason=\"{}\"", size, reason);
        return Optional.of(Directive.anywhere(ownPlans++, size, reason));
    }
}
