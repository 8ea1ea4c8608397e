package io.optimus.pages;

import io.optimus.model.belief.Estimate;
import io.optimus.model.convergence.RemainingSteps;
import io.optimus.model.convergence.RemainingSteps.Predicted;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.losses.LossPoint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.stream.DoubleStream;

/** The loss curve of a job with its fit, the band of the curves that fit as well, and the predicted end. */
public final class LossSection {
    private static final int FITTED_POINTS = 80;
    /** A predicted end beyond this many times the steps so far would leave no room for the losses. */
    private static final double FARTHEST_END = 4;

    private static final int ROWS = 40;

    private LossSection() {}

    /**
     * The losses of a job that trains, with what is estimated of those to come.
     *
     * @param losses what the job has reported, by step
     * @param step the step that the job has reached
     */
    public static void write(Html html, List<LossPoint> losses, Optional<Estimate> estimate, long step) {
        Optional<CurveFit> fit = estimate.map(Estimate::curve);
        Optional<RemainingSteps> remaining = estimate.map(known -> known.remainingSteps((double) step));
        Optional<Predicted> end = remaining.flatMap(steps -> steps.match(Optional::of, unknown -> Optional.empty()));
        begin(html);
        html.begin("figure").begin("figcaption", "id", "loss-words", "data-live", "");
        html.text(fit.map(CurveFit::inWords).orElse("no fit yet") + ". ");
        html.text(remaining.map(LossSection::words).orElse(""));
        html.end();
        chart(losses, fit, end, step).write(html, "loss-chart");
        html.end();
        Optional<LossCurve> curve = fit.flatMap(CurveFit::fitted);
        // The column is there before the first fit, so that the script only has to change rows.
        table(html, losses, Optional.of(at -> fitted(curve, at)));
        html.end();
    }

    /**
     * Losses without a fit.
     *
     * @param none what is said where there is no loss
     */
    public static void withoutFit(Html html, List<LossPoint> losses, String none) {
        begin(html);
        html.note("loss-note", losses.isEmpty() ? none : "");
        html.begin("figure");
        chart(losses, Optional.empty(), Optional.empty(), 0).write(html, "loss-chart");
        html.end();
        table(html, losses, Optional.empty());
        html.end();
    }

    private static void begin(Html html) {
        html.begin("section", "aria-labelledby", "loss-title");
        html.element("h2", "Loss", "id", "loss-title");
    }

    private static String words(RemainingSteps remaining) {
        return remaining.match(
                end -> (end.cause().isEmpty()
                                ? "The losses tell no end yet; the last job of this name ended at step "
                                : "Predicted to end at step ")
                        + PageText.count(Math.round(end.endStep())) + ", in "
                        + PageText.count(Math.round(end.steps())) + " steps ("
                        + PageText.count(Math.round(end.fewest()))
                        + " to "
                        + (Double.isFinite(end.most()) ? PageText.count(Math.round(end.most())) : "any number")
                        + ").",
                unknown -> "The end is not predicted: " + unknown.reason() + ".");
    }

    private static ChartData chart(List<LossPoint> losses, Optional<CurveFit> fit, Optional<Predicted> end, long step) {
        Map<Double, Double> reported = new TreeMap<>();
        losses.forEach(point -> reported.put((double) point.step(), point.loss()));
        double last = losses.isEmpty() ? step : losses.get(losses.size() - 1).step();
        Optional<LossCurve> curve = fit.flatMap(CurveFit::fitted);
        double farthest = FARTHEST_END * Math.max(1, Math.max((double) step, last));
        double to = Math.max(
                last, end.map(Predicted::endStep).filter(at -> at <= farthest).orElse(last));
        DoubleStream fitted = curve.stream()
                .flatMapToDouble(known -> DoubleStream.iterate(0, i -> i <= FITTED_POINTS, i -> i + 1)
                        .map(i -> known.firstStep() + (to - known.firstStep()) * i / FITTED_POINTS));
        double[] x = DoubleStream.concat(reported.keySet().stream().mapToDouble(Double::doubleValue), fitted)
                .distinct()
                .sorted()
                .toArray();
        ChartData chart = new ChartData("step", "loss", x)
                .with("loss", ChartData.Kind.POINTS, at -> reported.getOrDefault(at, Double.NaN));
        curve.ifPresent(known ->
                chart.with("fit", ChartData.Kind.LINE, at -> at < known.firstStep() ? Double.NaN : known.lossAt(at)));
        if (fit.isPresent()
                && fit.get() instanceof CurveFit.Fitted known
                && !known.plausible().isEmpty()) {
            double first = known.curve().firstStep();
            chart.with(
                    "highest plausible",
                    ChartData.Kind.EDGE,
                    at -> at < first
                            ? Double.NaN
                            : known.plausible().stream()
                                    .mapToDouble(other -> other.lossAt(at))
                                    .max()
                                    .orElse(Double.NaN));
            chart.with(
                    "lowest plausible",
                    ChartData.Kind.EDGE,
                    at -> at < first
                            ? Double.NaN
                            : known.plausible().stream()
                                    .mapToDouble(other -> other.lossAt(at))
                                    .min()
                                    .orElse(Double.NaN));
        }
        end.filter(known -> known.endStep() <= farthest)
                .ifPresent(known -> chart.mark("predicted end", known.endStep()));
        return chart;
    }

    private static String fitted(Optional<LossCurve> curve, long step) {
        return curve.filter(known -> step >= known.firstStep())
                .map(known -> PageText.number(known.lossAt((double) step)))
                .orElse(PageText.UNKNOWN);
    }

    /** {@code fit} gives the fitted loss of a step in words. */
    private static void table(Html html, List<LossPoint> losses, Optional<LongFunction<String>> fit) {
        html.begin("details").element("summary", "Losses as a table");
        html.table(
                "losses",
                "Losses",
                fit.isPresent() ? new String[] {"#Step", "#Loss", "#Fit"} : new String[] {"#Step", "#Loss"});
        int every = Math.max(1, (losses.size() + ROWS - 1) / ROWS);
        for (int i = 0; i < losses.size(); i += every) {
            LossPoint point = losses.get(i);
            html.begin("tr", "id", "loss-" + point.step());
            html.element("th", PageText.count(point.step()), "scope", "row", "class", "number");
            html.element("td", PageText.number(point.loss()), "class", "number");
            fit.ifPresent(known -> html.element("td", known.apply(point.step()), "class", "number"));
            html.end();
        }
        html.endTable().end();
    }
}
