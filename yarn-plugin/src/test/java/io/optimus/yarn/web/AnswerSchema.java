package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/** What the served OpenAPI document says of answers, for tests of other packages. */
public final class AnswerSchema {
    private AnswerSchema() {}

    /** Asserts that {@code answer} is what the document says of {@code schema}. */
    public static void hold(ObjectNode answer, String schema) throws IOException {
        OpenApiTest.hold(answer, schema);
    }
}
