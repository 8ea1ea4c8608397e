package io.optimus.am.client.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** Values of the scheduler's answers in the columns of tables; what is not known is a dash. */
public final class Columns {
    private static final String UNKNOWN = "-";

    private Columns() {}

    /** A number in {@code format}, which is that of {@link String#format}. */
    public static String number(String format, JsonNode value) {
        return value.isNumber() ? String.format(Locale.ROOT, format, value.asDouble()) : UNKNOWN;
    }

    /** {@code 1 ps 4 w}, {@code 4 w} without parameter servers, {@code none} without tasks. */
    public static String tasks(JsonNode allocation) {
        int servers = allocation.path("parameterServers").asInt();
        int workers = allocation.path("workers").asInt();
        if (!allocation.isObject()) {
            return UNKNOWN;
        }
        if (servers + workers == 0) {
            return "none";
        }
        return servers == 0 ? workers + " w" : servers + " ps " + workers + " w";
    }
}
