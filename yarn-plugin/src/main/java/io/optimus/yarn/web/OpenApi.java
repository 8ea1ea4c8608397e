package io.optimus.yarn.web;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.NavigableSet;
import java.util.TreeSet;

/** The description of the REST answers, which is served, too. */
final class OpenApi {
    private static final String FILE = "openapi.json";
    private static final String TEXT = read();
    private static final JsonNode SCHEMAS = parse(TEXT).at("/components/schemas");

    private OpenApi() {}

    /** The whole file. */
    static String text() {
        return TEXT;
    }

    /**
     * Returns the names of all fields that an object of any of {@code schemas} may have.
     *
     * @param schemas names, or paths below the schemas such as {@code Models/properties/jobs/items}
     */
    static NavigableSet<String> fields(String... schemas) {
        NavigableSet<String> names = new TreeSet<>();
        for (String schema : schemas) {
            JsonNode properties = SCHEMAS.at("/" + schema + "/properties");
            if (properties.isEmpty()) {
                throw new IllegalArgumentException(FILE + " has no schema " + schema);
            }
            properties.fieldNames().forEachRemaining(names::add);
        }
        return Collections.unmodifiableNavigableSet(names);
    }

    private static String read() {
        try (InputStream file = OpenApi.class.getResourceAsStream(FILE)) {
            if (file == null) {
                throw new IllegalStateException("The jar lacks " + FILE);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode parse(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The jar's " + FILE + " cannot be read", e);
        }
    }
}
