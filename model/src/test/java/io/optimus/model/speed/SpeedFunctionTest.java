package io.optimus.model.speed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.pholser.junit.quickcheck.Property;
import com.pholser.junit.quickcheck.generator.InRange;
import com.pholser.junit.quickcheck.runner.JUnitQuickcheck;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import java.util.Random;
import org.junit.Test;
import org.junit.runner.RunWith;

@RunWith(JUnitQuickcheck.class)
public class SpeedFunctionTest {
    @Test
    public void addsUpTheSecondsOfThePapersFormulas() {
        Allocation size = new Allocation(2, 4);

        // 1 · 8/4 + 3 + 5 · 4/2 + 7 · 4 + 11 · 2
        assertThat(new SynchronousSpeed(8, 1, 3, 5, 7, 11).seconds(1, size)).isCloseTo(65, within(1e-12));
        // 4 / (3 + 5 · 4/2 + 7 · 4 + 11 · 2)
        assertThat(new AsynchronousSpeed(3, 5, 7, 11).stepsPerSecond(size)).isCloseTo(4 / 63.0, within(1e-12));
    }

    @Test
    public void takesForeverAtZeroSpeedButNoTimeForZeroSteps() {
        SpeedFunction still = new SynchronousSpeed(1, Double.MAX_VALUE, Double.MAX_VALUE, 0, 0, 0);
        Allocation one = new Allocation(1, 1);

        assertThat(still.stepsPerSecond(one)).isZero();
        assertThat(still.seconds(1, one)).isInfinite();
        assertThat(still.seconds(0, one)).isZero();
    }

    /** The seconds of a step are convex in each role, which is why a greedy allocation is good. */
    @Property(trials = 300)
    public void eachFurtherTaskSavesNoMoreThanThePreviousOne(
            long seed, boolean sync, @InRange(minInt = 1, maxInt = 50) int p, @InRange(minInt = 1, maxInt = 50) int w) {
        Random random = new Random(seed);
        double[] t = random.doubles(5).map(x -> x < 0.2 ? 0 : x).toArray();
        SpeedFunction speed = sync
                ? new SynchronousSpeed(64, t[0], t[1], t[2], t[3], t[4])
                : new AsynchronousSpeed(t[0], t[1], t[2], t[3]);
        for (Role role : Role.values()) {
            Allocation size = new Allocation(p, w);
            double first = speed.seconds(1, size) - speed.seconds(1, size.plus(role, 1));
            double second = speed.seconds(1, size.plus(role, 1)) - speed.seconds(1, size.plus(role, 2));
            if (speed.stepsPerSecond(size) < Double.POSITIVE_INFINITY) {
                assertThat(second).isLessThanOrEqualTo(first + 1e-9);
            }
        }
    }
}
