package io.optimus.yarn.web;

import io.optimus.model.belief.Estimate;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.plan.JobPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The list of jobs as text, which many clients ask for again and again. The text of a job is made again only when
 * something in it has changed. Safe for several threads.
 */
final class JobTexts {
    private final Map<ApplicationId, Text> known = new ConcurrentHashMap<>();

    /**
     * All that a job's text depends on.
     *
     * @param plan its part of the last plan
     * @param estimate what is believed of it
     * @param waitsSinceMillis see {@link JobResponse#waitsSinceMillis}
     */
    record Source(
            JobView job,
            Optional<JobPlan> plan,
            Optional<Estimate> estimate,
            SchedulerMode mode,
            OptionalLong waitsSinceMillis) {
        static Source of(SchedulerOverview overview, JobView job) {
            return new Source(
                    job,
                    overview.state().plan().current().of(job.id()),
                    overview.state().beliefs().of(job.id()),
                    overview.configuration().mode(),
                    JobResponse.waitsSinceMillis(job));
        }
    }

    private record Text(Source source, String json) {}

    /** The text of {@link JobResponse#list} with all fields. */
    String list(SchedulerOverview overview, Page page, Predicate<ApplicationId> shown) {
        JobRegistry registry = overview.state().registry();
        List<ApplicationId> all = registry.ids();
        known.keySet().retainAll(Set.copyOf(all));
        Page.Ids ids = page.of(all, shown, id -> 0, 0);
        StringJoiner jobs = new StringJoiner(",", "{\"jobs\":[", "]");
        for (ApplicationId id : ids.ids()) {
            registry.view(id).ifPresent(job -> jobs.add(of(id, Source.of(overview, job))));
        }
        return jobs + ",\"next\":" + ids.next().map(next -> '"' + next + '"').orElse("null") + "}";
    }

    private String of(ApplicationId id, Source source) {
        Text text = known.get(id);
        if (text == null || !text.source().equals(source)) {
            text = new Text(source, JobResponse.listed(source).toString());
            known.put(id, text);
        }
        return text.json();
    }
}
