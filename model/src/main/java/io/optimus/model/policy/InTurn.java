package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.Words;
import java.util.Optional;

/**
 * It gets the size that its owner asked for, whole, as it is its turn; or goes on with what it has, where that has no room.
 *
 * @param sizing what it gets
 * @param asked the size that it is to be given
 * @param standing why it is its turn; empty where jobs are served as they come
 */
public record InTurn(AllocationReason.Sizing sizing, Allocation asked, Optional<Standing> standing)
        implements AllocationReason {
    @Override
    public String sentence() {
        return sizing.words() + ": "
                + (sizing.to().equals(asked) ? "that is the size it asked for" : "it is to have " + asked)
                + standing.map(why -> "; " + why.words()).orElse("");
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
