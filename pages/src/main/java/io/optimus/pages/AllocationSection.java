package io.optimus.pages;

import io.optimus.model.Allocation;
import java.util.List;

/** The tasks that a job has held over time, as a chart and as a table. */
public final class AllocationSection {
    /** The chart goes on so often while nothing else changes. */
    private static final long FRESH_MILLIS = 10_000;

    private AllocationSection() {}

    /**
     * A size that a job has had from a time on.
     *
     * @param unixMillis the time, in milliseconds since 1970
     * @param tasks the number of tasks of each role
     */
    public record Size(long unixMillis, Allocation tasks) {}

    /** Writes the section; {@code sizes} are in the order of their times. */
    public static void write(Html html, List<Size> sizes, long nowUnixMillis) {
        html.begin("section", "aria-labelledby", "allocation-title");
        html.element("h2", "Allocation over time", "id", "allocation-title");
        html.note("sizes-note", sizes.isEmpty() ? "It has held no task yet." : "");
        html.begin("figure");
        chart(sizes, nowUnixMillis).write(html, "allocation-chart");
        html.end();
        html.begin("details").element("summary", "Allocation as a table");
        html.table("sizes", "Sizes", "From", "Tasks");
        for (Size size : sizes) {
            html.begin("tr", "id", "size-" + size.unixMillis()).begin("td");
            PageText.time(html, size.unixMillis());
            html.end().element("td", PageText.allocation(size.tasks())).end();
        }
        html.endTable().end().end();
    }

    private static ChartData chart(List<Size> sizes, long nowUnixMillis) {
        double[] x = new double[sizes.isEmpty() ? 0 : sizes.size() + 1];
        for (int i = 0; i < sizes.size(); i++) {
            x[i] = (double) sizes.get(i).unixMillis();
        }
        if (x.length > 0) {
            long now = nowUnixMillis / FRESH_MILLIS * FRESH_MILLIS;
            x[sizes.size()] = Math.max((double) now, x[sizes.size() - 1] + 1);
        }
        ChartData chart = new ChartData("time", "tasks", x);
        if (sizes.stream().anyMatch(size -> size.tasks().parameterServers() > 0)) {
            chart.with("parameter servers", ChartData.Kind.STEPS, at -> tasks(sizes, at)
                    .parameterServers());
        }
        return chart.with(
                "workers", ChartData.Kind.STEPS, at -> tasks(sizes, at).workers());
    }

    private static Allocation tasks(List<Size> sizes, double at) {
        Allocation tasks = Allocation.NONE;
        for (Size size : sizes) {
            tasks = size.unixMillis() <= at ? size.tasks() : tasks;
        }
        return tasks;
    }
}
