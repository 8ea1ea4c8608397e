package io.optimus.sim.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A drawing with two axes: lines that can be told apart, or areas on top of each other.
 *
 * @param title what it shows
 * @param across what is along the horizontal axis, with its unit
 * @param up what is along the vertical axis, with its unit
 * @param logarithmic whether the horizontal axis is
 * @param series what is drawn
 */
record Chart(String title, String across, String up, boolean logarithmic, List<Series> series) {
    private static final int WIDTH = 720;
    private static final int HEIGHT = 330;
    private static final int LEFT = 62;
    private static final int RIGHT = 12;
    private static final int TOP = 12;
    private static final int BOTTOM = 46;

    /** Colours that people who do not see all colours can tell apart (Okabe and Ito). */
    private static final List<String> COLOURS = List.of(
            "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#000000", "#f0e442", "#7f7f7f",
            "#8c564b");

    /** Neighbours in a stack differ most where hues go on by the golden angle. */
    private static final double HUE_STEP = 137.508;

    private static final String REST_FILL = "fill:#d9d9d9";

    /** Copies. */
    Chart {
        series = List.copyOf(series);
    }

    /**
     * One line or area.
     *
     * @param name for the legend
     * @param points by ascending x; one of which y is no number is left out
     */
    record Series(String name, List<Point> points) {
        /** Copies. */
        Series {
            points = List.copyOf(points);
        }
    }

    /** A place in a drawing, in units of its axes. */
    record Point(double x, double y) {}

    private static String colour(int index) {
        return COLOURS.get(index % COLOURS.size());
    }

    /** More lines than there are colours begin with them again, dashed. */
    private static boolean isDashed(int index) {
        return index >= COLOURS.size();
    }

    private Axis horizontal() {
        double smallest = series.stream()
                .flatMap(each -> each.points().stream())
                .mapToDouble(Point::x)
                .min()
                .orElse(0);
        double largest = series.stream()
                .flatMap(each -> each.points().stream())
                .mapToDouble(Point::x)
                .max()
                .orElse(1);
        double least = logarithmic ? Math.max(1, smallest) : 0;
        return new Axis(least, Math.max(largest, least * 1.01 + 1e-9), logarithmic, LEFT, WIDTH - RIGHT);
    }

    private static Axis vertical(double most) {
        return new Axis(0, most > 0 ? most * 1.05 : 1, false, HEIGHT - BOTTOM, TOP);
    }

    /** Each series a line, with a legend below. */
    String lines() {
        double most = series.stream()
                .flatMap(each -> each.points().stream())
                .mapToDouble(Point::y)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
        Axis x = horizontal();
        Axis y = vertical(most);
        Svg svg = frame(x, y);
        for (int i = 0; i < series.size(); i++) {
            Series each = series.get(i);
            String dashes = isDashed(i) ? ";stroke-dasharray:7 4" : "";
            svg.path(polyline(each, x, y), "fill:none;stroke-width:2;stroke:" + colour(i) + dashes, each.name());
        }
        return figure(svg, legend());
    }

    private static String polyline(Series each, Axis x, Axis y) {
        StringBuilder points = new StringBuilder();
        for (Point point : each.points()) {
            if (Double.isFinite(point.y())) {
                points.append(place(points.isEmpty() ? 'M' : 'L', x.place(point.x()), y.place(point.y())));
            }
        }
        return points.toString();
    }

    /**
     * The series on top of each other, which share their x; names show when pointed at.
     *
     * @param lastIsRest whether the last one is what is left of many, and no peer of the others
     */
    String stacked(boolean lastIsRest) {
        List<double[]> edges = edges();
        double most = Arrays.stream(edges.get(edges.size() - 1)).max().orElse(0);
        Axis x = horizontal();
        Axis y = vertical(most);
        Svg svg = frame(x, y);
        for (int i = 0; i < series.size(); i++) {
            Series each = series.get(i);
            String colour = lastIsRest && i == series.size() - 1
                    ? REST_FILL
                    : String.format(Locale.ROOT, "fill:hsl(%.0f,55%%,62%%)", (i * HUE_STEP) % 360);
            svg.path(area(each, edges.get(i), edges.get(i + 1), x, y), colour, each.name());
        }
        return figure(svg, "");
    }

    /** Lower edge of the first area, then the upper edge of each. */
    private List<double[]> edges() {
        List<double[]> edges = new ArrayList<>();
        edges.add(new double[series.isEmpty() ? 0 : series.get(0).points().size()]);
        for (Series each : series) {
            double[] edge = edges.get(edges.size() - 1).clone();
            for (int j = 0; j < edge.length; j++) {
                edge[j] += each.points().get(j).y();
            }
            edges.add(edge);
        }
        return edges;
    }

    private static String area(Series of, double[] below, double[] above, Axis x, Axis y) {
        StringBuilder points = new StringBuilder();
        for (int j = 0; j < above.length; j++) {
            points.append(place(j == 0 ? 'M' : 'L', x.place(of.points().get(j).x()), y.place(above[j])));
        }
        for (int j = above.length - 1; j >= 0; j--) {
            points.append(place('L', x.place(of.points().get(j).x()), y.place(below[j])));
        }
        return points.append('Z').toString();
    }

    private static String place(char command, double x, double y) {
        return String.format(Locale.ROOT, "%c%.1f %.1f", command, x, y);
    }

    private Svg frame(Axis x, Axis y) {
        Svg svg = new Svg(WIDTH, HEIGHT, title);
        for (double mark : y.marks()) {
            svg.line(LEFT, y.place(mark), WIDTH - RIGHT, y.place(mark), "grid");
            svg.label(LEFT - 6, y.place(mark) + 4, "end", Axis.words(mark));
        }
        for (double mark : x.marks()) {
            svg.line(x.place(mark), TOP, x.place(mark), HEIGHT - BOTTOM, "grid");
            svg.label(x.place(mark), HEIGHT - BOTTOM + 16, "middle", Axis.words(mark));
        }
        svg.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis");
        svg.label((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, "middle", across);
        return svg;
    }

    private String legend() {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < series.size(); i++) {
            String dashes =
                    isDashed(i) ? "repeating-linear-gradient(90deg," + colour(i) + " 0 4px,#fff 4px 7px)" : colour(i);
            entries.add("<span><i style=\"background:" + dashes + "\"></i>"
                    + Svg.escaped(series.get(i).name()) + "</span>");
        }
        return "<div class=\"legend\">" + String.join("", entries) + "</div>\n";
    }

    private String figure(Svg svg, String legend) {
        return "<figure><figcaption><b>" + Svg.escaped(title) + "</b> " + Svg.escaped(up) + "</figcaption>\n"
                + svg.end() + legend + "</figure>\n";
    }
}
