package io.optimus.pages;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/** The data of a chart, as the script of the page reads them. Values that are not finite are left out. */
public final class ChartData {
    private final double[] x;
    private final ObjectNode json = JsonNodeFactory.instance.objectNode();
    private final ArrayNode series;
    private final ArrayNode marks;

    /** How a series is drawn. */
    public enum Kind {
        LINE,
        DASHED,
        POINTS,
        STEPS,
        /** The edge of a band: the area between two neighbours of this kind is filled. */
        EDGE
    }

    /**
     * A chart.
     *
     * @param xLabel what the horizontal axis shows, with its unit; {@code time} for milliseconds since 1970
     * @param yLabel what the vertical axis shows
     * @param x the values of all series, ascending
     */
    public ChartData(String xLabel, String yLabel, double[] x) {
        this.x = x.clone();
        json.put("xLabel", xLabel);
        json.put("yLabel", yLabel);
        Arrays.stream(this.x).forEach(json.putArray("x")::add);
        series = json.putArray("series");
        marks = json.putArray("marks");
    }

    /** Adds a series; {@code value} gives its value by x, NaN for none. */
    public ChartData with(String label, Kind kind, DoubleUnaryOperator value) {
        ObjectNode added = series.addObject();
        added.put("label", label);
        added.put("kind", kind.name());
        ArrayNode values = added.putArray("values");
        for (double at : x) {
            double y = value.applyAsDouble(at);
            if (Double.isFinite(y)) {
                values.add(y);
            } else {
                values.addNull();
            }
        }
        return this;
    }

    /** Adds a vertical line. */
    public ChartData mark(String label, double at) {
        marks.addObject().put("label", label).put("x", at);
        return this;
    }

    /** Writes the place where the script draws the chart; without the script, it stays empty. */
    public void write(Html html, String id) {
        html.begin("div", "class", "plot", "id", id, "data-chart", json.toString(), "aria-hidden", "true")
                .end();
    }
}
