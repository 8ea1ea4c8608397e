package io.optimus.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The remaining times that the scheduler showed for one job, against what came. A job's life is the time between the
 * first and the last look that found it training. Thread-safe.
 */
final class Predictions {
    private static final double[] FRACTIONS = {0.25, 0.5, 0.75};

    private final List<Shown> shown = new ArrayList<>();

    /** What was shown at one moment; null if nothing was. */
    private record Shown(double seconds, @Nullable Double remainingSeconds) {}

    /**
     * Takes in what is shown now.
     *
     * @param seconds the time
     * @param job the job as {@code /ws/v1/optimus/jobs} shows it
     */
    synchronized void see(double seconds, JsonNode job) {
        boolean trains = job.path("state").asText().equals("running");
        if (trains || (!shown.isEmpty() && !job.path("state").asText().equals("finished"))) {
            JsonNode remaining = job.path("remainingSeconds");
            shown.add(new Shown(seconds, remaining.isNumber() ? remaining.asDouble() : null));
        }
    }

    /** An object for each of the fractions of the job's life; none for a job that was not seen to train. */
    synchronized ArrayNode json() {
        ArrayNode json = new ObjectMapper().createArrayNode();
        if (shown.isEmpty()) {
            return json;
        }
        double start = shown.get(0).seconds();
        double end = shown.get(shown.size() - 1).seconds();
        for (double fraction : FRACTIONS) {
            double moment = start + fraction * (end - start);
            Shown last = shown.get(0);
            for (Shown each : shown) {
                last = each.seconds() <= moment ? each : last;
            }
            ObjectNode prediction = json.addObject();
            prediction.put("fraction", fraction);
            prediction.put("predictedRemainingSeconds", last.remainingSeconds());
            prediction.put("actualRemainingSeconds", end - last.seconds());
        }
        return json;
    }
}
