package io.optimus.am.client.top;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.Locale;

/** In which order the jobs stand. */
enum JobOrder {
    /** The job that was submitted first. */
    SUBMITTED,
    /** The job that is predicted to end first; jobs without a prediction last. */
    END,
    /** The job with the most tasks. */
    TASKS,
    /** The job that waits longest; jobs that train last. */
    WAITING;

    Comparator<JsonNode> comparator() {
        Comparator<JsonNode> comparator =
                switch (this) {
                    case SUBMITTED -> Comparator.comparingLong(
                            job -> job.path("submittedMillis").asLong());
                    case END -> Comparator.comparingDouble(
                            job -> job.path("remainingSeconds").asDouble(Double.MAX_VALUE));
                    case TASKS -> Comparator.comparingLong(JobOrder::tasks).reversed();
                    case WAITING -> Comparator.comparingLong(
                            job -> job.path("waitingSinceMillis").asLong(Long.MAX_VALUE));
                };
        return comparator.thenComparing(job -> job.path("id").asText());
    }

    /** The next one, and the first after the last. */
    JobOrder next() {
        return switch (this) {
            case SUBMITTED -> END;
            case END -> TASKS;
            case TASKS -> WAITING;
            case WAITING -> SUBMITTED;
        };
    }

    private static long tasks(JsonNode job) {
        JsonNode allocation = job.path("allocation");
        return allocation.path("parameterServers").asLong()
                + allocation.path("workers").asLong();
    }

    /** As the shell completes it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
