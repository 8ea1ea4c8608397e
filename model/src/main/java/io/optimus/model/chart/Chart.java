package io.optimus.model.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A chart with two axes, as an HTML figure that holds SVG: lines, or stacked areas. The page that holds it needs {@link
 * #STYLE}. Texts are escaped.
 *
 * @param title what the chart shows
 * @param horizontal what the horizontal axis shows, with its unit
 * @param vertical what the vertical axis shows, with its unit
 * @param scale what the horizontal axis measures
 * @param series the lines or areas
 */
public record Chart(String title, String horizontal, String vertical, HorizontalScale scale, List<Series> series) {
    /** The style sheet of all charts on a page. */
    public static final String STYLE =
            """
            figure { margin: 0; } figcaption { margin: 8px 0 4px; color: #5a6472; } figcaption b { color: #1c2430; }
            svg { width: 100%; height: auto; } svg text { font: 12px system-ui, sans-serif; fill: #5a6472; }
            .grid { stroke: #e9edf1; } .axis { stroke: #8a94a2; } .limit { stroke: #1c2430; stroke-dasharray: 5 4; }
            .legend span { margin-right: 16px; white-space: nowrap; }
            .legend i { display: inline-block; width: 18px; height: 3px; margin-right: 6px; vertical-align: middle; }
            """;

    private static final int WIDTH = 720;
    private static final int HEIGHT = 330;
    private static final int LEFT = 62;
    private static final int RIGHT = 12;
    private static final int TOP = 18;
    private static final int BOTTOM = 46;

    /** Colours that colour-blind readers can tell apart (Okabe and Ito). */
    private static final List<String> COLOURS = List.of(
            "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#000000", "#f0e442", "#7f7f7f",
            "#8c564b");

    /** Hues that differ by the golden angle make neighbours in a stack differ most. */
    private static final double HUE_STEP = 137.508;

    private static final String REST_FILL = "fill:#d9d9d9";

    public Chart {
        series = List.copyOf(series);
    }

    /**
     * One line or area.
     *
     * @param name name in the legend
     * @param points points by ascending x; those whose y is not finite are left out
     */
    public record Series(String name, List<Point> points) {
        public Series {
            points = List.copyOf(points);
        }
    }

    /** A point of a series, in units of the axes. */
    public record Point(double x, double y) {}

    /**
     * What several charts share, so that they can be compared.
     *
     * @param mostX the horizontal axis reaches at least so far
     * @param height the vertical axis reaches so far, and a dashed line is drawn there
     * @param words what that line is
     */
    public record Limit(double mostX, double height, String words) {}

    /** Replaces the characters that have a meaning in HTML. */
    public static String escaped(String plain) {
        return Svg.escaped(plain);
    }

    private static String colour(int index) {
        return COLOURS.get(index % COLOURS.size());
    }

    /** Lines beyond the number of colours repeat them dashed. */
    private static boolean isDashed(int index) {
        return index >= COLOURS.size();
    }

    private Axis horizontalAxis(double atLeastTo) {
        double smallest = allPoints().mapToDouble(Point::x).min().orElse(0);
        double largest =
                Math.max(atLeastTo, allPoints().mapToDouble(Point::x).max().orElse(1));
        double least = scale.isLogarithmic() ? Math.max(1, smallest) : Math.min(0, smallest);
        return new Axis(least, Math.max(largest, least * 1.01 + 1e-9), scale, LEFT, WIDTH - RIGHT);
    }

    private static Axis verticalAxis(double least, double most) {
        return new Axis(
                least,
                most > least ? most + (most - least) * 0.05 : least + 1,
                HorizontalScale.LINEAR,
                HEIGHT - BOTTOM,
                TOP);
    }

    private Stream<Point> allPoints() {
        return series.stream().flatMap(each -> each.points().stream());
    }

    /** Draws each series as a line, with a legend below. */
    public String lines() {
        double[] heights =
                allPoints().mapToDouble(Point::y).filter(Double::isFinite).toArray();
        double least =
                Arrays.stream(heights).map(height -> Math.min(0, height)).min().orElse(0);
        Axis x = horizontalAxis(0);
        Axis y = verticalAxis(least, Arrays.stream(heights).max().orElse(0));
        Svg svg = frame(x, y);
        for (int i = 0; i < series.size(); i++) {
            Series each = series.get(i);
            String dashes = isDashed(i) ? ";stroke-dasharray:7 4" : "";
            svg.path(
                    polyline(each, x, y),
                    "fill:none;stroke-width:2;stroke-linecap:round;stroke:" + colour(i) + dashes,
                    each.name());
        }
        return figure(svg, legend());
    }

    private static String polyline(Series each, Axis x, Axis y) {
        StringBuilder points = new StringBuilder();
        for (Point point : each.points()) {
            if (Double.isFinite(point.y())) {
                points.append(command(points.isEmpty() ? 'M' : 'L', x.place(point.x()), y.place(point.y())));
            }
        }
        // A point alone is drawn as a dot.
        return points.indexOf("L") < 0 && !points.isEmpty() ? points + "h0" : points.toString();
    }

    /** Whether there is nothing to see: no point, or no point that is not 0. */
    public boolean isEmpty() {
        return allPoints().mapToDouble(Point::y).filter(Double::isFinite).noneMatch(height -> height != 0);
    }

    /**
     * Stacks the series, which share their x. Pointing at an area shows its name.
     *
     * @param lastIsRest whether the last series is the sum of all others that are not shown
     * @param limit what the chart shares with others
     */
    public String stacked(boolean lastIsRest, Limit limit) {
        List<double[]> edges = edges();
        double most = Arrays.stream(edges.get(edges.size() - 1)).max().orElse(0);
        Axis x = horizontalAxis(limit.mostX());
        Axis y = verticalAxis(0, Math.max(limit.height(), most));
        Svg svg = frame(x, y);
        for (int i = 0; i < series.size(); i++) {
            Series each = series.get(i);
            String colour = lastIsRest && i == series.size() - 1
                    ? REST_FILL
                    : String.format(Locale.ROOT, "fill:hsl(%.0f,55%%,62%%)", (i * HUE_STEP) % 360);
            svg.path(area(each, edges.get(i), edges.get(i + 1), x, y), colour, each.name());
        }
        svg.line(LEFT, y.place(limit.height()), WIDTH - RIGHT, y.place(limit.height()), "limit");
        svg.label(WIDTH - RIGHT, y.place(limit.height()) - 4, "end", limit.words());
        return figure(svg, "");
    }

    /** Returns the lower edge of the first area, then the upper edge of each. */
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
            points.append(command(j == 0 ? 'M' : 'L', x.place(of.points().get(j).x()), y.place(above[j])));
        }
        for (int j = above.length - 1; j >= 0; j--) {
            points.append(command('L', x.place(of.points().get(j).x()), y.place(below[j])));
        }
        return points.append('Z').toString();
    }

    private static String command(char letter, double x, double y) {
        return String.format(Locale.ROOT, "%c%.1f %.1f", letter, x, y);
    }

    private Svg frame(Axis x, Axis y) {
        Svg svg = new Svg(WIDTH, HEIGHT, title);
        for (double mark : y.marks()) {
            svg.line(LEFT, y.place(mark), WIDTH - RIGHT, y.place(mark), "grid");
            svg.label(LEFT - 6, y.place(mark) + 4, "end", y.words(mark));
        }
        for (double mark : x.marks()) {
            svg.line(x.place(mark), TOP, x.place(mark), HEIGHT - BOTTOM, "grid");
            svg.label(x.place(mark), HEIGHT - BOTTOM + 16, "middle", x.words(mark));
        }
        svg.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "axis");
        svg.label((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 8, "middle", horizontal);
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
        return "<figure><figcaption><b>" + Svg.escaped(title) + "</b> " + Svg.escaped(vertical) + "</figcaption>\n"
                + svg.end() + legend + "</figure>\n";
    }
}
