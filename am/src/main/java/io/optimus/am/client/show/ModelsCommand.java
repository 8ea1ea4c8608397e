package io.optimus.am.client.show;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.am.client.cluster.SchedulerClient;
import io.optimus.am.client.command.AnswerCommand;
import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.Columns;
import io.optimus.am.client.command.IdConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows what the scheduler has fitted to the losses and speeds of jobs. */
@Command(
        name = "models",
        description = "Show the fitted models of one job, or of all: the family of the loss curve, its parameters and"
                + " error; the speed function with its error, and the sizes that it was measured on.",
        footer = {"  yarn jar optimus-am.jar models", "  yarn jar optimus-am.jar models application_1700000000000_0001"
        })
public final class ModelsCommand extends AnswerCommand {
    private static final String ROW = "%-32s %-12s %-20s %8s %10s %10s %8s %14s%n";
    private static final String SAMPLE = "    %18s %8s %6s %12s%n";
    private static final List<String> OF_MODEL =
            List.of("id", "name", "mode", "lossCurve", "speedFunction", "remaining");
    /** All other fields of a fit are its parameters. */
    private static final Set<String> NO_PARAMETERS = Set.of(
            "outcome",
            "family",
            "firstStep",
            "bendStep",
            "residual",
            "points",
            "young",
            "relativeError",
            "sizes",
            "measured");

    @Parameters(
            arity = "0..1",
            paramLabel = "ID",
            converter = IdConverter.class,
            description = "The application id of a job; all jobs without it.")
    private @Nullable ApplicationId id;

    public ModelsCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    @Override
    protected JsonNode ask(SchedulerClient scheduler) throws IOException {
        if (id == null) {
            return scheduler.readAll("/models");
        }
        JsonNode job = scheduler.read("/jobs/" + id);
        if (job.has("outcome")) {
            throw new IOException(id + " has ended (" + job.path("outcome").asText()
                    + "), and its models are forgotten; the command history shows what was predicted of it");
        }
        if (job instanceof ObjectNode model) {
            model.retain(OF_MODEL);
        }
        return job;
    }

    @Override
    protected void print(JsonNode answer) {
        if (id != null) {
            whole(answer);
            return;
        }
        out.printf(ROW, "id", "mode", "loss curve", "points", "residual", "steps left", "sizes", "speed error");
        for (JsonNode model : answer.path("jobs")) {
            JsonNode curve = model.path("lossCurve");
            JsonNode speed = model.path("speedFunction");
            out.printf(
                    ROW,
                    model.path("id").asText(),
                    model.path("mode").asText(),
                    curve.path("family").asText("-"),
                    curve.path("points").asText("-"),
                    Columns.number("%.3g", curve.path("residual")),
                    Columns.number("%.0f", model.path("remaining").path("steps")),
                    speed.path("sizes").asText("-"),
                    percent(speed.path("relativeError")));
        }
    }

    private void whole(JsonNode model) {
        JsonNode curve = model.path("lossCurve");
        JsonNode speed = model.path("speedFunction");
        out.println(model.path("id").asText() + " (" + model.path("name").asText() + "), "
                + model.path("mode").asText());
        out.println("Loss curve: " + curve.path("outcome").asText("nothing is reported yet"));
        if (curve.has("family")) {
            out.println("  family      " + curve.path("family").asText());
            out.println("  parameters  " + parameters(curve));
            out.println("  residual    " + Columns.number("%.3g", curve.path("residual")) + " over "
                    + curve.path("points").asText() + " points, from step "
                    + Columns.number("%.0f", curve.path("bendStep")));
        }
        JsonNode remaining = model.path("remaining");
        if (remaining.has("steps")) {
            out.println("  steps left  " + Columns.number("%.0f", remaining.path("steps")) + ", between "
                    + Columns.number("%.0f", remaining.path("fewestSteps")) + " and "
                    + Columns.number("%.0f", remaining.path("mostSteps")));
        } else if (remaining.has("unknown")) {
            out.println(
                    "  steps left  not predicted: " + remaining.path("unknown").asText());
        }
        out.println("Speed: " + speed.path("outcome").asText("nothing is reported yet"));
        if (speed.has("measured")) {
            out.println("  parameters  " + parameters(speed));
            out.println("  error       " + percent(speed.path("relativeError")) + " over "
                    + speed.path("sizes").asText() + " sizes");
            out.printf(SAMPLE, "parameter servers", "workers", "nodes", "steps/s");
            for (JsonNode size : speed.path("measured")) {
                out.printf(
                        SAMPLE,
                        size.path("parameterServers").asText(),
                        size.path("workers").asText(),
                        size.path("nodes").asText(),
                        Columns.number("%.3f", size.path("stepsPerSecond")));
            }
        }
    }

    private static String parameters(JsonNode fit) {
        StringJoiner text = new StringJoiner(", ");
        fit.fields().forEachRemaining(field -> {
            if (!NO_PARAMETERS.contains(field.getKey()) && field.getValue().isNumber()) {
                text.add(String.format(
                        Locale.ROOT, "%s %.4g", field.getKey(), field.getValue().asDouble()));
            }
        });
        return text.toString();
    }

    private static String percent(JsonNode share) {
        return share.isNumber() ? String.format(Locale.ROOT, "%.1f %%", 100 * share.asDouble()) : "-";
    }
}
