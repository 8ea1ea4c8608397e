package io.optimus.am.client.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the scheduler about training jobs. */
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

    /** One job alone, which costs the ResourceManager far less than all; no job if the scheduler does not know it. */
    Answer job(String id);

    /**
     * What the scheduler answers.
     *
     * @param path below {@code /ws/v1/optimus}, such as {@code /rounds}
     * @throws IOException if it does not answer, or refuses; the message is the scheduler's
     */
    JsonNode read(String path) throws IOException;

    /**
     * The same for something that there may not be.
     *
     * @return empty if the scheduler knows no such thing
     * @throws IOException as {@link #read}
     */
    Optional<JsonNode> find(String path) throws IOException;

    /**
     * What {@link #read} answers for a list of jobs that comes in pages: all pages in one answer.
     *
     * @throws IOException as {@link #read}
     */
    default JsonNode readAll(String path) throws IOException {
        JsonNode all = read(path);
        for (JsonNode page = all; page.path("next").isTextual(); ) {
            page = read(path + (path.contains("?") ? "&" : "?") + "after="
                    + page.path("next").textValue());
            if (all.path("jobs") instanceof ArrayNode jobs) {
                page.path("jobs").forEach(jobs::add);
            }
        }
        return all;
    }

    /**
     * What the scheduler answers to a question that takes it some seconds.
     *
     * @param path below {@code /ws/v1/optimus}, such as {@code /what-if}
     * @param question is posted; null for a question that the path says
     * @throws IOException if it does not answer, or refuses; the message is the scheduler's
     */
    JsonNode ask(String path, @Nullable JsonNode question) throws IOException;
}
