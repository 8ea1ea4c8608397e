package io.optimus.model.policy.goodput;

import io.optimus.model.Allocation;
import io.optimus.model.decision.AllocationReason.Waits;
import io.optimus.model.decision.GoodputReason;
import io.optimus.model.decision.GoodputReason.Bid;
import io.optimus.model.decision.GoodputReason.End;
import io.optimus.model.decision.GoodputReason.Weight;
import io.optimus.model.decision.Shortage;
import io.optimus.model.knapsack.Knapsack;
import io.optimus.model.knapsack.Knapsack.Options;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.Participant;
import io.optimus.model.policy.goodput.SizeValues.Size;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A job of known speed: its sizes beyond its guaranteed share, each with its resources and its value, and which it takes. */
final class WeighedJob {
    private final Participant participant;
    private final SizeValues values;
    private final Weight weight;
    private final double exponent;
    private final Size guaranteed;
    private final List<Size> sizes;
    private Size taken;

    WeighedJob(Participant participant, SizeValues values, Weight weight, double exponent) {
        this.participant = participant;
        this.values = values;
        this.weight = weight;
        this.exponent = exponent;
        this.guaranteed = values.size(participant.given());
        this.sizes = values.sizes().stream().filter(this::isBeyond).toList();
        this.taken = guaranteed;
    }

    private boolean isBeyond(Size size) {
        return guaranteed.tasks().isWithin(size.tasks()) && !size.tasks().equals(guaranteed.tasks());
    }

    String id() {
        return participant.job().id();
    }

    /** The sizes as options of the knapsack, with what each takes and is worth beyond the guaranteed share. */
    Options options() {
        double valueOfGuaranteed = value(guaranteed);
        double[] more = new double[sizes.size()];
        long[][] amounts = new long[more.length][];
        int present = Knapsack.NONE;
        for (int option = 0; option < more.length; option++) {
            Size size = sizes.get(option);
            more[option] = value(size) - valueOfGuaranteed;
            amounts[option] = participant.amounts(size.tasks().beyond(guaranteed.tasks()));
            present = size.tasks().equals(participant.runsOn()) ? option : present;
        }
        return new Options(more, amounts, present);
    }

    /** What {@code size} adds to the total value of all jobs. */
    double value(Size size) {
        return weight.factor() * values.value(size, exponent);
    }

    /** The guaranteed share, the least size that the job can be left. */
    Size guaranteed() {
        return guaranteed;
    }

    /** The sizes beyond the guaranteed share, in the order of {@link SizeValues#sizes}. */
    List<Size> sizes() {
        return sizes;
    }

    /** The size that it was given. */
    Size taken() {
        return taken;
    }

    /** The resources of {@code size}. */
    long[] amounts(Size size) {
        return participant.amounts(size.tasks());
    }

    /** Gives it the chosen option, or {@link Knapsack#NONE}. */
    void take(int option, Division division) {
        if (option != Knapsack.NONE) {
            taken = sizes.get(option);
            division.set(participant, taken.tasks());
        }
    }

    /** Sets the reason for what it was given; {@code bids} know what all jobs were given. */
    void explain(Bids bids, Division division) {
        if (taken.tasks().isNone()) {
            explainWait(bids, division);
        } else if (!taken.equals(guaranteed) || !participant.isGuaranteed()) {
            explain(end(bids, division));
        }
    }

    private void explainWait(Bids bids, Division division) {
        Allocation minimum = participant.job().minimum();
        Size least = values.size(minimum);
        Optional<Shortage> shortage = bids.shortage(this, least, division);
        if (shortage.isPresent()) {
            participant.explain(new Waits(participant.job().trainsOn(), minimum, shortage.get()));
        } else {
            explain(new GoodputReason.Outweighed(bids.of(this, least)));
        }
    }

    private void explain(End end) {
        participant.explain(
                new GoodputReason(participant.change(secondsSaved()), values.timesFair(taken), weight, end));
    }

    private OptionalDouble secondsSaved() {
        Allocation from = participant.job().trainsOn();
        OptionalDouble remaining = participant.job().remainingSteps();
        if (from.isNone() || remaining.isEmpty() || values.speed(from) == 0 || taken.stepsPerSecond() == 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(
                remaining.getAsDouble() / values.speed(from) - remaining.getAsDouble() / taken.stepsPerSecond());
    }

    private End end(Bids bids, Division division) {
        if (participant.job().maximum().isWithin(taken.tasks())) {
            return new GoodputReason.AtMaximum();
        }
        List<Size> faster = sizes.stream()
                .filter(larger -> larger.stepsPerSecond() > taken.stepsPerSecond()
                        && !larger.tasks().isWithin(taken.tasks()))
                .toList();
        if (faster.isEmpty()) {
            return noneFaster();
        }
        double valueNow = value(taken);
        return faster.stream()
                .filter(larger -> value(larger) > valueNow)
                .findFirst()
                .map(larger -> endBelow(larger, bids, division))
                .orElseGet(() -> new GoodputReason.LostInPause(faster.get(0).tasks(), times(faster.get(0))));
    }

    private End noneFaster() {
        if (values.isBoundByRamp()) {
            return new GoodputReason.Ramp(SizeValues.RAMP, values.largestTried());
        }
        return values.isAllThatHasRoom(taken) ? new GoodputReason.NoMoreRoom() : new GoodputReason.NotFaster();
    }

    /** Who has the room of {@code larger}, which would be worth more. */
    private End endBelow(Size larger, Bids bids, Division division) {
        Optional<Bid> bid = bids.of(this, larger);
        Optional<Shortage> shortage = bid.isPresent() ? Optional.empty() : bids.shortage(this, larger, division);
        return shortage.<End>map(what -> new GoodputReason.NotReleased(larger.tasks(), times(larger), what))
                .orElseGet(() -> new GoodputReason.WorthMoreElsewhere(larger.tasks(), times(larger), bid));
    }

    private double times(Size larger) {
        return larger.stepsPerSecond() / taken.stepsPerSecond();
    }
}
