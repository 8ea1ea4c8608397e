package io.optimus.model.convergence;

import io.optimus.model.convergence.StopRule.Single;
import io.optimus.model.convergence.StopRule.TargetLoss;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurve;
import io.optimus.model.curve.WeightedCurve;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Where each rule ends training, by all curves that a fit leaves open. */
final class RuleEnds {
    private final double underWay;
    private final Function<LossCurve, CurveEnd> ends;
    private final Optional<CurveEnd> fitted;
    private final List<CurveEnd> plausible;
    private final List<WeightedCurve> latest;
    private final Map<Single, EndEpochs> known = new HashMap<>();

    /**
     * Uses the curves of a fit.
     *
     * @param underWay the current epoch, counted from 1
     * @param ends predicts along one of them
     */
    RuleEnds(CurveFit fit, double underWay, Function<LossCurve, CurveEnd> ends) {
        this.underWay = underWay;
        this.ends = ends;
        this.fitted = fit.fitted().map(ends);
        this.plausible = fit.plausible().stream().map(ends).toList();
        this.latest = fit.latest();
    }

    /** The end along the fitted curve; there is one unless all rules are maxima of epochs. */
    CurveEnd fitted() {
        return fitted.orElseThrow();
    }

    EndEpochs by(Single rule) {
        return known.computeIfAbsent(
                rule,
                single -> single.match(
                        plateau -> overPlausible(curve -> curve.endBy(plateau)),
                        this::byTarget,
                        maximum -> EndEpochs.certain(maximum.epochs())));
    }

    private EndEpochs byTarget(TargetLoss rule) {
        boolean isWithinReach = latest.stream().anyMatch(each -> each.curve().limit() < rule.loss());
        return isWithinReach
                ? TargetEnds.by(
                        rule, underWay, latest, curve -> ends.apply(curve).endBy(rule))
                : overPlausible(curve -> curve.endBy(rule));
    }

    private EndEpochs overPlausible(Function<CurveEnd, EndEpochs> of) {
        return plausible.stream().map(of).reduce(of.apply(fitted()), EndEpochs::alsoWithin);
    }
}
