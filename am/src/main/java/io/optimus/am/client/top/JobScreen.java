package io.optimus.am.client.top;

import com.fasterxml.jackson.databind.JsonNode;
import io.optimus.am.client.command.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The lines of the live view: the scheduler, its GPUs, and a table of jobs that has as many columns as fit. */
final class JobScreen {
    private static final String GPU = "yarn.io/gpu";

    /**
     * A column of the table.
     *
     * @param title its head
     * @param width in characters
     * @param fewest columns of the narrowest terminal that shows it
     * @param value what it shows of a job
     */
    private record Column(String title, int width, int fewest, Function<JsonNode, String> value) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("id", 32, 0, job -> job.path("id").asText()),
            new Column("name", 16, 0, job -> job.path("name").asText()),
            new Column("user", 10, 150, job -> job.path("user").asText()),
            new Column("queue", 16, 110, job -> job.path("queue").asText()),
            new Column("now", 11, 0, job -> Columns.tasks(job.path("allocation"))),
            new Column("planned", 11, 0, job -> Columns.tasks(job.path("planned"))),
            new Column("step", 9, 130, job -> job.path("step").asText()),
            new Column("loss", 8, 120, job -> Columns.number("%.4f", job.path("loss"))),
            new Column("steps/s", 8, 140, job -> Columns.number("%.1f", job.path("stepsPerSecond"))),
            new Column("ends in", 16, 88, job -> job.path("remainingTime").asText("-")),
            new Column("why", 500, 150, job -> job.path("reason").asText()));

    private final ClusterState state;
    private final JobOrder order;

    JobScreen(ClusterState state, JobOrder order) {
        this.state = state;
        this.order = order;
    }

    /** The scheduler and its GPUs, in two lines. */
    List<String> head() {
        JsonNode info = state.info();
        long waiting = state.jobs().stream()
                .filter(job -> job.path("state").asText().equals("waiting"))
                .count();
        String mode = info.path("mode").asText();
        return List.of(
                "Optimus: mode " + mode + (mode.equals("advise") ? " (plans are only advice)" : "") + ", plan "
                        + info.path("plan").asText() + "; training jobs: "
                        + state.jobs().size() + ", of which " + waiting + " wait"
                        + (info.path("pause").isObject() ? "; paused by an administrator" : ""),
                "GPUs: training holds " + state.sum("held", GPU) + ", other applications of its queues hold "
                        + state.sum("ordinaryUsed", GPU));
    }

    /** The head of the table, as wide as {@code columns} at most. */
    String titles(int columns) {
        return row(columns, Column::title);
    }

    /** A line for each job, as wide as {@code columns} at most. */
    List<String> rows(int columns) {
        List<JsonNode> jobs = new ArrayList<>(state.jobs());
        jobs.sort(order.comparator());
        return jobs.stream()
                .map(job -> row(columns, column -> column.value().apply(job)))
                .toList();
    }

    private static String row(int columns, Function<Column, String> cell) {
        StringBuilder line = new StringBuilder();
        for (Column column : COLUMNS) {
            if (columns >= column.fewest()) {
                String text = cell.apply(column).replaceAll("\\p{Cntrl}", " ");
                int width = column.width();
                line.append(text.length() > width ? text.substring(0, width - 1) + "…" : text)
                        .append(" ".repeat(Math.max(0, width - text.length()) + 1));
            }
        }
        return cut(line.toString().stripTrailing(), columns);
    }

    /** The first {@code columns} characters. */
    static String cut(String line, int columns) {
        return line.length() <= columns ? line : line.substring(0, columns);
    }
}
