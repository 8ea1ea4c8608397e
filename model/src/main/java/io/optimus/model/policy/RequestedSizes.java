package io.optimus.model.policy;

import io.optimus.model.Allocation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
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
final class RequestedSizes {
    private final Division division;
    private final Map<String, Allocation> sizes = new HashMap<>();
    private final Set<String> tooLarge = new HashSet<>();

    /** Of a division of which nothing was given yet; what may not shrink is kept. */
    RequestedSizes(Division division) {
        this.division = division;
        division.contenders().forEach(this::chooseSize);
        division.keepWhatMayNotShrink();
    }

    private void chooseSize(Contender contender) {
        JobSnapshot job = contender.job();
        Allocation asked = asked(job);
        Allocation size = division.hasRoom(contender, asked) ? asked : mostOf(asked, contender);
        sizes.put(job.id(), size);
        if (!division.hasRoom(contender, size)) {
            tooLarge.add(job.id());
        }
    }

    /** Within its limits. */
    private static Allocation asked(JobSnapshot job) {
        return job.requested().max(job.minimum()).min(job.maximum());
    }

    /** The most of {@code asked} that has room, at least the minimum: more workers never have room where fewer have none. */
    private Allocation mostOf(Allocation asked, Contender contender) {
        Allocation minimum = contender.job().minimum();
        Allocation size = minimum;
        int tooMany = asked.workers();
        while (tooMany - size.workers() > 1) {
            int workers = (size.workers() + tooMany) >>> 1;
            Allocation part = part(asked, workers).max(minimum);
            if (division.hasRoom(contender, part)) {
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
    Allocation of(JobSnapshot job) {
        return sizes.getOrDefault(job.id(), job.minimum());
    }

    /** Whoever has no room holds up those behind him that do not run yet, unless not even his minimum ever has room. */
    void giveInOrder(List<Contender> order) {
        Optional<String> holdsUp = Optional.empty();
        for (Contender contender : order) {
            if (holdsUp.isPresent() && !contender.runs()) {
                waits(contender, new WaitsForTurn.Behind(holdsUp.get()));
                continue;
            }
            boolean given = give(contender, Optional.empty());
            if (!given && !tooLarge.contains(contender.job().id())) {
                holdsUp = holdsUp.or(() -> Optional.of(contender.job().id()));
            }
        }
    }

    /** Whoever has no room waits, and those behind him take what he leaves; {@code standings} of a job and those before. */
    void giveWhereItFits(List<Contender> order, BiFunction<JobSnapshot, Integer, InTurn.Standing> standings) {
        for (int before = 0; before < order.size(); before++) {
            Contender contender = order.get(before);
            give(contender, Optional.of(standings.apply(contender.job(), before)));
        }
    }

    private boolean give(Contender contender, Optional<InTurn.Standing> standing) {
        Allocation size = of(contender.job());
        Optional<Lack> lack = division.raise(contender, size);
        if (lack.isPresent() && !stays(contender)) {
            waits(contender, new WaitsForTurn.NoRoom(lack.get()));
            return false;
        }
        contender.explain(new InTurn(contender.sizing(OptionalDouble.empty()), size, asked(contender.job()), standing));
        return true;
    }

    private boolean stays(Contender contender) {
        Allocation held = contender.held().min(contender.job().maximum());
        return contender.runs() && division.raise(contender, held).isEmpty();
    }

    private void waits(Contender contender, WaitsForTurn.Cause cause) {
        division.set(contender, Allocation.NONE);
        contender.explain(
                new WaitsForTurn(contender.job().trainsOn(), of(contender.job()), asked(contender.job()), cause));
    }
}
