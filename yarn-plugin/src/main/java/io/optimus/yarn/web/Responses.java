package io.optimus.yarn.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.protocol.OneLine;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.Response.Status;

/** Answers in JSON. */
final class Responses {
    /** Messages quote names of requests. */
    private static final int LONGEST_MESSAGE = 1000;

    /** Two answers with the same tag are as likely as two equal random numbers of so many bytes. */
    private static final int TAG_BYTES = 16;

    private static final int MOST_PROBLEMS = 100;

    private Responses() {}

    static Response ok(ObjectNode json) {
        return Response.ok(json.toString()).build();
    }

    /**
     * An answer, or only the word that the caller has it already.
     *
     * @param request may name answers that it has in {@code If-None-Match}
     */
    static Response ok(HttpServletRequest request, String json) {
        String tag = tag(json);
        String known = request.getHeader("If-None-Match");
        boolean same = known != null
                && Arrays.stream(known.split(",", -1)).map(String::strip).anyMatch(each -> isTag(each, tag));
        return same
                ? Response.status(Status.NOT_MODIFIED).header("ETag", tag).build()
                : Response.ok(json).header("ETag", tag).build();
    }

    private static boolean isTag(String known, String tag) {
        return known.equals("*") || known.equals(tag) || known.equals("W/" + tag);
    }

    private static String tag(String json) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(json.getBytes(StandardCharsets.UTF_8));
            return '"' + HexFormat.of().formatHex(hash, 0, TAG_BYTES) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    static Response notServed() {
        return error(
                Status.NOT_FOUND,
                "This ResourceManager does not run io.optimus.yarn.OptimusScheduler"
                        + " (yarn.resourcemanager.scheduler.class)");
    }

    /** An error with all its problems, of which only so many are named that the message stays short. */
    static Response error(Status status, List<String> problems) {
        List<String> named = problems.stream()
                .limit(MOST_PROBLEMS)
                .map(problem -> OneLine.of(problem, LONGEST_MESSAGE))
                .toList();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("status", status.getStatusCode());
        json.put("message", OneLine.of(String.join("; ", named), LONGEST_MESSAGE));
        named.forEach(json.putArray("problems")::add);
        return Response.status(status).entity(json.toString()).build();
    }

    static Response error(Status status, String message) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("status", status.getStatusCode());
        json.put("message", OneLine.of(message, LONGEST_MESSAGE));
        return Response.status(status).entity(json.toString()).build();
    }
}
