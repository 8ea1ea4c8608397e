package io.optimus.model.decision;

import io.optimus.model.Allocation;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The job waits for the size that its owner asked for, or for the largest part of it that has room if other jobs
 * release theirs.
 *
 * @param held the tasks that it has now and gives up
 * @param size the size that it waits for
 * @param asked the size that its owner asked for
 * @param cause why it does not get it
 */
public record WaitReason(Allocation held, Allocation size, Allocation asked, Cause cause) implements AllocationReason {
    @Override
    public String sentence() {
        String goal = size.equals(asked)
                ? "the " + asked + " it asked for"
                : size + " (it asked for " + asked + ", and more than this has no room now)";
        return Words.waits(held) + " for " + goal + ": " + cause.words();
    }

    @Override
    public List<ReasonKind> kinds() {
        List<ReasonKind> kinds = List.of(cause.kind());
        return size.equals(asked) ? kinds : Reason.kinds(kinds, ReasonKind.ASKS_TOO_MUCH);
    }

    @Override
    public Optional<Rival> rival() {
        return cause.rival();
    }

    @Override
    public SortedMap<String, Double> figures() {
        return cause.figures();
    }

    /** Why a job does not get the size that it asked for. */
    public sealed interface Cause {
        /** The words that end a sentence. */
        String words();

        /** What the words say. */
        ReasonKind kind();

        /** The job that comes first; empty if there is no single one. */
        default Optional<Rival> rival() {
            return Optional.empty();
        }

        /** The figures behind the words, by name. */
        default SortedMap<String, Double> figures() {
            return Collections.emptySortedMap();
        }
    }

    /** It has no room. */
    public record NoRoom(Shortage shortage) implements Cause {
        @Override
        public String words() {
            return shortage.words();
        }

        @Override
        public ReasonKind kind() {
            return shortage.kind();
        }

        @Override
        public SortedMap<String, Double> figures() {
            return shortage.figures();
        }
    }

    /** Another job comes first, and has no room yet. */
    public record Behind(String job) implements Cause {
        @Override
        public String words() {
            return "job " + job + " comes first and has no room yet";
        }

        @Override
        public ReasonKind kind() {
            return ReasonKind.COMES_LATER;
        }

        @Override
        public Optional<Rival> rival() {
            return Optional.of(Rival.first(job));
        }
    }
}
