package io.optimus.model.policy.division;

import io.optimus.model.Allocation;
import io.optimus.model.decision.Shortage;
import io.optimus.model.decision.TurnReason;
import io.optimus.model.decision.WaitReason;
import io.optimus.model.job.JobSnapshot;
import java.util.Comparator;
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
 * <p>A job that asked for more than would have room if it were alone would wait for ever. It gets as many of its workers as
 * have room, and parameter servers in proportion. A running job without room for what it asked for keeps its size, if that has
 * room.
 *
 * <p>Example: 10 nodes of 4 GPUs, and a job that asks for 48 workers: it runs on 40.
 */
public final class RequestedSizes {
    private final Division division;
    private final Map<String, Allocation> sizes = new HashMap<>();
    private final Set<String> tooLarge = new HashSet<>();

    /** Nothing of {@code division} was given yet; jobs that may not shrink keep what they hold. */
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

    /** The size that the owner asked for, within the limits of the job. */
    private static Allocation asked(JobSnapshot job) {
        return job.requested().max(job.minimum()).min(job.maximum());
    }

    /** The most of {@code asked} that has room, at least the minimum: more workers never have room if fewer have none. */
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

    /** The part of {@code asked} with {@code workers} workers and as many servers for each. */
    private static Allocation part(Allocation asked, int workers) {
        long servers = ((long) asked.parameterServers() * workers + asked.workers() - 1) / asked.workers();
        return new Allocation((int) servers, workers);
    }

    /** The size that the job is to get. */
    public Allocation of(JobSnapshot job) {
        return sizes.getOrDefault(job.id(), job.minimum());
    }

    /** A job without room holds up the jobs behind it that do not run yet, unless its minimum will never have room. */
    public void giveInOrder(Comparator<Participant> byTurn) {
        Optional<String> holdsUp = Optional.empty();
        for (Participant participant :
                division.participants().stream().sorted(byTurn).toList()) {
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

    /**
     * A job without room waits, and the jobs behind it take what it leaves.
     *
     * @param byTurn the order in which jobs get their sizes
     * @param orders why it is the turn of a job, given how many jobs come before it
     */
    public void giveWhereItFits(
            Comparator<JobSnapshot> byTurn, BiFunction<JobSnapshot, Integer, TurnReason.Order> orders) {
        List<Participant> order = division.participants().stream()
                .sorted(Comparator.comparing(Participant::job, byTurn))
                .toList();
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
