package io.optimus.yarn.plan;

import io.optimus.model.job.Placement;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * A plan, as a round published it.
 *
 * @param number number of the plan; rises, also over restarts of the ResourceManager
 * @param frozen whether it only keeps the tasks that jobs had before a restart
 * @param jobs parts by application
 */
public record PublishedPlan(long number, boolean frozen, SortedMap<ApplicationId, JobPlan> jobs) {
    /** The plan before the first round. */
    public static final PublishedPlan NONE = new PublishedPlan(0, false, new TreeMap<>());

    public PublishedPlan {
        jobs = Collections.unmodifiableSortedMap(new TreeMap<>(jobs));
    }

    /** How many jobs it gives other tasks than the plan {@code before}; a job in one plan only counts if it has tasks there. */
    public int changesSince(PublishedPlan before) {
        Set<ApplicationId> all = new HashSet<>(jobs.keySet());
        all.addAll(before.jobs.keySet());
        return (int) all.stream()
                .filter(job -> !planned(job).equals(before.planned(job)))
                .count();
    }

    private Placement planned(ApplicationId job) {
        return of(job).map(JobPlan::planned).orElse(Placement.NONE);
    }

    /** The part of {@code application}; empty if the plan does not cover it. */
    public Optional<JobPlan> of(ApplicationId application) {
        return Optional.ofNullable(jobs.get(application));
    }
}
