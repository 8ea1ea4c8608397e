package io.optimus.yarn.jobs;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * The life of a job that ended as it should: from the first look that found it training to its end, with what was predicted.
 *
 * @param id its application
 * @param lifeSeconds above 0
 * @param steps done in it, 0 or more
 * @param checked its predictions at a quarter, a half and three quarters of its life, in this order
 */
public record CheckedLife(ApplicationId id, double lifeSeconds, double steps, List<CheckedPrediction> checked) {
    /** The parts of its life after which a prediction is checked. */
    public static final List<Double> FRACTIONS = List.of(0.25, 0.5, 0.75);

    public CheckedLife {
        checked = List.copyOf(checked);
    }

    /** The job and its errors as keys and values, for the log. */
    public String inLog() {
        StringBuilder line = new StringBuilder("job=" + id + " lifeSeconds=" + Math.round(lifeSeconds));
        for (CheckedPrediction each : checked) {
            line.append(String.format(
                    Locale.ROOT,
                    " after=%.2f predictedSeconds=%s seconds=%.1f predictedStepsPerSecond=%s stepsPerSecond=%.3g",
                    each.fraction(),
                    inLog("%.1f", each.predicted().seconds()),
                    each.seconds(),
                    inLog("%.3g", each.predicted().stepsPerSecond()),
                    each.stepsPerSecond()));
        }
        return line.toString();
    }

    private static String inLog(String format, OptionalDouble value) {
        return value.isPresent() ? String.format(Locale.ROOT, format, value.getAsDouble()) : "none";
    }

    /**
     * What was predicted at one moment of the job's life, against what came.
     *
     * @param fraction the part of its life that had passed, one of {@link #FRACTIONS}
     * @param predicted the last prediction at or before that moment, less the time and the steps that had passed since
     * @param seconds what came: from that moment to the end, above 0
     * @param steps what came: from that moment to the end, 0 or more
     */
    public record CheckedPrediction(double fraction, Prediction predicted, double seconds, double steps) {
        /** What came: the mean speed from that moment to the end, on all sizes that the job had; 0 or more. */
        public double stepsPerSecond() {
            return steps / seconds;
        }

        /** By how much the predicted time was off, as a part of the time that came; empty without a prediction. */
        public OptionalDouble errorOfEnd() {
            return error(predicted.seconds(), seconds);
        }

        /** By how much the predicted speed was off, as a part of the speed that came; empty without either. */
        public OptionalDouble errorOfSpeed() {
            return error(predicted.stepsPerSecond(), stepsPerSecond());
        }

        private static OptionalDouble error(OptionalDouble predicted, double came) {
            return predicted.isPresent() && came > 0
                    ? OptionalDouble.of(Math.abs(predicted.getAsDouble() - came) / came)
                    : OptionalDouble.empty();
        }
    }
}
