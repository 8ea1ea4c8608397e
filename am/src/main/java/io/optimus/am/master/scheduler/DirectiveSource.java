package io.optimus.am.master.scheduler;

import io.optimus.am.master.plan.Directive;
import io.optimus.model.Allocation;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides whose directive the job follows: the scheduler's if it enforces plans, otherwise its own.
 *
 * <p>A job that sizes itself runs at its minimum on any nodes. If it runs already when the scheduler stops enforcing, it
 * keeps its allocation. A scheduler that does not answer for a while changes nothing.
 */
public final class DirectiveSource {
    private static final Logger LOG = LoggerFactory.getLogger(DirectiveSource.class);

    private final Allocation minimum;
    private final Supplier<Allocation> present;
    private String lastFailure = "no answer yet";
    private boolean sizesItself;
    private boolean answered;
    private long ownPlans;

    /**
     * Nothing is decided yet.
     *
     * @param minimum the fewest tasks that the job can run with
     * @param present the tasks that the job has at the moment
     */
    public DirectiveSource(Allocation minimum, Supplier<Allocation> present) {
        this.minimum = minimum;
        this.present = present;
    }

    /** Returns the directive to follow after the scheduler's reply; empty if there is no new one. */
    public Optional<Directive> answered(SchedulerLink.Reply reply) {
        answered = true;
        if (reply.enforced()) {
            sizesItself = false;
            return reply.directive();
        }
        return ownDirective("the scheduler runs in mode " + reply.mode());
    }

    /** The scheduler did not answer. */
    public void unreachable(String why) {
        lastFailure = why;
    }

    /** Returns the directive to follow once a new job has waited long enough for a scheduler; empty if one answered. */
    public Optional<Directive> waitedForScheduler() {
        return answered
                ? Optional.empty()
                : ownDirective("no scheduler of training jobs answers (" + lastFailure + ")");
    }

    /** Whether the job sizes itself at the moment. */
    public boolean sizesItself() {
        return sizesItself;
    }

    private Optional<Directive> ownDirective(String why) {
        if (sizesItself) {
            return Optional.empty();
        }
        sizesItself = true;
        Allocation now = present.get();
        Allocation size = minimum.isWithin(now) ? now : minimum;
        String reason = "runs at a fixed size: " + why;
        LOG.info("sizing=own allocation=\"{}\" reason=\"{}\"", size, reason);
        return Optional.of(Directive.onAnyNode(ownPlans++, size, reason));
    }
}
