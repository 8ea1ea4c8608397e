package io.optimus.am.client.submission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * What a job that has ended leaves behind.
 *
 * @param whole its {@code result.json}; null in JSON if that cannot be read
 * @param lines loss and accuracy, where the model is, and how to load it; none of what is not known
 */
public record JobResult(JsonNode whole, List<String> lines) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JobResult NONE = new JobResult(NullNode.getInstance(), List.of());

    public JobResult {
        lines = List.copyOf(lines);
    }

    /**
     * Reads {@code result.json} of the job's {@code output} folder. There are no lines if it cannot be read, or is that of
     * another job.
     *
     * @param id the job's application id
     */
    public static JobResult read(Configuration configuration, String output, String id) {
        Path file = new Path(output, "result.json");
        try (InputStream json = file.getFileSystem(configuration).open(file)) {
            JsonNode result = MAPPER.readTree(json);
            return result.path("id").asText().equals(id) ? of(result, output) : NONE;
        } catch (IOException | IllegalArgumentException unknown) {
            return NONE;
        }
    }

    public static JobResult of(JsonNode result, String output) {
        List<String> lines = new ArrayList<>();
        List<String> figures = new ArrayList<>();
        number(result, "finalLoss", "loss %.4f", figures);
        number(result, "heldOutLoss", "held-out loss %.4f", figures);
        number(result, "heldOutAccuracy", "held-out accuracy %.4f", figures);
        result.path("metrics")
                .fields()
                .forEachRemaining(metric -> number(
                        result.path("metrics"),
                        metric.getKey(),
                        metric.getKey().replace("%", "%%") + " %.4g",
                        figures));
        number(result, "epochs", "%.1f epochs", figures);
        number(result, "steps", "%.0f steps", figures);
        if (!figures.isEmpty()) {
            lines.add("Result    " + String.join(", ", figures));
        }
        String model = result.path("model").asText("");
        if (result.path("model").isTextual()) {
            lines.add("Model     " + output + "/" + model);
            lines.add("Load it   " + loading(output, model));
        }
        return new JobResult(result, lines);
    }

    /** The command that loads {@code model}, which on HDFS has to be fetched first. */
    private static String loading(String output, String model) {
        URI folder = new Path(output).toUri();
        boolean isLocal = "file".equals(folder.getScheme());
        String fetch = isLocal ? "" : "hadoop fs -get " + output + "/" + model + " . && ";
        String file = isLocal ? folder.getPath() + "/" + model : model;
        return fetch + "python3 -c 'import optimus_yarn as optimus; print(optimus.load(\"" + file + "\").keys())'";
    }

    /** Names of metrics are the program's: a percent sign in one is none of the format. */
    private static void number(JsonNode values, String name, String format, List<String> figures) {
        JsonNode value = values.path(name);
        if (value.isNumber()) {
            figures.add(String.format(Locale.ROOT, format, value.asDouble()));
        }
    }
}
