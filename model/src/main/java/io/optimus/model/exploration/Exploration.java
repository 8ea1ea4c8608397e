package io.optimus.model.exploration;

import io.optimus.model.Allocation;
import io.optimus.model.speed.InformationMatrix;
import io.optimus.model.speed.InformationMatrix.Covariance;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.model.speed.SpeedFit;
import io.optimus.model.speed.SpeedFitter;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.TypicalSpeed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Chooses the sizes on which a new job runs so that its speed function can be fitted.
 *
 * <p>A size is worth as much as it adds to the determinant of Σ zᵗz over the measured sizes (D-optimal design): ln(1 + z·(Σ
 * + ε)⁻¹·zᵗ), where z is the share that each feature has of the seconds of a step in a typical model (see {@link
 * TypicalSpeed}). Shares, because the fit minimises relative errors; typical ones, so that a feature that hardly ever takes
 * time is not worth a journey. Of the sizes that are worth at least {@value #GOOD_ENOUGH} of the best, the one with the
 * fewest tasks is next, then by order of allocations: the same samples give the same size.
 *
 * <p>Left out are sizes
 *
 * <ul>
 *   <li>with as many servers as workers while others remain: on them 1 and w/p are the same feature
 *   <li>believed to be slower, by more than beliefs err, than another that there is room for, be it the one that the job
 *       runs on: they would cost training, and nobody asks for their speed
 *   <li>that a fit is sure of: as sure as it has to be for the job to count as known ({@link SpeedFit.Fitted#young()})
 * </ul>
 *
 * <p>Example: a synchronous job of the typical speed, 1 step/s on 1 + 1, that may have 1 to 12 of each and starts on 1 + 1 explores
 * 5 + 7, 8 + 2, 9 + 12 and 12 + 1. On one server it is believed to do 0.92 steps/s at most, where it would do 1.40 on 12 + 3:
 * more than 1.5 times as many.
 */
public final class Exploration {
    /** Beyond the first size; more are not worth the resizes, since growing measures as well. */
    private static final int MAX_EXPLORED = 4;

    /** Part of the predicted work that may be spent on learning more than a first fit wants. */
    private static final double MAX_PART_OF_WORK = 0.05;

    /**
     * On measured speeds of four models, up to 6 + 6 and more to 20 + 20, 1 costs a fifth more tasks for a seventh less
     * error, 0.8 saves a quarter of them for a tenth more, and 0.75 has half as much error again.
     */
    private static final double GOOD_ENOUGH = 0.9;

    /** A speed is known to a tenth: what the form misses. A coefficient is what is typical, give or take as much again. */
    private static final double RIDGE = 0.1 * 0.1;

    /**
     * Up to how many times faster than believed a size may be: what a typical function misses on the models that it is
     * the mean of, from 1 + 1 to 12 + 12 (root mean square, 1.49).
     */
    private static final double GUESS = 1.5;

    private final SpeedForm form;
    private final SizeRange range;
    private final double[] typical;

    /** For a job with functions of {@code form} that runs on sizes of {@code range}. */
    public Exploration(SpeedForm form, SizeRange range) {
        this.form = form;
        this.range = range;
        this.typical = TypicalSpeed.coefficients(form, 1);
    }

    /**
     * The size to run next; empty where there is nothing left to learn by exploring, or nothing that fits.
     *
     * @param measured what ran; the first size is whatever the job got, so that none is asked for before there is one
     * @param fit of that
     * @param givenUp sizes that were tried and gave no sample: not tried again
     * @param partOfWork steps run for exploring over the predicted steps of the whole job, of no account before the
     *     sizes that a fit wants were measured; empty while not predicted, which bounds nothing
     * @param fits whether there is room for a size now, that of what the job holds included
     */
    public Optional<Allocation> next(
            MeasuredSizes measured,
            SpeedFit fit,
            Set<Allocation> givenUp,
            OptionalDouble partOfWork,
            Predicate<Allocation> fits) {
        Set<Allocation> ran = measured.allocations();
        if (ran.isEmpty() || isEnough(ran, givenUp.size(), partOfWork.orElse(0))) {
            return Optional.empty();
        }
        Set<Allocation> possible = range.grid();
        possible.addAll(ran);
        possible.removeIf(size -> !fits.test(size));
        List<Allocation> candidates = candidates(ran);
        candidates.retainAll(possible);
        candidates.removeAll(givenUp);
        removeSlow(candidates, possible, measured, fit);
        if (fit instanceof SpeedFit.Fitted known) {
            candidates.removeIf(size -> known.confidence().standardError(size) <= SpeedFitter.YOUNG_ERROR);
        }
        if (ran.size() + 1 >= form.degreesOfFreedom(range) || ran.size() > MAX_EXPLORED) {
            // The last ones: only what makes a fit possible.
            candidates.removeIf(size -> !isEnoughWith(size, ran));
        }
        return candidates.isEmpty() ? Optional.empty() : Optional.of(cheapestGoodOne(candidates, ran));
    }

    private void removeSlow(
            List<Allocation> candidates, Set<Allocation> possible, MeasuredSizes measured, SpeedFit fit) {
        SpeedFunction believed =
                fit.fitted().or(() -> TypicalSpeed.through(form, measured)).orElseThrow();
        possible.stream()
                .max(Comparator.comparingDouble(believed::stepsPerSecond))
                .ifPresent(fastest -> candidates.removeIf(size -> !isAffordable(believed, size, fastest)));
    }

    /** Whether {@code size} is not believed to be slower than {@code instead} by more than beliefs err. */
    public static boolean isAffordable(SpeedFunction believed, Allocation size, Allocation instead) {
        return GUESS * believed.stepsPerSecond(size) >= believed.stepsPerSecond(instead);
    }

    /** A job without a fit stands still for good: only what is learned beyond it has a price that can be too high. */
    private boolean isEnough(Set<Allocation> measured, int givenUp, double partOfWork) {
        if (!SpeedFitter.areEnough(measured, form, range)) {
            return false;
        }
        return measured.size() + givenUp >= Math.min(1 + MAX_EXPLORED, form.degreesOfFreedom(range))
                || partOfWork >= MAX_PART_OF_WORK;
    }

    private boolean isEnoughWith(Allocation size, Set<Allocation> measured) {
        Set<Allocation> sizes = new TreeSet<>(measured);
        sizes.add(size);
        return SpeedFitter.areEnough(sizes, form, range);
    }

    private Allocation cheapestGoodOne(List<Allocation> candidates, Set<Allocation> measured) {
        Covariance covariance = covariance(measured);
        double[] worth = new double[candidates.size()];
        double best = 0;
        for (int i = 0; i < worth.length; i++) {
            double[] shares = shares(candidates.get(i));
            worth[i] = Math.log1p(covariance.between(shares, shares));
            best = Math.max(best, worth[i]);
        }
        Allocation chosen = candidates.get(0);
        int fewest = Integer.MAX_VALUE;
        for (int i = 0; i < worth.length; i++) {
            if (worth[i] >= GOOD_ENOUGH * best && candidates.get(i).tasks() < fewest) {
                chosen = candidates.get(i);
                fewest = chosen.tasks();
            }
        }
        return chosen;
    }

    private Covariance covariance(Set<Allocation> measured) {
        double[] prior = new double[typical.length];
        Arrays.fill(prior, RIDGE);
        InformationMatrix information = new InformationMatrix(prior);
        measured.forEach(size -> information.add(shares(size), 1));
        return information.covariance();
    }

    private double[] shares(Allocation size) {
        double[] shares = form.features(size);
        double sum = 0;
        for (int j = 0; j < shares.length; j++) {
            shares[j] *= typical[j];
            sum += shares[j];
        }
        for (int j = 0; j < shares.length; j++) {
            shares[j] /= sum;
        }
        return shares;
    }

    /** Sizes not measured yet: off the diagonal, or on it where no other is left. In order of allocations. */
    private List<Allocation> candidates(Set<Allocation> measured) {
        List<Allocation> unknown = new ArrayList<>(range.grid());
        unknown.removeAll(measured);
        List<Allocation> off = new ArrayList<>(unknown);
        off.removeIf(size -> size.parameterServers() == size.workers());
        return off.isEmpty() ? unknown : off;
    }
}
