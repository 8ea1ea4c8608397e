package io.optimus.model.policy;

import io.optimus.model.Role;
import io.optimus.model.policy.AllocationReason.Compared;
import io.optimus.model.policy.AllocationReason.Lack;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The greedy loop: while anything gains, the job with the largest gain gets its task. */
final class Growing {
    private final Division division;
    private final PriorityQueue<Grower> queue;
    private final Map<String, Takers> takers = new HashMap<>();

    Growing(Division division) {
        this.division = division;
        this.queue = new PriorityQueue<>(
                Comparator.comparingDouble(Grower::gain).reversed().thenComparing(Grower::job, Precedence.BY_AGE));
    }

    void grow(List<Grower> growers) {
        growers.forEach(this::enqueue);
        while (!queue.isEmpty()) {
            Grower best = queue.remove();
            Optional<Lack> lack = division.raise(best.contender(), best.grown());
            if (lack.isEmpty()) {
                noteTaker(best);
                best.took(queue.peek());
            } else {
                best.lacks(lack.get(), taker(best, lack.get()));
            }
            enqueue(best);
        }
        growers.forEach(Grower::explain);
    }

    /** A task without room is dropped, not its job and not the loop. */
    private void enqueue(Grower grower) {
        grower.chooseNext();
        if (grower.gain() > 0) {
            queue.add(grower);
        }
    }

    private void noteTaker(Grower grower) {
        Taker taker = new Taker(grower.job().id(), grower.gain());
        for (Role role : Role.values()) {
            if (grower.tasksOfNext().count(role) > 0) {
                for (String resource : grower.contender().task(role).resources()) {
                    takers.computeIfAbsent(resource, name -> new Takers()).add(taker);
                }
            }
        }
    }

    /** Who gained as much from the last of what lacks, if it was not there for the minimums alone. */
    private Optional<Compared> taker(Grower grower, Lack lack) {
        return lack instanceof Lack.OfResource of
                ? Optional.ofNullable(takers.get(of.resource()))
                        .flatMap(all -> all.otherThan(grower.job().id()))
                        .filter(taker -> taker.gain() >= grower.gain())
                        .map(taker -> new Compared(taker.job(), Grower.ratio(taker.gain(), grower.gain())))
                : Optional.empty();
    }

    /** Who took some of a resource, and what he gained per share. */
    private record Taker(String job, double gain) {}

    /** The last one, and the last one before him that was another job. */
    private static final class Takers {
        private @Nullable Taker last;
        private @Nullable Taker before;

        void add(Taker taker) {
            if (last != null && !last.job().equals(taker.job())) {
                before = last;
            }
            last = taker;
        }

        Optional<Taker> otherThan(String job) {
            return Optional.ofNullable(last != null && last.job().equals(job) ? before : last);
        }
    }
}
