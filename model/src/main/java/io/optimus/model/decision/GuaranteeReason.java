package io.optimus.model.decision;

/**
 * It was given its part before others grew, whatever it is worth to them.
 *
 * @param sizing what it gets
 * @param ground why it comes first
 */
public record GuaranteeReason(SizeChange sizing, Ground ground) implements AllocationReason {
    @Override
    public String sentence() {
        return sizing.words() + ": " + ground.words();
    }

    /** Why a job comes before others. */
    public sealed interface Ground {
        /** As the end of a sentence. */
        String words();
    }

    /** Nothing is known of its speed: that is found out first. */
    public record MeasuredFirst() implements Ground {
        @Override
        public String words() {
            return "its speed is measured there before it grows";
        }
    }

    /**
     * Its tasks are free sooner than it could be stopped and begin again.
     *
     * @param restSeconds that it still takes
     * @param resizeCostSeconds that it takes to begin again
     */
    public record SoonEnds(double restSeconds, double resizeCostSeconds) implements Ground {
        @Override
        public String words() {
            return "it ends in " + Words.number(restSeconds) + " s, and would take " + Words.number(resizeCostSeconds)
                    + " s to begin again if it were stopped";
        }
    }

    /** Others are of smaller priority. */
    public record Preferred(int priority) implements Ground {
        @Override
        public String words() {
            return "its priority of " + priority + " comes before smaller ones";
        }
    }

    /**
     * It has run too little for its age.
     *
     * @param ranSeconds workers times seconds
     * @param dueSeconds workers times seconds that a job of its age is owed
     */
    public record Owed(double ranSeconds, double dueSeconds) implements Ground {
        @Override
        public String words() {
            return "it ran " + Words.number(ranSeconds) + " worker-seconds of the " + Words.number(dueSeconds)
                    + " that every job of its age is owed";
        }
    }
}
