package io.optimus.am.master.page;

import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.model.Role;
import io.optimus.model.chart.Chart;
import io.optimus.model.chart.Chart.Point;
import io.optimus.model.chart.Chart.Series;
import io.optimus.model.chart.HorizontalScale;
import io.optimus.model.losses.LossPoint;
import java.util.ArrayList;
import java.util.List;

/** The charts of a job's page. */
final class Charts {
    private static final double MILLIS = 1000;

    private Charts() {}

    /** Draws the loss by step, or says that there are fewer than two points. */
    static String losses(List<LossPoint> points) {
        if (points.size() < 2) {
            return "<p>no curve yet</p>";
        }
        List<Point> line = points.stream()
                .map(point -> new Point((double) point.step(), point.loss()))
                .toList();
        return new Chart("", "step", "", HorizontalScale.LINEAR, List.of(new Series("loss", line))).lines();
    }

    /** Draws the number of tasks of both roles over time. */
    static String allocations(List<ResizeRecord> resizes, long fromMillis, long untilMillis) {
        if (resizes.isEmpty()) {
            return "<p>no task yet</p>";
        }
        return new Chart(
                        "",
                        "time since the job started",
                        "",
                        HorizontalScale.TIME,
                        List.of(
                                tasks("workers", Role.WORKER, resizes, fromMillis, untilMillis),
                                tasks("parameter servers", Role.PARAMETER_SERVER, resizes, fromMillis, untilMillis)))
                .lines();
    }

    /** A line that steps up and down when the number of tasks changes. */
    private static Series tasks(String name, Role role, List<ResizeRecord> resizes, long fromMillis, long untilMillis) {
        List<Point> points = new ArrayList<>();
        double count = 0;
        for (ResizeRecord each : resizes) {
            double seconds = (each.atMillis() - fromMillis) / MILLIS;
            points.add(new Point(seconds, count));
            count = each.to().count(role);
            points.add(new Point(seconds, count));
        }
        points.add(new Point((untilMillis - fromMillis) / MILLIS, count));
        return new Series(name, points);
    }
}
