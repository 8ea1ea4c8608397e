package io.optimus.am.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.yaml.YamlText;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Option;

/** In which form a command prints its answer. */
public final class OutputOption {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    enum Form {
        JSON,
        YAML,
        TABLE;

        /** As the shell completes it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Option(
            names = "--output",
            paramLabel = "json|yaml|table",
            description = "How to print the answer: for programs, or as a table, which is the default.")
    private Form form = Form.TABLE;

    /** Whether programs read the answer: then it is printed whole. */
    public boolean isForPrograms() {
        return form != Form.TABLE;
    }

    /** Prints {@code answer} for programs. A list has the key {@code items} in YAML, as a document is a map here. */
    public void print(PrintWriter out, JsonNode answer) {
        if (form == Form.YAML) {
            Map<String, Object> values =
                    answer.isArray() ? Map.of("items", MAPPER.convertValue(answer, Object.class)) : map(answer);
            out.print(YamlText.print(values));
        } else {
            out.println(answer.toPrettyString());
        }
    }

    @SuppressWarnings("unchecked") // A JSON object has text as keys.
    private static Map<String, Object> map(JsonNode answer) {
        return (Map<String, Object>) MAPPER.convertValue(answer, Map.class);
    }
}
