package io.optimus.am.client.cluster;

import java.util.Map;
import java.util.Optional;

/** What the scheduler tells of training jobs; never an error, since YARN knows the jobs without it. */
public interface SchedulerClient {
    /**
     * An answer.
     *
     * @param jobs by application id
     * @param remark why there are none, in words; empty where the scheduler answered
     */
    record Answer(Map<String, SchedulerJob> jobs, String remark) {
        public Optional<SchedulerJob> job(String id) {
            return Optional.ofNullable(jobs.get(id));
        }
    }

    /** All jobs that the caller may see. */
    Answer jobs();
}
