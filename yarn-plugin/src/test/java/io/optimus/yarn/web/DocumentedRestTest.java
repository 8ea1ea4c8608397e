package io.optimus.yarn.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.Test;

/** Holds the tables of docs/rest.md against the OpenAPI document, which {@link OpenApiTest} holds against the answers. */
public final class DocumentedRestTest {
    private static final Pattern REQUEST = Pattern.compile("^\\| `([A-Z]+) (/\\S*)` \\| ([^|]+) \\| ([^|]+) \\|$");
    private static final Pattern FIELD = Pattern.compile("^\\| `(\\w+)` \\| [^|]+ \\| ([^|]+) \\|$");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    private static JsonNode openApi() throws IOException {
        return new ObjectMapper().readTree(OpenApiTest.class.getResourceAsStream("openapi.json"));
    }

    private static List<String> page() throws IOException {
        return Files.readAllLines(Path.of("..", "docs", "rest.md"));
    }

    @Test
    public void namesEveryRequestWithItsParameters() throws IOException {
        List<String> expected = new ArrayList<>();
        openApi().get("paths").fields().forEachRemaining(path -> path.getValue()
                .fields()
                .forEachRemaining(operation -> {
                    TreeSet<String> parameters = new TreeSet<>();
                    operation.getValue().path("parameters").forEach(parameter -> {
                        if (parameter.get("in").asText().equals("query")) {
                            parameters.add(parameter.get("name").asText());
                        }
                    });
                    String below = path.getKey().substring("/ws/v1/optimus".length());
                    expected.add(operation.getKey().toUpperCase(Locale.ROOT) + " " + (below.isEmpty() ? "/" : below)
                            + " " + operation.getValue().get("summary").asText() + " " + parameters);
                }));

        List<String> documented = new ArrayList<>();
        for (String line : page()) {
            Matcher row = REQUEST.matcher(line);
            if (row.matches()) {
                TreeSet<String> parameters = new TreeSet<>();
                NAME.matcher(row.group(4)).results().forEach(name -> parameters.add(name.group(1)));
                documented.add(row.group(1) + " " + row.group(2) + " " + row.group(3) + " " + parameters);
            }
        }
        assertThat(documented).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    public void describesEveryFieldAsTheDocumentDoes() throws IOException {
        Map<String, Map<String, String>> expected = new TreeMap<>();
        openApi().at("/components/schemas").fields().forEachRemaining(schema -> {
            Map<String, String> fields = new TreeMap<>();
            schema.getValue()
                    .path("properties")
                    .fields()
                    .forEachRemaining(field -> fields.put(
                            field.getKey(), field.getValue().path("description").asText()));
            // A job in a list has the first fields of a job.
            if (!fields.isEmpty() && !schema.getKey().equals("JobSummary")) {
                expected.put(schema.getKey(), fields);
            }
        });

        Map<String, Map<String, String>> documented = new TreeMap<>();
        String object = "";
        for (String line : page()) {
            if (line.startsWith("### ")) {
                object = line.substring("### ".length());
            }
            Matcher row = FIELD.matcher(line);
            if (row.matches() && !object.isEmpty()) {
                documented.computeIfAbsent(object, name -> new TreeMap<>()).put(row.group(1), row.group(2));
            }
        }
        assertThat(documented).isEqualTo(expected);
    }

    @Test
    public void everyFieldHasADescription() throws IOException {
        openApi().at("/components/schemas").fields().forEachRemaining(schema -> schema.getValue()
                .path("properties")
                .fields()
                .forEachRemaining(
                        field -> assertThat(field.getValue().path("description").asText())
                                .as(schema.getKey() + "." + field.getKey())
                                .isNotBlank()));
    }
}
