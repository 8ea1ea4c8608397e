package io.optimus.am.master.page;

import io.optimus.am.master.journal.TrainingHistory;
import io.optimus.model.Role;
import io.optimus.model.losses.LossPoint;
import java.util.List;
import java.util.Locale;

/** Small charts as inline SVG. */
final class Charts {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 200;
    /** Room for the figures along the axes. */
    private static final int MARGIN = 40;

    private Charts() {}

    /** Loss by step; a sentence when there are fewer than two points. */
    static String losses(List<LossPoint> points) {
        if (points.size() < 2) {
            return "<p>no curve yet</p>";
        }
        double lowest = points.stream().mapToDouble(LossPoint::loss).min().orElse(0);
        double highest = points.stream().mapToDouble(LossPoint::loss).max().orElse(1);
        Scale x = new Scale(points.get(0).step(), points.get(points.size() - 1).step(), MARGIN, WIDTH);
        Scale y = new Scale(Math.min(0, lowest), highest, HEIGHT - MARGIN / 2, 0);
        StringBuilder path = new StringBuilder();
        for (LossPoint point : points) {
            path.append(at(x.of((double) point.step()), y.of(point.loss())));
        }
        return svg(line(path, "#06c")
                + label(0, 12, String.format(Locale.ROOT, "%.3g", highest))
                + label(0, HEIGHT - MARGIN / 2, String.format(Locale.ROOT, "%.3g", Math.min(0, lowest)))
                + label(
                        WIDTH - 2 * MARGIN,
                        HEIGHT - 4,
                        "step " + points.get(points.size() - 1).step()));
    }

    /** Tasks of both roles over time, as steps. */
    static String allocations(List<TrainingHistory.TimedAllocation> allocations, long fromMillis, long untilMillis) {
        if (allocations.isEmpty()) {
            return "<p>no task yet</p>";
        }
        int most = allocations.stream()
                .mapToInt(each ->
                        Math.max(each.allocation().workers(), each.allocation().parameterServers()))
                .max()
                .orElse(1);
        Scale x = new Scale(fromMillis, untilMillis, MARGIN, WIDTH);
        Scale y = new Scale(0, most + 0.5, HEIGHT - MARGIN / 2, 0);
        return svg(line(steps(allocations, Role.WORKER, x, y, untilMillis), "#06c")
                + line(steps(allocations, Role.PARAMETER_SERVER, x, y, untilMillis), "#c50")
                + label(0, y.of(most) + 4, String.valueOf(most))
                + label(MARGIN, HEIGHT - 4, "workers blue, parameter servers orange")
                + label(WIDTH - 2 * MARGIN, HEIGHT - 4, (untilMillis - fromMillis) / 1000 + " s"));
    }

    private static StringBuilder steps(
            List<TrainingHistory.TimedAllocation> allocations, Role role, Scale x, Scale y, long untilMillis) {
        StringBuilder path = new StringBuilder();
        double height = y.of(0);
        for (TrainingHistory.TimedAllocation each : allocations) {
            path.append(at(x.of((double) each.atMillis()), height));
            height = y.of(each.allocation().count(role));
            path.append(at(x.of((double) each.atMillis()), height));
        }
        return path.append(at(x.of((double) untilMillis), height));
    }

    private static String at(double x, double y) {
        return String.format(Locale.ROOT, "%.1f,%.1f ", x, y);
    }

    private static String line(CharSequence points, String colour) {
        return "<polyline fill=\"none\" stroke=\"" + colour + "\" stroke-width=\"1.5\" points=\"" + points + "\"/>";
    }

    private static String label(double x, double y, String text) {
        return String.format(Locale.ROOT, "<text x=\"%.0f\" y=\"%.0f\" font-size=\"11\">%s</text>", x, y, text);
    }

    private static String svg(String content) {
        return "<svg width=\"" + WIDTH + "\" height=\"" + HEIGHT + "\" role=\"img\">" + content + "</svg>";
    }

    /** Maps [from, to] to [start, end]; a range without width to its start. */
    private record Scale(double from, double to, double start, double end) {
        double of(double value) {
            return to == from ? start : start + (value - from) / (to - from) * (end - start);
        }
    }
}
