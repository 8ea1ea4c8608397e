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
 * <p>A size is worth what it adds to the logarithm of the determinant of Σ zᵗz over the measured sizes (D-optimal design): ln(1 +
 * z·(Σ + ε)⁻¹·zᵗ), where z are the shares of the features in the seconds of a step of a typical model (see {@link TypicalSpeed}).
 * They are shares because the fit minimises relative errors, and typical ones so that a feature that hardly ever takes time is
 * not explored. Of the sizes that are worth at least {@value #GOOD_ENOUGH} of the best, the one with the fewest tasks is next;
 * ties break by the order of allocations, so that the same samples give the same size.
 *
 * <p>The following sizes are left out:
 *
 * <ul>
 *   <li>those with as many servers as workers while others remain: on them 1 and w/p are the same feature
 *   <li>those believed to be slower, by more than beliefs err, than another size that has room (or the one that the job runs
 *       on): they would cost training, and no policy would choose them
 *   <li>those whose speed the fit knows as well as that of a job that is not {@linkplain SpeedFit.Fitted#young() young}
 * </ul>
 *
 * <p>Example: a synchronous job of typical speed, 1 step/s on 1 + 1, may have 1 to 12 tasks of each role and starts on 1 + 1. It
 * explores 5 + 7, 8 + 2, 9 + 12 and 12 + 1. With one server it is believed to do 0.92 steps/s at most, but 1.40 on 12 + 3, more
 * than 1.5 times as many; so it explores no other size with one server.
 */
public final class Exploration {
    /** The most sizes after the first one; more are not worth their resizes, since growing measures sizes too. */
    private static final int MAX_EXPLORED = 4;

    /** The part of the predicted work that may be spent on learning more than a first fit needs. */
    private static final double MAX_PART_OF_WORK = 0.05;

    /**
     * On measured speeds of four models, up to 6 + 6 and more to 20 + 20, 1 costs a fifth more tasks for a seventh less error,
     * 0.8 saves a quarter of them for a tenth more error, and 0.75 has half as much error again.
     */
    private static final double GOOD_ENOUGH = 0.9;

    /** The form misses speeds by a tenth, and a coefficient differs from the typical one by as much as that itself. */
    private static final double RIDGE = 0.1 * 0.1;

    /**
     * A size may be this many times faster than believed: from 1 + 1 to 12 + 12, a typical function has a root mean square
     * error of 1.49 on the models that it averages.
     */
    private static final double GUESS = 1.5;

    private final SpeedForm form;
    private final SizeRange range;
    private final double[] typical;

    /** Chooses for a job with functions of {@code form} that runs on sizes of {@code range}. */
    public Exploration(SpeedForm form, SizeRange range) {
        this.form = form;
        this.range = range;
        this.typical = TypicalSpeed.coefficients(form, 1);
    }

    /**
     * Chooses the size to run next; empty if exploring would teach nothing more, or nothing fits.
     *
     * @param measured the measured sizes; the first is the one that the job got, so none is chosen before
     * @param fit the fit to these
     * @param givenUp sizes that were tried and gave no sample; they are not tried again
     * @param partOfWork steps run for exploring over the predicted steps of the whole job; it has no effect before the sizes
     *     that a fit needs are measured, or while it is empty because the end is not predicted
     * @param fits whether a size has room now, including the resources that the job holds
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
            // Only a few sizes are left to explore: they have to make a fit possible.
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

    /** Whether {@code size} is believed to be as fast as {@code instead}, as far as beliefs err. */
    public static boolean isAffordable(SpeedFunction believed, Allocation size, Allocation instead) {
        return GUESS * believed.stepsPerSecond(size) >= believed.stepsPerSecond(instead);
    }

    /** A job without a fit never grows, so that the price of learning counts only beyond a first fit. */
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

    /** The sizes that were not measured, in order of allocations: off the diagonal, or on it where no other is left. */
    private List<Allocation> candidates(Set<Allocation> measured) {
        List<Allocation> unknown = new ArrayList<>(range.grid());
        unknown.removeAll(measured);
        List<Allocation> off = new ArrayList<>(unknown);
        off.removeIf(size -> size.parameterServers() == size.workers());
        return off.isEmpty() ? unknown : off;
    }
}
