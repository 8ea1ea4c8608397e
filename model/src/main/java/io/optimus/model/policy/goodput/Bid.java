package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.knapsack.Knapsack;
import io.optimus.model.knapsack.Menu;
import io.optimus.model.policy.JobSnapshot;
import io.optimus.model.policy.Outweighed;
import io.optimus.model.policy.Weighed;
import io.optimus.model.policy.Weighed.End;
import io.optimus.model.policy.Weighed.Standing;
import java.util.List;
import java.util.OptionalDouble;

/** A job's sizes beyond what it was guaranteed, each with its price and what it is worth. */
final class Bid {
    private final Claimant claimant;
    private final Worth worth;
    private final Standing standing;
    private final double exponent;
    private final List<Allocation> sizes;

    Bid(Claimant claimant, Worth worth, Standing standing, double exponent) {
        this.claimant = claimant;
        this.worth = worth;
        this.standing = standing;
        this.exponent = exponent;
        Allocation sure = claimant.given();
        this.sizes = worth.sizes().stream()
                .filter(size -> sure.isWithin(size) && !size.equals(sure))
                .toList();
    }

    /** What each of its sizes takes and is worth beyond what it has for sure. */
    Menu menu(Room room) {
        Allocation sure = claimant.given();
        double worthOfSure = value(sure);
        double[] values =
                sizes.stream().mapToDouble(size -> value(size) - worthOfSure).toArray();
        long[][] amounts = sizes.stream()
                .map(size -> room.amounts(claimant.job(), size.beyond(sure)))
                .toArray(long[][]::new);
        return new Menu(values, amounts, sizes.indexOf(claimant.held()));
    }

    private double value(Allocation size) {
        return standing.weight() * worth.of(size, exponent);
    }

    /** Takes the option chosen of its menu, and says why. */
    void settle(int option, Room room) {
        JobSnapshot job = claimant.job();
        if (option != Knapsack.NONE) {
            Allocation size = sizes.get(option);
            room.takeAnyway(job, size.beyond(claimant.given()));
            claimant.give(size, weighed(size));
        } else if (claimant.given().isNone()) {
            claimant.give(Allocation.NONE, new Outweighed(job.trainsOn(), job.minimum(), standing));
        } else if (!claimant.comesFirst()) {
            claimant.give(claimant.given(), weighed(claimant.given()));
        }
    }

    private Weighed weighed(Allocation size) {
        return new Weighed(claimant.sizing(size, secondsSaved(size)), worth.timesFair(size), standing, end(size));
    }

    private OptionalDouble secondsSaved(Allocation size) {
        Allocation from = claimant.job().trainsOn();
        OptionalDouble remaining = claimant.job().remainingSteps();
        if (from.isNone() || remaining.isEmpty() || worth.speed(from) == 0 || worth.speed(size) == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(
                remaining.getAsDouble() / worth.speed(from) - remaining.getAsDouble() / worth.speed(size));
    }

    private End end(Allocation size) {
        if (claimant.job().maximum().isWithin(size)) {
            return new Weighed.AtMaximum();
        }
        double speed = worth.speed(size);
        return sizes.stream()
                .filter(larger -> worth.speed(larger) > speed && !larger.isWithin(size))
                .findFirst()
                .<End>map(larger -> new Weighed.WorthMoreElsewhere(larger, worth.speed(larger) / speed))
                .orElseGet(() -> worth.isBoundByRamp()
                        ? new Weighed.Ramp(Worth.RAMP, worth.largestTried())
                        : new Weighed.NotFaster());
    }
}
