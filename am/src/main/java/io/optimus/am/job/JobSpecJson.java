package io.optimus.am.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.yaml.FileProblem;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.SourcePosition;
import io.optimus.am.yaml.YamlValue;
import io.optimus.am.yaml.YamlValue.Scalar;
import io.optimus.am.yaml.YamlValue.Section;
import io.optimus.am.yaml.YamlValue.Sequence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A {@link JobSpec} as JSON, {@code {"version": 2, "job": {...}}} with the keys of the job file. The client hands it to the
 * ApplicationMaster in this form, and the ApplicationMaster to its tasks. The jar travels with the job, so the same build
 * writes and reads it.
 */
public final class JobSpecJson {
    private static final int VERSION = 2;
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final SourcePosition SOURCE = SourcePosition.option("job.json");

    private JobSpecJson() {}

    /** UTF-8 JSON of {@code spec}. */
    public static byte[] write(JobSpec spec) throws IOException {
        Map<String, Object> file = new LinkedHashMap<>();
        file.put("version", VERSION);
        file.put("job", spec.print());
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(file);
    }

    /** Every key of {@code spec} with its value, in the sections of the job file. */
    public static JsonNode keys(JobSpec spec) {
        return MAPPER.valueToTree(spec.print());
    }

    /**
     * The spec that {@link #write} wrote.
     *
     * @throws IOException if it is not such a file, or of another version
     */
    public static JobSpec read(byte[] json) throws IOException {
        JsonNode file = MAPPER.readTree(json);
        int version = file.path("version").asInt();
        if (version != VERSION) {
            throw new IOException("job.json has version " + version + ", this build reads version " + VERSION
                    + ": submit the job again with this build's optimus-am.jar");
        }
        KeyValues values = new KeyValues(JobKeys.TABLE, section(file.path("job")), List.of());
        List<FileProblem> problems = values.problems();
        if (!problems.isEmpty()) {
            throw new IOException("job.json is damaged: " + problems.get(0) + "; submit the job again");
        }
        return new JobSpec(values);
    }

    private static Section section(JsonNode object) {
        Map<String, YamlValue> values = new LinkedHashMap<>();
        object.fields().forEachRemaining(field -> values.put(field.getKey(), value(field.getValue())));
        return new Section(SOURCE, values);
    }

    private static YamlValue value(JsonNode node) {
        if (node.isObject()) {
            return section(node);
        }
        if (node.isArray()) {
            List<YamlValue> items = new ArrayList<>();
            node.forEach(item -> items.add(value(item)));
            return new Sequence(SOURCE, items);
        }
        return new Scalar(SOURCE, node.asText(), node.isNull());
    }
}
