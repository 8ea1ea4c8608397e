package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.decision.GoodputReason;
import io.optimus.model.decision.GoodputReason.End;
import io.optimus.model.decision.GoodputReason.Standing;
import io.optimus.model.decision.OutweighedReason;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.knapsack.Knapsack;
import io.optimus.model.knapsack.OptionSet;
import java.util.List;
import java.util.OptionalDouble;

/** A job's sizes beyond what it was guaranteed, each with its price and what it is worth. */
final class Bid {
    private final Claimant claimant;
    private final Worth worth;
    private final Standing standing;
    private final double exponent;
    /** What it was guaranteed. */
    private final Size sure;

    private final List<Size> sizes;
    private final OptionSet menu;

    Bid(Claimant claimant, Worth worth, Standing standing, double exponent) {
        this.claimant = claimant;
        this.worth = worth;
        this.standing = standing;
        this.exponent = exponent;
        this.sure = worth.size(claimant.given());
        this.sizes = worth.sizes().stream().filter(this::isBeyondSure).toList();
        this.menu = writeMenu();
    }

    private boolean isBeyondSure(Size size) {
        return sure.tasks().isWithin(size.tasks()) && !size.tasks().equals(sure.tasks());
    }

    /** What each of its sizes takes and is worth beyond what it has for sure. */
    OptionSet menu() {
        return menu;
    }

    private OptionSet writeMenu() {
        double worthOfSure = value(sure);
        double[] values = new double[sizes.size()];
        long[][] amounts = new long[values.length][];
        int present = Knapsack.NONE;
        for (int option = 0; option < values.length; option++) {
            Size size = sizes.get(option);
            values[option] = value(size) - worthOfSure;
            amounts[option] = claimant.footprint().amounts(size.tasks().beyond(sure.tasks()));
            present = size.tasks().equals(claimant.held()) ? option : present;
        }
        return new OptionSet(values, amounts, present);
    }

    private double value(Size size) {
        return standing.weight() * worth.of(size, exponent);
    }

    /** Takes the option chosen of its menu, and says why. */
    void settle(int option, Room room) {
        JobSnapshot job = claimant.job();
        if (option != Knapsack.NONE) {
            Size size = sizes.get(option);
            room.takeAnyway(claimant, size.tasks().beyond(sure.tasks()));
            claimant.give(size.tasks(), weighed(size));
        } else if (sure.tasks().isNone()) {
            claimant.give(Allocation.NONE, new OutweighedReason(job.trainsOn(), job.minimum(), standing));
        } else if (!claimant.comesFirst()) {
            claimant.give(sure.tasks(), weighed(sure));
        }
    }

    private GoodputReason weighed(Size size) {
        return new GoodputReason(
                claimant.sizing(size.tasks(), secondsSaved(size)), worth.timesFair(size), standing, end(size));
    }

    private OptionalDouble secondsSaved(Size size) {
        Allocation from = claimant.job().trainsOn();
        OptionalDouble remaining = claimant.job().remainingSteps();
        if (from.isNone() || remaining.isEmpty() || worth.speed(from) == 0 || size.stepsPerSecond() == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(
                remaining.getAsDouble() / worth.speed(from) - remaining.getAsDouble() / size.stepsPerSecond());
    }

    private End end(Size size) {
        if (claimant.job().maximum().isWithin(size.tasks())) {
            return new GoodputReason.AtMaximum();
        }
        double speed = size.stepsPerSecond();
        return sizes.stream()
                .filter(larger ->
                        larger.stepsPerSecond() > speed && !larger.tasks().isWithin(size.tasks()))
                .findFirst()
                .<End>map(
                        larger -> new GoodputReason.WorthMoreElsewhere(larger.tasks(), larger.stepsPerSecond() / speed))
                .orElseGet(() -> worth.isBoundByRamp()
                        ? new GoodputReason.Ramp(Worth.RAMP, worth.largestTried())
                        : new GoodputReason.NotFaster());
    }
}
