package io.optimus.model.policy;

import io.optimus.model.Allocation;
import io.optimus.model.Words;
import java.util.Optional;

/**
 * It gets the size that its owner asked for, whole, as it is its turn; or goes on with what it has, where that has no room.
 *
 * @param sizing what it gets
 * @param asked the size that it is to be given
 * @param nearness how near to its end it is; empty where that does not matter
 */
public record InTurn(AllocationReason.Sizing sizing, Allocation asked, Optional<Nearness> nearness)
        implements AllocationReason {
    @Override
    public String sentence() {
        return sizing.words() + ": "
                + (sizing.to().equals(asked) ? "that is the size it asked for" : "it is to have " + asked)
                + nearness.map(Nearness::words).orElse("");
    }

    /**
     * How near a job is to its end.
     *
     * @param seconds to its end on the size that it asked for, with what a start costs; infinite where it does not step
     * @param nearer how many jobs come before it
     */
    public record Nearness(double seconds, int nearer) {
        String words() {
            String before = nearer == 0
                    ? "no job comes before it"
                    : nearer + (nearer == 1 ? " job comes" : " jobs come") + " before it";
            return "; with " + Words.seconds(seconds) + " to go, " + before;
        }
    }
}
