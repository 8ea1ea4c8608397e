package io.optimus.model.policy.smd;

import io.optimus.model.Allocation;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.policy.division.CompletionTime;
import io.optimus.model.policy.division.Division;
import io.optimus.model.policy.division.Participant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What each job would have if it were alone: the inner problem of SMD. */
final class BestSizes {
    private final Division division;
    private final FastestSize search;
    private final Function<JobSnapshot, CompletionTime> remaining;

    /** A size with its seconds. */
    private record Sized(Participant participant, Allocation size, double seconds) {}

    BestSizes(Division division, FastestSize search) {
        this.division = division;
        this.search = search;
        this.remaining = CompletionTime.of(
                division.participants().stream().map(Participant::job).toList());
    }

    /** Of jobs that have room for their minimum if they are alone. */
    List<BestSize> all() {
        List<Sized> sizes = new ArrayList<>();
        division.participants().forEach(participant -> best(participant).ifPresent(sizes::add));
        double usual = median(sizes);
        return sizes.stream().map(size -> wish(size, usual)).toList();
    }

    /** The fastest size, or what it runs on, where a resize would not repay its cost. Of unknown speed, the minimum. */
    private Optional<Sized> best(Participant participant) {
        JobSnapshot job = participant.job();
        Allocation least = participant.given().max(job.minimum());
        if (!division.hasRoom(participant, least)) {
            return Optional.empty();
        }
        if (job.speed().isEmpty()) {
            return Optional.of(new Sized(participant, least, Double.NaN));
        }
        Allocation fastest = search.within(
                        job.speed().get(),
                        new SizeLimits(least, job.maximum(), size -> isAllowed(participant, least, size)))
                .orElse(least);
        Allocation held = participant.held().max(least).min(job.maximum());
        boolean keeps = participant.runs()
                && division.hasRoom(participant, held)
                && seconds(participant, held) <= seconds(participant, fastest);
        Allocation size = keeps ? held : fastest;
        return Optional.of(new Sized(participant, size, seconds(participant, size)));
    }

    /** An equal share of the cluster for each job stands for the limits that owners state there. */
    private boolean isAllowed(Participant participant, Allocation least, Allocation size) {
        double share = Arrays.stream(division.shares(participant.job().resources(size)))
                .max()
                .orElse(0);
        boolean fair =
                size.isWithin(least) || share <= 1.0 / division.participants().size();
        return fair && division.hasRoom(participant, size);
    }

    /** To its end, with what it costs to go there. */
    private double seconds(Participant participant, Allocation size) {
        double cost =
                size.equals(participant.held()) ? 0 : participant.job().state().resizeCostSeconds();
        return remaining.apply(participant.job()).seconds(size) + cost;
    }

    private static double median(List<Sized> sizes) {
        double[] seconds = sizes.stream()
                .mapToDouble(Sized::seconds)
                .filter(each -> Double.isFinite(each) && each > 0)
                .sorted()
                .toArray();
        // Where nobody's time is known, all are worth the same, whatever the time.
        return seconds.length == 0 ? 1 : seconds[seconds.length / 2];
    }

    /** One of unknown speed is taken to need the usual time. */
    private BestSize wish(Sized sized, double usual) {
        Participant participant = sized.participant();
        Utility utility = Utility.of(participant.job(), usual);
        double seconds = Double.isNaN(sized.seconds()) ? usual : sized.seconds();
        Allocation given = participant.given();
        boolean runs = participant.job().minimum().isWithin(given);
        boolean known = participant.job().speed().isPresent();
        double without = !runs ? 0 : utility.at(known ? seconds(participant, given) : usual);
        return new BestSize(participant, sized.size(), seconds, utility.at(seconds), without);
    }
}
