package io.optimus.model.convergence;

import io.optimus.model.convergence.StopRule.TargetLoss;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.curve.WeightedCurve;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * Where a target of the loss ends training, over all limits that the latest losses leave open.
 *
 * <p>Losses that have not levelled off yet do not tell their limit, but the target does: an owner who sets one believes it to be
 * within reach. So before any loss is seen, the probability that the limit is above the target is {@value #UNREACHABLE}. A limit
 * below is the likelier the lower it is, with a mean of a quarter of the target, because training losses of networks that can
 * fit their samples go to 0. The likelihoods of the curves say the rest (Bayes). While the target is likelier within reach than
 * not, the end is the median over the curves that reach it; then training never ends by it.
 *
 * <p>Example: with limits 0, a quarter and a half of the target, all as likely by the losses, training ends in the epochs 30, 40
 * and 60. The limits around the first have 0.45 of the probability, those around the second 0.44, and those around the third
 * 0.10: the median is epoch 40.
 */
final class TargetEnds {
    /** As usual for what only clear evidence should support. */
    private static final double UNREACHABLE = 0.05;

    /** Of a limit, in parts of the target. */
    private static final double MEAN_LIMIT = 0.25;

    /** In epochs until now: what takes longer than a hundred times that is not in sight, as if it were never reached. */
    private static final double FARTHEST = 100;

    /** Either end of the interval leaves out this probability. */
    private static final double TAIL = 0.05;

    /** The three figures of an end stand for the first quarter, the middle half and the last quarter of its probability. */
    private static final double QUARTER = 0.25;

    private final TargetLoss rule;
    private final double farthest;
    private final List<LossCurve> rising;
    private final List<Ended> ended = new ArrayList<>();
    private double never;
    /** Of the ends that are not in sight, such as those after a bend that is still to come. */
    private double earliestBeyond = Double.POSITIVE_INFINITY;

    private double reached;

    /** An epoch, and the probability that training ends with it, up to a factor. */
    private record Ended(double epoch, double probability) {}

    private TargetEnds(TargetLoss rule, double farthest, List<WeightedCurve> latest) {
        this.rule = rule;
        this.farthest = farthest;
        this.rising = latest.stream()
                .map(WeightedCurve::curve)
                .sorted(Comparator.comparingDouble(LossCurve::limit))
                .toList();
    }

    /**
     * The end by a target.
     *
     * @param underWay the current epoch, counted from 1
     * @param latest curves to several limits, with the same number of curves to each, one of them below the target
     * @param ends predicts the end along one curve
     */
    static EndEpochs by(
            TargetLoss rule, double underWay, List<WeightedCurve> latest, Function<LossCurve, EndEpochs> ends) {
        TargetEnds all = new TargetEnds(rule, FARTHEST * underWay, latest);
        latest.forEach(each -> all.add(each, ends));
        return all.end();
    }

    private void add(WeightedCurve each, Function<LossCurve, EndEpochs> ends) {
        double limit = each.curve().limit();
        double from = (limit + nextBelow(limit)) / 2;
        double to = (limit + nextAbove(limit)) / 2;
        if (limit >= rule.loss()) {
            double highest = rising.get(rising.size() - 1).limit();
            never += UNREACHABLE * each.likelihood() * (to - from) / Math.max(highest - rule.loss(), to - from);
            return;
        }
        double probability = (1 - UNREACHABLE)
                * each.likelihood()
                * (below(Math.min(to, rule.loss())) - below(from))
                / below(rule.loss());
        EndEpochs end = ends.apply(each.curve());
        if (end.median() > farthest) {
            never += probability;
            earliestBeyond = Math.min(earliestBeyond, end.early());
            return;
        }
        reached += probability;
        ended.add(new Ended(end.early(), QUARTER * probability));
        ended.add(new Ended(end.median(), 2 * QUARTER * probability));
        ended.add(new Ended(end.late(), QUARTER * probability));
    }

    /** The probability of a limit below {@code limit}, up to a factor. */
    private double below(double limit) {
        return -Math.expm1(-limit / (MEAN_LIMIT * rule.loss()));
    }

    private double nextBelow(double limit) {
        return rising.stream()
                .mapToDouble(LossCurve::limit)
                .filter(other -> other < limit)
                .max()
                .orElse(limit);
    }

    private double nextAbove(double limit) {
        return rising.stream()
                .mapToDouble(LossCurve::limit)
                .filter(other -> other > limit)
                .findFirst()
                .orElse(limit);
    }

    private EndEpochs end() {
        ended.sort(Comparator.comparingDouble(Ended::epoch));
        if (never > reached) {
            double early = ended.isEmpty() ? earliestBeyond : Math.min(earliestBeyond, quantile(TAIL));
            return new EndEpochs(early, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
        }
        return new EndEpochs(quantile(TAIL), quantile(0.5), quantile(1 - TAIL));
    }

    private double quantile(double quantile) {
        double sum = 0;
        for (Ended each : ended) {
            sum += each.probability();
            if (sum >= quantile * reached) {
                return each.epoch();
            }
        }
        return ended.get(ended.size() - 1).epoch();
    }
}
