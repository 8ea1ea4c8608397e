package io.optimus.yarn.round;

import io.optimus.model.Allocation;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.plan.PublishedPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Gives up a size that was explored for too long without a sample, because its containers are not granted or the job does not
 * resize. In mode {@code advise} the time counts only while the job happens to run on that size.
 */
final class ExplorationTimeout {
    private final LongSupplier patienceMillis;
    private final BooleanSupplier enforced;
    private final JobRegistry registry;
    private final Map<ApplicationId, Since> exploring = new HashMap<>();

    ExplorationTimeout(LongSupplier patienceMillis, BooleanSupplier enforced, JobRegistry registry) {
        this.patienceMillis = patienceMillis;
        this.enforced = enforced;
        this.registry = registry;
    }

    private record Since(Allocation size, long millis) {}

    void advance(PublishedPlan plan, List<JobView> jobs, long nowMillis) {
        exploring.keySet().retainAll(jobs.stream().map(JobView::id).collect(Collectors.toSet()));
        for (JobView job : jobs) {
            Allocation size = plan.of(job.id())
                    .filter(JobPlan::exploring)
                    .map(part -> part.planned().allocation())
                    .orElse(Allocation.NONE);
            if (size.isNone()) {
                exploring.remove(job.id());
                continue;
            }
            Since since = exploring.get(job.id());
            boolean known = job.measuredSpeed(size).isPresent()
                    || job.measured().givenUp().contains(size);
            boolean tried = enforced.getAsBoolean()
                    || job.progress().members().allocation().equals(size);
            if (known || !tried) {
                exploring.remove(job.id());
            } else if (since == null || !since.size().equals(size)) {
                exploring.put(job.id(), new Since(size, nowMillis));
            } else if (nowMillis - since.millis() >= patienceMillis.getAsLong()) {
                registry.giveUpExploring(job.id(), size);
            }
        }
    }
}
