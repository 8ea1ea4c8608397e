package io.optimus.sim.trace.pollux;

import io.optimus.model.belief.RemainingBelief;
import io.optimus.model.convergence.ConvergencePrediction;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.losses.LossHistory;
import io.optimus.model.losses.LossPoint;
import io.optimus.sim.knowledge.RemainingSource;
import java.util.List;
import java.util.Random;

/** The end of a job, as a scheduler that learns believes. */
interface JobEnd {
    /** Returns the belief about the remaining steps. */
    RemainingBelief remaining();

    /**
     * Returns the end of one job.
     *
     * @param target the loss that its owner wants
     * @param seed seed of the error of declared epochs
     */
    static JobEnd of(
            RemainingSource remaining, PolluxTraining training, SelfObservation self, double target, long seed) {
        return remaining.<JobEnd>match(
                declared -> {
                    double factor = Math.exp(declared.sigma() * new Random(seed).nextGaussian());
                    return () -> RemainingBelief.certain(factor * training.remainingSteps());
                },
                () -> new Predicted(training, self, target),
                () -> () -> RemainingBelief.UNKNOWN);
    }

    /** The step at which the fitted curve of a job's losses reaches the target. */
    final class Predicted implements JobEnd {
        private final PolluxTraining training;
        private final SelfObservation self;
        private final LossHistory losses;
        private final ConvergencePrediction prediction;
        private final LossCurveFitter fitter = new LossCurveFitter();
        private CurveFit curve;

        Predicted(PolluxTraining training, SelfObservation self, double target) {
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
}
