package io.optimus.yarn.budget;

import io.optimus.model.cluster.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The order in which YARN serves the applications of a leaf queue.
 *
 * <p>{@code FIFO}: larger priority first, then earlier submission. A job that waits claims its minimum in this order. Beyond
 * its minimum it comes after the ordinary applications of its priority, whoever was submitted first, because it can go on with
 * less; but before those of smaller priorities.
 *
 * <p>{@code FAIR}: the application that holds the least memory first, so that those which want more hold equal amounts in the
 * end. A job claims its tasks in this order, too.
 *
 * <p>Example: a job with a minimum of 2 and a maximum of 8 GPUs, and an ordinary application that holds nothing and requests 16,
 * of the same priority. With {@code FIFO} the job claims 2, then the application 16, then the job 6. With {@code FAIR} they
 * claim one GPU in turn.
 */
public enum ServingOrder {
    FIFO,
    FAIR;

    /** The number of parts in which an application's claim is served in turn with others. */
    private static final int PARTS = 64;

    /**
     * What an application is served next, as far as there is room.
     *
     * @param training whether it is for tasks of a training application
     * @param whole whether less than all of it is of no use
     */
    record Claim(String user, boolean training, Resources amount, boolean whole) {}

    /**
     * The claims of {@code applications} beyond what they hold and what running jobs need to go on.
     *
     * @param applications in order of submission
     * @param total what there is in sum
     */
    List<Claim> claims(List<ApplicationDemand> applications, Resources total) {
        return switch (this) {
            case FIFO -> byPriority(applications);
            case FAIR -> inTurn(applications, total, false);
        };
    }

    /** The same, but what ordinary applications hold is claimed like what they request. */
    List<Claim> claimsAsTasksEnd(List<ApplicationDemand> applications, Resources total) {
        return switch (this) {
            case FIFO -> byPriority(applications);
            case FAIR -> inTurn(applications, total, true);
        };
    }

    /** Whether room goes to other applications of a user when a task of his ends. */
    boolean takesTurns() {
        return this == FAIR;
    }

    private static List<Claim> byPriority(List<ApplicationDemand> applications) {
        SortedMap<Integer, List<ApplicationDemand>> classes = new TreeMap<>(Comparator.reverseOrder());
        applications.forEach(application -> classes.computeIfAbsent(application.priority(), same -> new ArrayList<>())
                .add(application));
        List<Claim> claims = new ArrayList<>();
        for (Collection<ApplicationDemand> sameClass : classes.values()) {
            for (ApplicationDemand application : sameClass) {
                ApplicationDemand.Training tasks = application.tasks();
                claims.add(new Claim(application.user(), false, application.pending(), false));
                claims.add(new Claim(
                        application.user(),
                        true,
                        tasks.minimum().minus(tasks.running()).max(Resources.NONE),
                        true));
            }
            for (ApplicationDemand application : sameClass) {
                ApplicationDemand.Training tasks = application.tasks();
                claims.add(new Claim(
                        application.user(),
                        true,
                        tasks.maximum().minus(tasks.minimum().max(tasks.running())),
                        false));
            }
        }
        return claims;
    }

    private static List<Claim> inTurn(List<ApplicationDemand> applications, Resources total, boolean asTasksEnd) {
        PriorityQueue<Turn> turns = new PriorityQueue<>();
        for (int i = 0; i < applications.size(); i++) {
            ApplicationDemand application = applications.get(i);
            ApplicationDemand.Training tasks = application.tasks();
            boolean training = application.training().isPresent();
            Resources before = (training || !asTasksEnd ? application.used() : Resources.NONE).plus(tasks.running());
            Resources wanted = training
                    ? tasks.maximum().minus(tasks.running())
                    : application.pending().plus(asTasksEnd ? application.used() : Resources.NONE);
            turns.add(new Turn(i, application.user(), training, memory(before), wanted.min(total), 0));
        }
        List<Claim> claims = new ArrayList<>();
        applications.stream()
                .filter(application -> application.training().isPresent())
                .forEach(job -> claims.add(new Claim(
                        job.user(), false, job.pending().plus(asTasksEnd ? job.used() : Resources.NONE), false)));
        while (!turns.isEmpty()) {
            Turn turn = turns.remove();
            if (turn.part() < PARTS) {
                claims.add(new Claim(turn.user(), turn.training(), turn.next(), false));
                turns.add(turn.served());
            }
        }
        return claims;
    }

    private static long memory(Resources resources) {
        return resources.amount(Resources.MEMORY_MB);
    }

    /** An application that waits for its turn; {@code part} parts of what it wants were served. */
    private record Turn(int index, String user, boolean training, long heldMemoryMb, Resources wanted, int part)
            implements Comparable<Turn> {
        Resources next() {
            return upTo(part + 1).minus(upTo(part));
        }

        Turn served() {
            return new Turn(index, user, training, heldMemoryMb, wanted, part + 1);
        }

        private Resources upTo(int parts) {
            Map<String, Long> amounts = new HashMap<>();
            wanted.amounts().forEach((name, amount) -> amounts.put(name, amount * parts / PARTS));
            return Resources.of(amounts);
        }

        @Override
        public int compareTo(Turn other) {
            int byMemory = Long.compare(
                    heldMemoryMb + memory(upTo(part)), other.heldMemoryMb + memory(other.upTo(other.part)));
            return byMemory != 0 ? byMemory : Integer.compare(index, other.index);
        }
    }
}
