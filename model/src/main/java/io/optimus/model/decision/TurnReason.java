package io.optimus.model.decision;

import io.optimus.model.Allocation;
import java.util.Optional;

/**
 * It gets the size that its owner asked for, whole, as it is its turn; or goes on with what it has, where that has no room.
 *
 * @param sizing what it gets
 * @param size that it is to be given
 * @param asked the size that its owner asked for; more than {@code size} where that would never have room
 * @param standing why it is its turn; empty where jobs are served as they come
 */
public record TurnReason(SizeChange sizing, Allocation size, Allocation asked, Optional<Standing> standing)
        implements AllocationReason {
    @Override
    public String sentence() {
        return sizing.words() + ": " + turn()
                + standing.map(why -> "; " + why.words()).orElse("");
    }

    private String turn() {
        if (!sizing.to().equals(size)) {
            return "it is to have " + size;
        }
        return size.equals(asked)
                ? "that is the size it asked for"
                : "that is the most that there ever is room for of the " + asked + " it asked for";
    }

    /** Why it is whose turn. */
    public sealed interface Standing {
        /** As a part of a sentence. */
        String words();
    }

    /**
     * How near a job is to its end.
     *
     * @param seconds to its end on the size that it asked for, with what a start costs; infinite where it does not step
     * @param nearer how many jobs come before it
     */
    public record Nearness(double seconds, int nearer) implements Standing {
        @Override
        public String words() {
            String toGo = Double.isFinite(seconds) ? Words.seconds(seconds) + " to go" : "no end in sight";
            return "with " + toGo + ", " + behind(nearer);
        }
    }

    /**
     * What a job had so far.
     *
     * @param gpuSeconds GPUs that it held, summed over time
     * @param threshold at which it falls behind those that had less
     * @param served how many jobs come before it
     */
    public record AttainedService(double gpuSeconds, double threshold, int served) implements Standing {
        @Override
        public String words() {
            String side = gpuSeconds < threshold ? "less than the " : "at least the ";
            return "it had " + Words.number(gpuSeconds) + " GPU-seconds, " + side + Words.number(threshold)
                    + " at which a job falls behind the others; " + behind(served);
        }
    }

    private static String behind(int jobs) {
        return jobs == 0 ? "no job comes before it" : jobs + (jobs == 1 ? " job comes" : " jobs come") + " before it";
    }
}
