package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.protocol.OneLine;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.Response.Status;

/** Answers in JSON. */
final class Responses {
    /** Messages quote names of requests. */
    private static final int LONGEST_MESSAGE = 1000;

    private Responses() {}

    static Response ok(ObjectNode json) {
        return Response.ok(json.toString()).build();
    }

    static Response notServed() {
        return error(
                Status.NOT_FOUND,
                "This ResourceManager does not run io.optimus.yarn.OptimusScheduler"
                        + " (yarn.resourcemanager.scheduler.class)");
    }

    static Response error(Status status, String message) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("status", status.getStatusCode());
        json.put("message", OneLine.of(message, LONGEST_MESSAGE));
        return Response.status(status).entity(json.toString()).build();
    }
}
