package io.optimus.model.policy.smd;

import io.optimus.model.Allocation;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.numerics.Medians;
import io.optimus.model.policy.division.CompletionTime;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.Participant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The size that would be best for each job if it were alone: the inner problem of SMD. */
final class BestSizes {
    private final Division division;
    private final FastestSize search;
    private final Function<JobSnapshot, CompletionTime> completion;

    /**
     * The size that would be best for a job alone, with its value: an item of the outer knapsack.
     *
     * @param participant the job
     * @param size at least its minimum and what it may not give up
     * @param seconds to its end on that size; infinite if it does not step
     * @param utility of ending then
     * @param utilityWithout utility of the tasks that it has already
     */
    record Item(Participant participant, Allocation size, double seconds, double utility, double utilityWithout) {
        /** The utility that the size adds; 0 or more. */
        double value() {
            return Math.max(0, utility - utilityWithout);
        }

        /** The tasks of the size beyond those that the job has already. */
        Allocation more() {
            return size.beyond(participant.given());
        }
    }

    /** A size with the seconds to its job's end. */
    private record TimedSize(Participant participant, Allocation size, double seconds) {}

    BestSizes(Division division, FastestSize search) {
        this.division = division;
        this.search = search;
        this.completion = CompletionTime.of(
                division.participants().stream().map(Participant::job).toList());
    }

    /** One item for each job whose minimum has room while the job is alone. */
    List<Item> items() {
        List<TimedSize> sizes = new ArrayList<>();
        division.participants().forEach(participant -> best(participant).ifPresent(sizes::add));
        double usual = usualSeconds(sizes);
        return sizes.stream().map(size -> item(size, usual)).toList();
    }

    /** The fastest size, or the present one if a resize would not be worth its cost; the minimum if the speed is unknown. */
    private Optional<TimedSize> best(Participant participant) {
        JobSnapshot job = participant.job();
        Allocation least = participant.given().max(job.minimum());
        if (!division.hasRoom(participant, least)) {
            return Optional.empty();
        }
        if (job.speed().isEmpty()) {
            return Optional.of(new TimedSize(participant, least, Double.NaN));
        }
        FastestSize.Limits limits =
                new FastestSize.Limits(least, job.maximum(), size -> isAllowed(participant, least, size));
        Allocation fastest = search.within(job.speed().get(), limits).orElse(least);
        Allocation held = participant.held().max(least).min(job.maximum());
        boolean keeps = participant.runs()
                && division.hasRoom(participant, held)
                && seconds(participant, held) <= seconds(participant, fastest);
        Allocation size = keeps ? held : fastest;
        return Optional.of(new TimedSize(participant, size, seconds(participant, size)));
    }

    /** An equal share of the cluster for each job stands for the limits that owners state in the paper. */
    private boolean isAllowed(Participant participant, Allocation least, Allocation size) {
        double share = Arrays.stream(division.shares(participant.job().resources(size)))
                .max()
                .orElse(0);
        boolean fair =
                size.isWithin(least) || share <= 1.0 / division.participants().size();
        return fair && division.hasRoom(participant, size);
    }

    /** Seconds to the job's end, with the cost of the resize. */
    private double seconds(Participant participant, Allocation size) {
        double cost =
                size.equals(participant.held()) ? 0 : participant.job().state().resizeCostSeconds();
        return completion.apply(participant.job()).seconds(size) + cost;
    }

    /** The median; 1 if no job's time is known: then all times are worth the same. */
    private static double usualSeconds(List<TimedSize> sizes) {
        double[] seconds = sizes.stream()
                .mapToDouble(TimedSize::seconds)
                .filter(each -> Double.isFinite(each) && each > 0)
                .toArray();
        return Medians.upper(seconds, 1);
    }

    /** A job of unknown speed is assumed to need the usual time. */
    private Item item(TimedSize best, double usual) {
        Participant participant = best.participant();
        Utility utility = Utility.of(participant.job(), usual);
        double seconds = Double.isNaN(best.seconds()) ? usual : best.seconds();
        Allocation given = participant.given();
        boolean runs = participant.job().minimum().isWithin(given);
        boolean known = participant.job().speed().isPresent();
        double without = !runs ? 0 : utility.at(known ? seconds(participant, given) : usual);
        return new Item(participant, best.size(), seconds, utility.at(seconds), without);
    }
}
