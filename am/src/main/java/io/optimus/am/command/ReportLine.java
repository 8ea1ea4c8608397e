package io.optimus.am.command;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line by which a command reports its training: {@code optimus: step=120 loss=0.53 epoch=2.5 accuracy=0.91}.
 *
 * <p>Text may stand before {@code optimus:}, as loggers and torchrun write it. The step is required. Words that are no
 * {@code name=number} are ignored, so that a line that is cut or mixed with another does no harm.
 *
 * @param step the step that the line is about, 0 or more
 * @param loss its loss, which need not be finite; empty if the line has none
 * @param epoch passes over the training samples, fractions included, 0 or more; empty if the line has none
 * @param values further figures by name, all finite
 */
record ReportLine(long step, OptionalDouble loss, OptionalDouble epoch, Map<String, Double> values) {
    /** What a line with a report contains. */
    static final String MARK = "optimus:";

    /** A job's page and journal show them all. */
    private static final int MOST_VALUES = 32;

    private static final long LARGEST_STEP = 1L << 53;
    /** The ApplicationMaster keeps a loss for each epoch. */
    private static final int LARGEST_EPOCH = 100_000;

    private static final Pattern FIGURE =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_.-]{0,63})=([-+]?[0-9A-Za-z.+-]{1,30})");

    ReportLine {
        values = Map.copyOf(values);
    }

    /** Reads a line; empty if it is no report. */
    static Optional<ReportLine> parse(String line) {
        int mark = line.indexOf(MARK);
        if (mark < 0) {
            return Optional.empty();
        }
        Map<String, Double> figures = new LinkedHashMap<>();
        for (String word : line.substring(mark + MARK.length()).strip().split("[\\s,;]+", -1)) {
            Matcher figure = FIGURE.matcher(word);
            if (figure.matches() && figures.size() < MOST_VALUES) {
                number(figure.group(2)).ifPresent(value -> figures.put(figure.group(1), value));
            }
        }
        Double step = figures.remove("step");
        Double loss = figures.remove("loss");
        Double epoch = figures.remove("epoch");
        figures.values().removeIf(value -> !Double.isFinite(value));
        if (step == null || !(step >= 0 && step <= LARGEST_STEP) || step != Math.rint(step)) {
            return Optional.empty();
        }
        return Optional.of(new ReportLine(
                step.longValue(),
                loss == null ? OptionalDouble.empty() : OptionalDouble.of(loss),
                epoch == null || !(epoch >= 0 && epoch <= LARGEST_EPOCH)
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(epoch),
                figures));
    }

    /** Programs print infinities and NaN in many ways. */
    private static Optional<Double> number(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "nan", "-nan", "+nan" -> Optional.of(Double.NaN);
            case "inf", "+inf", "infinity" -> Optional.of(Double.POSITIVE_INFINITY);
            case "-inf", "-infinity" -> Optional.of(Double.NEGATIVE_INFINITY);
            default -> {
                try {
                    yield Optional.of(Double.parseDouble(text));
                } catch (NumberFormatException e) {
                    yield Optional.empty();
                }
            }
        };
    }
}
