package io.optimus.am.client.forecast;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.model.belief.RemainingTime;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints answers to what-if questions for people. */
public final class ForecastText {
    private static final String ROW = "%-32s %-20s %-16s %-12s %-12s %-24s %-24s %s%n";
    private static final double SAME_SECONDS = 1;

    private final PrintWriter out;

    public ForecastText(PrintWriter out) {
        this.out = out;
    }

    /** Prints the answer to a question with one change. */
    public void whatIf(JsonNode answer) {
        JsonNode change = answer.path("changes").path(0);
        if (change.path("job").isObject()) {
            job(change.path("job"));
        }
        all(change);
        jobs(change);
        assumptions(answer);
    }

    /** Prints what the next node would save. */
    public void capacity(JsonNode answer) {
        if (answer.path("changes").isEmpty()) {
            out.println("No node gets containers in the default partition.");
        }
        for (JsonNode change : answer.path("changes")) {
            JsonNode node = change.path("node");
            String type = node.path("gpuType").asText();
            out.printf(
                    Locale.ROOT,
                    "One more node like %d others (%s%s):%n",
                    node.path("like").asInt(),
                    node.path("resources").toString().replaceAll("[{}\"]", ""),
                    type.isEmpty() ? "" : " of type " + type);
            all(change);
            jobs(change);
        }
        assumptions(answer);
    }

    private void job(JsonNode job) {
        JsonNode forecast = job.path("forecast");
        out.println(job.path("name").asText() + " in queue " + job.path("queue").asText());
        out.println("  first size: " + size(forecast.path("planned")));
        out.println("  start:      " + forecast.path("start").asText());
        out.println("  end:        " + forecast.path("end").asText());
        out.println("  why:        " + job.path("reason").asText());
        out.println("  speed:      " + job.path("speedFrom").asText());
        out.println("  steps:      " + job.path("stepsFrom").asText());
    }

    private void all(JsonNode change) {
        JsonNode all = change.path("all");
        out.printf(
                Locale.ROOT,
                "Of %d jobs, %d would end sooner and %d later; %d have a predicted end with and without the change.%n",
                all.path("jobs").asInt(),
                all.path("sooner").asInt(),
                all.path("later").asInt(),
                all.path("compared").asInt());
        if (all.path("meanLaterSeconds").isNumber()) {
            out.println("Mean of the completion times: " + change(all.path("meanLaterSeconds")) + "; sum: "
                    + change(all.path("sumLaterSeconds")) + ".");
        }
    }

    private void jobs(JsonNode change) {
        if (change.path("jobs").isEmpty()) {
            return;
        }
        out.printf(ROW, "id", "name", "queue", "size", "next size", "end", "end then", "change");
        for (JsonNode job : change.path("jobs")) {
            out.printf(
                    ROW,
                    job.path("id").asText(),
                    job.path("name").asText(),
                    job.path("queue").asText(),
                    size(job.path("allocation")),
                    size(job.path("after").path("planned")),
                    shortEnd(job.path("before")),
                    shortEnd(job.path("after")),
                    job.path("laterSeconds").isNumber() ? change(job.path("laterSeconds")) : "-");
        }
    }

    private static String shortEnd(JsonNode forecast) {
        return forecast.path("endSeconds").isNumber() ? forecast.path("end").asText() : "no predicted end";
    }

    private static String size(JsonNode allocation) {
        int servers = allocation.path("parameterServers").asInt();
        int workers = allocation.path("workers").asInt();
        if (servers + workers == 0) {
            return "none";
        }
        return servers == 0 ? workers + " w" : servers + " ps " + workers + " w";
    }

    private static String change(JsonNode seconds) {
        double later = seconds.asDouble();
        double size = Math.abs(later);
        if (size < SAME_SECONDS) {
            return "the same";
        }
        return RemainingTime.words(size) + (later > 0 ? " later" : " sooner");
    }

    private void assumptions(JsonNode answer) {
        if (answer.path("mode").asText().equals("advise")) {
            out.println("In mode advise nothing is enforced: this is what would happen if the plans were.");
        }
        out.println("Assumed:");
        answer.path("assumptions").forEach(assumption -> out.println("  " + assumption.asText()));
    }
}
