package io.optimus.am.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.optimus.am.engine.LearningRateSchedule.Constant;
import io.optimus.am.engine.LearningRateSchedule.Cosine;
import io.optimus.am.engine.LearningRateSchedule.Shape;
import io.optimus.am.engine.LearningRateSchedule.Step;
import io.optimus.am.engine.LearningRateSchedule.WarmRestarts;
import java.util.List;
import org.junit.Test;

/**
 * Compares rates with those of torch.optim.lr_scheduler, PyTorch 2.13.0, of an SGD with lr 0.1: {@code get lr; opt.step();
 * sched.step()} once an epoch, or {@code sched.step(epoch)} for fractions of epochs with warm restarts.
 */
public final class LearningRateScheduleTest {
    private static LearningRateSchedule schedule(double warmupEpochs, Shape shape) {
        return new LearningRateSchedule(0.1, 5e-4, warmupEpochs, shape);
    }

    private static void assertRates(LearningRateSchedule schedule, double[]... epochsAndRates) {
        for (double[] pair : epochsAndRates) {
            assertThat(schedule.rateAt(pair[0])).as("rate at epoch %s", pair[0]).isCloseTo(pair[1], within(1e-12));
        }
    }

    private static double[] at(double epoch, double rate) {
        return new double[] {epoch, rate};
    }

    /** MultiStepLR(opt, [30, 60, 80], 0.1). */
    @Test
    public void fallsAtEachStepEpoch() {
        LearningRateSchedule schedule = schedule(0, new Step(List.of(30.0, 60.0, 80.0), 0.1));

        assertRates(
                schedule,
                at(0, 0.1),
                at(29, 0.1),
                at(30, 0.010000000000000002),
                at(59, 0.010000000000000002),
                at(60, 0.0010000000000000002),
                at(79, 0.0010000000000000002),
                at(80, 0.00010000000000000003),
                at(89, 0.00010000000000000003));
        assertThat(schedule.bends()).containsExactly(30.0, 60.0, 80.0);
    }

    /** CosineAnnealingLR(opt, T_max=90, eta_min=0.001). */
    @Test
    public void fallsAlongACosine() {
        LearningRateSchedule schedule = schedule(0, new Cosine(90, 0.001));

        assertRates(
                schedule,
                at(0, 0.1),
                at(1, 0.09996984593744525),
                at(10, 0.0970147847289025),
                at(45, 0.050500000000000024),
                at(60, 0.025750000000000026),
                at(89, 0.00103015406255476),
                at(90, 0.001));
        assertThat(schedule.rateAt(1000)).as("asynchronous training may go on").isEqualTo(0.001);
        assertThat(schedule.bends()).isEmpty();
    }

    /** CosineAnnealingWarmRestarts(opt, T_0=10, T_mult=2, eta_min=0.001). */
    @Test
    public void restartsWithLongerPeriods() {
        assertRates(
                schedule(0, new WarmRestarts(10, 2, 0.001)),
                at(0, 0.1),
                at(0.5, 0.09939057285945932),
                at(5, 0.0505),
                at(9.75, 0.0011525919802101658),
                at(10, 0.1),
                at(12.5, 0.0962320368593087),
                at(29.9, 0.001006106692157801),
                at(30, 0.1),
                at(50, 0.0505),
                at(70, 0.1),
                at(100.25, 0.06899295101759956));
    }

    /** CosineAnnealingWarmRestarts(opt, T_0=10, T_mult=1). */
    @Test
    public void restartsWithEqualPeriods() {
        assertRates(
                schedule(0, new WarmRestarts(10, 1, 0)),
                at(0, 0.1),
                at(2.5, 0.08535533905932738),
                at(9.9, 2.467198171342e-05),
                at(10, 0.1),
                at(37.25, 0.017527597583490824));
        assertThat(schedule(0, new WarmRestarts(10, 1, 0)).rateAt(1e15)).isBetween(0.0, 0.1);
    }

    /** SequentialLR(opt, [LambdaLR(opt, lambda e: e / 5), CosineAnnealingLR(opt, T_max=85)], [5]). */
    @Test
    public void risesLinearlyDuringTheWarmUp() {
        assertRates(
                schedule(5, new Cosine(90, 0)),
                at(0, 0),
                at(1, 0.020000000000000004),
                at(4, 0.08000000000000002),
                at(5, 0.1),
                at(6, 0.09996585300715116),
                at(30, 0.0801317318189629),
                at(89, 3.414699284885475e-05),
                at(90, 0));
        assertRates(schedule(2.5, new Constant()), at(1, 0.04), at(2.5, 0.1), at(1000, 0.1));
        assertThat(schedule(2.5, new Constant()).isConstant()).isFalse();
        assertThat(schedule(0, new Constant()).isConstant()).isTrue();
    }
}
