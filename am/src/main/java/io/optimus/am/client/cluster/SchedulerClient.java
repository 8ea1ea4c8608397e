package io.optimus.am.client.cluster;

import java.util.Map;
import java.util.Optional;

/** Asks the scheduler about training jobs. It never throws, because YARN knows the jobs without the scheduler. */
public interface SchedulerClient {
    /**
     * The scheduler's answer.
     *
     * @param jobs by application id
     * @param remark why there are no jobs, in words; empty if the scheduler answered
     */
    record Answer(Map<String, SchedulerJob> jobs, String remark) {
        /** The job of the application {@code id}. */
        public Optional<SchedulerJob> job(String id) {
            return Optional.ofNullable(jobs.get(id));
        }
    }

    /** All jobs that the user may see. */
    Answer jobs();
}
