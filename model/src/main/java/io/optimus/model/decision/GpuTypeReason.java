package io.optimus.model.decision;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** Why the job is on its type of GPU, to be read after the policy's reason. */
public sealed interface GpuTypeReason extends Reason {
    @Override
    default List<ReasonKind> kinds() {
        return List.of(ReasonKind.GPU_TYPE);
    }

    /** It is on the type, or can use no other. */
    record On(String type) implements GpuTypeReason {
        @Override
        public String sentence() {
            return "on " + type;
        }
    }

    /** Of all types, this one makes it fastest. */
    record Fastest(String type) implements GpuTypeReason {
        @Override
        public String sentence() {
            return "on " + type + ", where it is fastest with an equal share";
        }
    }

    /** Of the types that have room for its minimum beside those of the others, this one makes it fastest. */
    record WithRoom(String type) implements GpuTypeReason {
        @Override
        public String sentence() {
            return "on " + type + ", where its minimum has room";
        }
    }

    /** It changes to a faster type. */
    record Changed(String type, String from, double secondsSaved) implements GpuTypeReason {
        @Override
        public String sentence() {
            return "on " + type + " instead of " + from + ", which saves it " + Words.seconds(secondsSaved);
        }

        @Override
        public SortedMap<String, Double> figures() {
            return new Figures().with("secondsSavedByGpuType", secondsSaved).all();
        }
    }

    /** No node has a type that it accepts; it accepts any if {@code accepted} is empty. */
    record NoSuchNode(SortedSet<String> accepted) implements GpuTypeReason {
        public NoSuchNode {
            accepted = Collections.unmodifiableSortedSet(new TreeSet<>(accepted));
        }

        @Override
        public String sentence() {
            return accepted.isEmpty()
                    ? "no node has GPUs, which it needs"
                    : "no node has GPUs of a type that it accepts (" + String.join(" or ", accepted) + ")";
        }
    }
}
