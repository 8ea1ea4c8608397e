package io.optimus.yarn.explain;

import io.optimus.yarn.explain.JobExplanation.Place;
import io.optimus.yarn.jobs.JobView;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The order in which jobs of one queue that wait get their minimum, where it is that of their owners. */
final class WaitingOrder {
    /** The policies that give minimums by right, as {@code Precedence.BY_RIGHT} does. */
    private static final Set<String> BY_RIGHT = Set.of("optimus", "fifo");

    private static final Comparator<JobView> ORDER = Comparator.comparingInt(
                    (JobView job) -> job.scheduling().priority())
            .reversed()
            .thenComparingLong(job -> job.facts().submitMillis())
            .thenComparing(JobView::id);

    private WaitingOrder() {}

    /**
     * The place of {@code job}.
     *
     * @param policy the policy of its queue
     * @param waiting the jobs of its queue that wait, with {@code job} or without
     */
    static Optional<Place> of(JobView job, String policy, List<JobView> waiting) {
        if (!BY_RIGHT.contains(policy) || !waiting.contains(job)) {
            return Optional.empty();
        }
        int place = waiting.stream().sorted(ORDER).toList().indexOf(job) + 1;
        return Optional.of(new Place(place, waiting.size(), "larger priority, then earlier submission"));
    }
}
