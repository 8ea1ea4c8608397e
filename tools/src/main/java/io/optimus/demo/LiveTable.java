package io.optimus.demo;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.Locale;

/** Draws a table with a line for each job. On a terminal it replaces the last table; elsewhere it is printed below. */
final class LiveTable {
    private static final String ROW = "%-22s %-9s %7s %9s  %-19s %8s %16s%n";

    private final PrintStream out;
    private final boolean terminal;
    private int drawnLines;

    LiveTable(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void draw(long second, JsonNode jobs) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%nafter %d s%n" + ROW,
                second,
                "job",
                "state",
                "epoch",
                "loss",
                "ps+workers → plan",
                "steps/s",
                "ends in"));
        for (JsonNode job : jobs) {
            text.append(row(job));
        }
        if (terminal && drawnLines > 0) {
            out.print("\033[" + drawnLines + "A\033[J");
        }
        out.print(text);
        out.flush();
        drawnLines = (int) text.chars().filter(c -> c == '\n').count();
    }

    /** Keeps the last table: the next one is drawn below it. */
    void leave() {
        drawnLines = 0;
    }

    private static String row(JsonNode job) {
        String paced = job.path("paced").asBoolean() ? " (paced)" : "";
        return String.format(
                Locale.ROOT,
                ROW,
                job.path("name").asText() + paced,
                job.path("state").asText().toLowerCase(Locale.ROOT),
                number("%.1f", job.path("epoch")),
                number("%.4f", job.path("loss")),
                size(job.path("allocation")) + " → " + size(job.path("planned"))
                        + (job.path("exploring").asBoolean() ? " (explores)" : ""),
                number("%.1f", job.path("stepsPerSecond")),
                job.path("remainingTime").asText("–"));
    }

    private static String size(JsonNode allocation) {
        return allocation.path("parameterServers").asInt() + "+"
                + allocation.path("workers").asInt();
    }

    private static String number(String format, JsonNode value) {
        return value.isNumber() ? String.format(Locale.ROOT, format, value.asDouble()) : "–";
    }
}
