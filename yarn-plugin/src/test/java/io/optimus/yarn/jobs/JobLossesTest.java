package io.optimus.yarn.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.curve.CurveFit;
import io.optimus.model.curve.LossCurveFitter;
import io.optimus.model.losses.LossPoint;
import io.optimus.yarn.validation.ReportValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.Test;

public final class JobLossesTest {
    private static final int POINTS = 64;
    private static final int STEPS_PER_EPOCH = 100;

    private final LossCurveFitter fitter = new LossCurveFitter();
    private final JobLosses losses = new JobLosses(STEPS_PER_EPOCH, POINTS);

    @Test
    public void knowsTheLastFiniteLoss() {
        assertThat(losses.last()).isEmpty();

        take(10, 2.5);
        take(20, Double.NaN);

        assertThat(losses.last()).hasValue(2.5);
        assertThat(losses.lastStep()).isEqualTo(10);
    }

    @Test
    public void theFinalLossOfAJobIsNoPointOfItsCurve() {
        take(10, 2.5);
        FittedLosses before = fit();

        losses.endWith(0.5);

        assertThat(losses.last()).hasValue(0.5);
        assertThat(losses.lastStep()).isEqualTo(10);
        assertThat(fit()).isSameAs(before);
    }

    @Test
    public void fitsAgainOnlyAfterNewLossesOrEpochs() {
        take(10, 2);
        FittedLosses first = fit();
        assertThat(fit()).isSameAs(first);

        take(20, 1.9);
        assertThat(fit().curve()).isEqualTo(new CurveFit.NotYet(2, 8));

        losses.countEpochsBy(10);
        assertThat(fit().epochs().ended()).isEqualTo(2);
    }

    @Test
    public void aJobThatBringsItsHistoryStartsOver() {
        take(10, 2);
        take(20, 1.9);
        fit();

        losses.startOver(STEPS_PER_EPOCH);
        assertThat(losses.lastStep()).isEqualTo(-1);
        assertThat(losses.last()).as("kept until the next loss").hasValue(1.9);
        take(5, 3);

        assertThat(fit().curve()).isEqualTo(new CurveFit.NotYet(1, 8));
    }

    @Test
    public void aJobThatContinuesAtItsStepContinuesItsCurve() {
        takeCurve(10);

        losses.goOnAt(101, STEPS_PER_EPOCH);

        assertThat(losses.lastStep()).isEqualTo(100);
        take(110, 1);
        assertThat(fit().curve()).isInstanceOf(CurveFit.Fitted.class);
    }

    @Test
    public void aJobThatResumesFromACheckpointBeginsACurve() {
        take(10, 2);
        take(20, 1.9);

        losses.goOnAt(10, STEPS_PER_EPOCH);

        assertThat(losses.lastStep()).as("the next step may be earlier").isEqualTo(-1);
        take(15, 2.1);
        assertThat(losses.last()).hasValue(2.1);
        assertThat(losses.lastStep()).isEqualTo(15);
    }

    @Test
    public void aJobThatContinuesMayHaveEpochsOfAnotherLength() {
        take(10, 2);
        take(20, 1.9);
        fit();

        losses.goOnAt(21, 10);

        assertThat(fit().epochs().ended()).isEqualTo(2);
    }

    @Test
    public void aBendThatIsReportedBeginsACurveAtAnEarlierStepToo() {
        take(10, 2);
        losses.take(List.of(new ReportValidator.ReportedLoss(new LossPoint(5, 2.2), true)));

        assertThat(losses.last()).hasValue(2.2);
        assertThat(losses.lastStep()).isEqualTo(5);
    }

    @Test
    public void anotherStalenessIsABendOnlyWhereTheLossesShowOne() {
        assertThat(firstStepAfterAnotherStaleness(1)).as("they go on as before").isLessThan(100);
        assertThat(firstStepAfterAnotherStaleness(1.6)).as("they jump").isGreaterThanOrEqualTo(600);
    }

    /** The first step of the curve fitted to losses of which those after step 600 are multiplied by {@code factor}. */
    private double firstStepAfterAnotherStaleness(double factor) {
        Random random = new Random(3);
        JobLosses job = new JobLosses(STEPS_PER_EPOCH, 512);
        for (int step = 10; step <= 1000; step += 10) {
            boolean changed = step > 600;
            double loss = 10.0 / (1 + step / 20.0) * (1 + 0.05 * random.nextGaussian()) * (changed ? factor : 1);
            job.take(List.of(new ReportValidator.ReportedLoss(new LossPoint(step, loss), step == 610)));
        }
        return job.fit(new LossCurveFitter()).curve().fitted().orElseThrow().firstStep();
    }

    @Test
    public void keepsAnOddNumberOfPointsAsTheEvenOneBelow() {
        JobLosses odd = new JobLosses(STEPS_PER_EPOCH, 3);
        for (int step = 1; step <= 50; step++) {
            odd.take(List.of(new ReportValidator.ReportedLoss(new LossPoint(step, 1.0 / step), false)));
        }

        assertThat(odd.last()).hasValue(1.0 / 50);
    }

    private void takeCurve(int points) {
        List<ReportValidator.ReportedLoss> reported = new ArrayList<>();
        for (int i = 1; i <= points; i++) {
            reported.add(new ReportValidator.ReportedLoss(new LossPoint(10L * i, 1 + 1.0 / i), false));
        }
        losses.take(reported);
    }

    private void take(long step, double loss) {
        losses.take(List.of(new ReportValidator.ReportedLoss(new LossPoint(step, loss), false)));
    }

    private FittedLosses fit() {
        return losses.fit(fitter);
    }
}
