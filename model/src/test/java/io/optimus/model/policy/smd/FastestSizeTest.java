package io.optimus.model.policy.smd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.optimus.model.Allocation;
import io.optimus.model.Jobs;
import io.optimus.model.speed.AsynchronousSpeed;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SynchronousSpeed;
import java.util.Random;
import org.junit.Test;

public class FastestSizeTest {
    private static final int INSTANCES = 1000;

    private final SizeEnumeration enumeration = new SizeEnumeration();

    private static FastestSize.Limits limits(int servers, int workers) {
        return new FastestSize.Limits(new Allocation(1, 1), new Allocation(servers, workers), size -> true);
    }

    /** Returns a speed whose coefficients span four orders of magnitude; some of them are 0. */
    private static double coefficient(Random random) {
        return random.nextInt(5) == 0 ? 0 : Math.pow(10, -4 * random.nextDouble());
    }

    private static SpeedFunction random(Random random) {
        return random.nextBoolean()
                ? new SynchronousSpeed(
                        1 + random.nextInt(512),
                        coefficient(random) / 10,
                        1e-4 + coefficient(random),
                        coefficient(random),
                        coefficient(random) / 10,
                        coefficient(random) / 10)
                : new AsynchronousSpeed(
                        1e-4 + coefficient(random),
                        coefficient(random),
                        coefficient(random) / 10,
                        coefficient(random) / 10);
    }

    /** A job's range with a budget of two resources, as an owner would set it. */
    private static FastestSize.Limits randomLimits(Random random) {
        Allocation least = new Allocation(1 + random.nextInt(3), 1 + random.nextInt(3));
        Allocation most = least.plus(new Allocation(random.nextInt(50), random.nextInt(50)));
        int cores = 1 + random.nextInt(4);
        int budget = 5 + random.nextInt(300);
        int gpus = 3 + random.nextInt(60);
        return new FastestSize.Limits(
                least,
                most,
                size -> cores * size.parameterServers() + size.workers() <= budget && size.workers() <= gpus);
    }

    @Test
    public void solvesTheSumOfRatiosWithinOnePlusEpsilonOfEnumeration() {
        for (double epsilon : new double[] {0.01, 0.05, 0.2, 1}) {
            FastestSize sumOfRatios = new SumOfRatios(epsilon);
            double worst = 1;
            int same = 0;
            for (long seed = 0; seed < INSTANCES; seed++) {
                Random random = new Random(seed);
                SpeedFunction speed = random(random);
                FastestSize.Limits limits = randomLimits(random);
                if (!limits.room().test(limits.least())) {
                    assertThat(sumOfRatios.within(speed, limits)).isEmpty();
                    assertThat(enumeration.within(speed, limits)).isEmpty();
                    continue;
                }
                Allocation exact = enumeration.within(speed, limits).orElseThrow();
                Allocation near = sumOfRatios.within(speed, limits).orElseThrow();
                double longer = speed.stepsPerSecond(exact) / speed.stepsPerSecond(near);

                assertThat(limits.room().test(near)).isTrue();
                assertThat(limits.least().isWithin(near) && near.isWithin(limits.most()))
                        .isTrue();
                assertThat(longer).as("seed %d", seed).isBetween(1 - 1e-12, 1 + epsilon);
                worst = Math.max(worst, longer);
                same += longer < 1 + 1e-12 ? 1 : 0;
            }
            System.out.printf(
                    "sum of ratios, epsilon %.2f: worst of %d instances %.4f times the shortest step, %d optimal%n",
                    epsilon, INSTANCES, worst, same);
        }
    }

    @Test
    public void takesAsManyTasksAsResNetScales() {
        Allocation fastest =
                enumeration.within(Jobs.resnetSpeed(), limits(16, 16)).orElseThrow();

        assertThat(fastest).isEqualTo(new Allocation(16, 6));
        assertThat(new SumOfRatios(0.01).within(Jobs.resnetSpeed(), limits(16, 16)))
                .contains(fastest);
    }

    @Test
    public void takesTheFewestTasksOfEqualSpeed() {
        SynchronousSpeed flat = new SynchronousSpeed(1, 0, 1, 0, 0, 0);

        assertThat(enumeration.within(flat, limits(8, 8))).contains(new Allocation(1, 1));
        assertThat(new SumOfRatios(0.1).within(flat, limits(8, 8))).contains(new Allocation(1, 1));
    }

    @Test
    public void searchesAlsoWithoutServers() {
        SpeedFunction byWorkers = allocation -> allocation.workers() < 6 ? allocation.workers() : 3;
        FastestSize.Limits limits = new FastestSize.Limits(new Allocation(0, 1), new Allocation(0, 99), size -> true);

        assertThat(enumeration.within(byWorkers, limits)).contains(new Allocation(0, 5));
        assertThat(new SumOfRatios(0.1).within(byWorkers, limits)).contains(new Allocation(0, 5));
    }

    @Test
    public void triesFewOfManySizesAndMissesLittle() {
        int[] tries = {0};
        SpeedFunction counted = size -> {
            tries[0]++;
            return 1 / (1000.0 / size.workers() + size.workers() / 700.0 + 900.0 / size.parameterServers());
        };
        Allocation found = enumeration.within(counted, limits(1024, 1024)).orElseThrow();

        assertThat(tries[0]).isLessThan(50_000);
        assertThat(found.workers()).isBetween(800, 880);
        assertThat(found.parameterServers()).isEqualTo(1024);
    }

    @Test
    public void rejectsInvalidAccuracy() {
        assertThatThrownBy(() -> new SumOfRatios(0)).hasMessageContaining("0.0");
        assertThatThrownBy(() -> new SumOfRatios(Double.NaN)).hasMessageContaining("NaN");
    }
}
