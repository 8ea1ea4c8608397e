package io.optimus.model.policy.division;

import io.optimus.model.Allocation;
import io.optimus.model.decision.Shortage;
import io.optimus.model.decision.TurnReason;
import io.optimus.model.decision.WaitReason;
import io.optimus.model.job.JobSnapshot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Gives jobs the sizes that their owners asked for, whole or not at all, in an order.
 *
 * <p>Who asked for more than there would be if he were alone is given as many of his workers as there would be, and parameter
 * servers in proportion: he would wait for ever. A running job without room for what it asked for stays as it is, where there
 * is room for that.
 *
 * <p>Example: 10 nodes of 4 GPUs, and a job that asks for 48 workers: it runs on 40.
 */
public final class RequestedSizes {
    private final Division division;
    private final Map<String, Allocation> sizes = new HashMap<>();
    private final Set<String> tooLarge = new HashSet<>();

    /** Of a division of which nothing was given yet; what may not shrink is kept. */
    public RequestedSizes(Division division) {
        this.division = division;
        division.participants().forEach(this::chooseSize);
        division.keepWhatMayNotShrink();
    }

    private void chooseSize(Participant participant) {
        JobSnapshot job = participant.job();
        Allocation asked = asked(job);
        Allocation size = division.hasRoom(participant, asked) ? asked : mostOf(asked, participant);
        sizes.put(job.id(), size);
        if (!division.hasRoom(participant, size)) {
            tooLarge.add(job.id());
        }
    }

    /** Within its limits. */
    private static Allocation asked(JobSnapshot job) {
        return job.requested().max(job.minimum()).min(job.maximum());
    }

    /** The most of {@code asked} that has room, at least the minimum: more workers never have room where fewer have none. */
    private Allocation mostOf(Allocation asked, Participant participant) {
        Allocation minimum = participant.job().minimum();
        Allocation size = minimum;
        int tooMany = asked.workers();
        while (tooMany - size.workers() > 1) {
            int workers = (size.workers() + tooMany) >>> 1;
            Allocation part = part(asked, workers).max(minimum);
            if (division.hasRoom(participant, part)) {
                size = part;
            } else {
                tooMany = workers;
            }
        }
        return size;
    }

    /** So many of the workers of {@code asked}, and as many servers for each. */
    private static Allocation part(Allocation asked, int workers) {
        long servers = ((long) asked.parameterServers() * workers + asked.workers() - 1) / asked.workers();
        return new Allocation((int) servers, workers);
    }

    /** What it is to be given. */
    public Allocation of(JobSnapshot job) {
        return sizes.getOrDefault(job.id(), job.minimum());
    }

    /** Whoever has no room holds up those behind him that do not run yet, unless not even his minimum ever has room. */
    public void giveInOrder(List<Participant> order) {
        Optional<String> holdsUp = Optional.empty();
        for (Participant participant : order) {
            if (holdsUp.isPresent() && !participant.runs()) {
                waits(participant, new WaitReason.Behind(holdsUp.get()));
                continue;
            }
            boolean given = give(participant, Optional.empty());
            if (!given && !tooLarge.contains(participant.job().id())) {
                holdsUp = holdsUp.or(() -> Optional.of(participant.job().id()));
            }
        }
    }

    /** Whoever has no room waits, and those behind him take what he leaves; {@code orders} of a job and those before. */
    public void giveWhereItFits(List<Participant> order, BiFunction<JobSnapshot, Integer, TurnReason.Order> orders) {
        for (int before = 0; before < order.size(); before++) {
            Participant participant = order.get(before);
            give(participant, Optional.of(orders.apply(participant.job(), before)));
        }
    }

    private boolean give(Participant participant, Optional<TurnReason.Order> order) {
        Allocation size = of(participant.job());
        Optional<Shortage> shortage = division.raise(participant, size);
        if (shortage.isPresent() && !stays(participant)) {
            waits(participant, new WaitReason.NoRoom(shortage.get()));
            return false;
        }
        participant.explain(new TurnReason(participant.change(), size, asked(participant.job()), order));
        return true;
    }

    private boolean stays(Participant participant) {
        Allocation held = participant.held().min(participant.job().maximum());
        return participant.runs() && division.raise(participant, held).isEmpty();
    }

    private void waits(Participant participant, WaitReason.Cause cause) {
        division.set(participant, Allocation.NONE);
        participant.explain(
                new WaitReason(participant.job().trainsOn(), of(participant.job()), asked(participant.job()), cause));
    }
}
