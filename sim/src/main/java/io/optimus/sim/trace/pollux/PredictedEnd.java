package io.optimus.sim.trace.pollux;

import io.optimus.model.belief.RemainingBelief;
import io.optimus.model.convergence.ConvergencePrediction;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.LossPoint;
import java.util.List;

/** The end as the fitted curve of a job's losses predicts it: where it comes down to a target. */
final class PredictedEnd implements JobEnd {
    private final PolluxTraining training;
    private final SelfObservation self;
    private final LossHistory losses;
    private final ConvergencePrediction prediction;
    private final LossCurveFitter fitter = new LossCurveFitter();
    private CurveFit curve;

    PredictedEnd(PolluxTraining training, SelfObservation self, double target) {
        this.training = training;
        this.self = self;
        this.losses = new LossHistory(training.stepsPerEpoch());
        this.prediction = new ConvergencePrediction(new StopRule.TargetLoss(target), training.stepsPerEpoch());
        this.curve = fitter.fit(losses);
    }

    @Override
    public RemainingBelief remaining() {
        List<LossPoint> points = self.takeLosses();
        if (!points.isEmpty()) {
            points.forEach(losses::add);
            curve = fitter.fit(losses);
        }
        return RemainingBelief.predicted(prediction.from(curve, losses.epochs(), training.doneSteps()));
    }
}
