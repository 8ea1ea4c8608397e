package io.optimus.am.wire;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import io.optimus.am.engine.Optimizer;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Writes control messages as JSON: four bytes of length, then the text in UTF-8. Unknown fields are ignored. */
public final class MessageCodec {
    /** A membership of a hundred servers with a thousand ranges each is a few megabytes. */
    private static final int LONGEST = 16 << 20;

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
            .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .addModule(new Jdk8Module())
            .addMixIn(Optimizer.class, OptimizerKinds.class)
            .addMixIn(TaskId.class, TaskIdText.class)
            .build();

    private MessageCodec() {}

    public static void write(DataOutputStream out, Message message) throws IOException {
        byte[] json = MAPPER.writerFor(Message.class).writeValueAsBytes(message);
        out.writeInt(json.length);
        out.write(json);
        out.flush();
    }

    public static Message read(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 2 || length > LONGEST) {
            throw new IOException("A message of " + length + " bytes; at most " + LONGEST + " are read");
        }
        byte[] json = new byte[length];
        in.readFully(json);
        return MAPPER.readValue(json, Message.class);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Optimizer.Sgd.class, name = "sgd"),
        @JsonSubTypes.Type(value = Optimizer.Adam.class, name = "adam"),
        @JsonSubTypes.Type(value = Optimizer.Own.class, name = "own")
    })
    private interface OptimizerKinds {}

    private abstract static class TaskIdText {
        @JsonCreator
        static TaskId parse(String text) {
            return TaskId.parse(text);
        }

        @Override
        @JsonValue
        public abstract String toString();
    }
}
