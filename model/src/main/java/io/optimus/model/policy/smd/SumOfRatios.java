package io.optimus.model.policy.smd;

import io.optimus.model.Allocation;
import io.optimus.model.InterruptedComputationException;
import io.optimus.model.speed.MeasuredSpeed;
import io.optimus.model.speed.SpeedFunction;
import java.util.Optional;

/**
 * Minimises a sum of ratios to within a factor of 1 + ε, in a number of tries that grows with the logarithm of the counts (a
 * problem posed by SMD, INFOCOM 2021).
 *
 * <p>The numbers of parameter servers form a grid of ratio 1 + ε: every p has a grid point p' with p' ≤ p ≤ (1+ε)·p'. At
 * each grid point the best number of workers is √(A/C); the best whole number is one of its two neighbours, because A/w +
 * C·w is convex.
 *
 * <p>The factor 1 + ε holds for this reason: let (p, w) be best. On (p', w), terms that fall with p grow by at most 1 + ε,
 * and the others do not grow. (p', w) has room because (p, w) has. The best number of workers at p' is no worse than w.
 *
 * <p>A fit that measurements correct is searched by its sum of ratios. The sizes that the search visits, and all measured
 * sizes, are compared by the corrected speed. Speed functions of another form are enumerated.
 */
final class SumOfRatios implements FastestSize {
    private final double epsilon;
    private final FastestSize otherForms = new SizeEnumeration();

    /**
     * Throws if {@code epsilon} is not above 0 and finite.
     *
     * @param epsilon the part by which a step may take longer than the shortest, above 0
     */
    SumOfRatios(double epsilon) {
        if (!(epsilon > 0 && epsilon < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("The accuracy must be above 0 and finite, got " + epsilon);
        }
        this.epsilon = epsilon;
    }

    @Override
    public Optional<Allocation> within(SpeedFunction speed, Limits limits) {
        Optional<StepRatios> ratios = limits.least().parameterServers() > 0 ? StepRatios.of(speed) : Optional.empty();
        if (ratios.isEmpty()) {
            return otherForms.within(speed, limits);
        }
        Optional<Allocation> best = onGrid(speed, ratios.get(), limits);
        if (speed instanceof MeasuredSpeed corrected) {
            for (Allocation size : corrected.measured().allocations()) {
                if (limits.allow(size) && (best.isEmpty() || isBetter(size, best.get(), speed))) {
                    best = Optional.of(size);
                }
            }
        }
        return best;
    }

    private Optional<Allocation> onGrid(SpeedFunction speed, StepRatios ratios, Limits limits) {
        Optional<Allocation> best = Optional.empty();
        long servers = limits.least().parameterServers();
        while (servers <= limits.most().parameterServers()) {
            InterruptedComputationException.check();
            Optional<Allocation> here = withServers((int) servers, speed, ratios, limits);
            if (here.isPresent() && (best.isEmpty() || isBetter(here.get(), best.get(), speed))) {
                best = here;
            }
            servers = (long) Math.floor(servers * (1 + epsilon)) + 1;
        }
        return best;
    }

    private static Optional<Allocation> withServers(
            int servers, SpeedFunction speed, StepRatios ratios, Limits limits) {
        int least = limits.least().workers();
        if (!limits.room().test(new Allocation(servers, least))) {
            return Optional.empty();
        }
        int most = mostWorkers(servers, limits);
        double best = ratios.bestWorkers(servers);
        // If A and C are 0, best is NaN, which becomes 0: then the fewest workers are best.
        int below = Math.max(least, (int) Math.min(most, Math.floor(best)));
        Allocation smaller = new Allocation(servers, below);
        Allocation larger = new Allocation(servers, Math.min(most, below + 1));
        return Optional.of(isBetter(larger, smaller, speed) ? larger : smaller);
    }

    /** The most workers that have room, by bisection: every smaller size has room, too. */
    private static int mostWorkers(int servers, Limits limits) {
        int fits = limits.least().workers();
        int fails = limits.most().workers() + 1;
        while (fails - fits > 1) {
            int middle = (fits + fails) >>> 1;
            if (limits.room().test(new Allocation(servers, middle))) {
                fits = middle;
            } else {
                fails = middle;
            }
        }
        return fits;
    }

    private static boolean isBetter(Allocation one, Allocation other, SpeedFunction speed) {
        double faster = speed.stepsPerSecond(one) - speed.stepsPerSecond(other);
        return faster > 0 || (faster == 0 && one.tasks() < other.tasks());
    }
}
