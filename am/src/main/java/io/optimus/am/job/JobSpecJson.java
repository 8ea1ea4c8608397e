package io.optimus.am.job;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.am.job.JobSpec.Optimizer;
import io.optimus.model.cluster.Resources;
import io.optimus.model.convergence.StopRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;

/**
 * A {@link JobSpec} as JSON, {@code {"version": 1, "job": {...}}}: how the client hands it to the ApplicationMaster and
 * that to its tasks. Written and read by the same build, since the jar travels with the job.
 */
public final class JobSpecJson {
    private static final int VERSION = 1;
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .addMixIn(Optimizer.class, OptimizerKinds.class)
            .addMixIn(StopRule.class, StopKinds.class)
            .addMixIn(Resources.class, Amounts.class)
            .build();

    private JobSpecJson() {}

    /** UTF-8 JSON of {@code spec}. */
    public static byte[] write(JobSpec spec) {
        ObjectNode file = MAPPER.createObjectNode();
        file.put("version", VERSION);
        file.set("job", MAPPER.valueToTree(spec));
        return (file.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8);
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
        try {
            return MAPPER.treeToValue(file.path("job"), JobSpec.class);
        } catch (JsonProcessingException wrong) {
            throw new IOException("job.json is damaged: " + wrong.getOriginalMessage(), wrong);
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Optimizer.Sgd.class, name = "sgd"),
        @JsonSubTypes.Type(value = Optimizer.Adam.class, name = "adam")
    })
    private interface OptimizerKinds {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = StopRule.LossPlateau.class, name = "plateau"),
        @JsonSubTypes.Type(value = StopRule.TargetLoss.class, name = "targetLoss"),
        @JsonSubTypes.Type(value = StopRule.MaxEpochs.class, name = "maxEpochs"),
        @JsonSubTypes.Type(value = StopRule.FirstOf.class, name = "firstOf")
    })
    private interface StopKinds {}

    private abstract static class Amounts {
        @JsonValue
        abstract SortedMap<String, Long> amounts();

        @JsonCreator
        static Resources of(Map<String, Long> amounts) {
            return Resources.of(amounts);
        }
    }
}
