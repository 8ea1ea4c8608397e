package io.optimus.model.chart;

/** What the horizontal axis of a chart measures, and how. */
public enum HorizontalScale {
    /** Numbers; equal differences are equal distances. */
    LINEAR,
    /** Seconds, labelled in the unit that suits their span. */
    TIME,
    /** Seconds above 0, where equal ratios are equal distances. */
    LOGARITHMIC_TIME;

    boolean isLogarithmic() {
        return this == LOGARITHMIC_TIME;
    }

    boolean isTime() {
        return this != LINEAR;
    }
}
