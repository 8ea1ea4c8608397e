package io.optimus.sim.knowledge;

import java.util.function.Function;
import java.util.function.Supplier;

/** The source from which a scheduler that learns takes the remaining steps of a job. */
public sealed interface RemainingSource {
    /** Returns the result of the function for this case. */
    <T> T match(Function<Declared, T> declared, Supplier<T> fromCurve, Supplier<T> unknown);

    /**
     * Remaining steps follow from the epochs that the job's owner declared, or from its loss curve if the workload
     * declares none.
     *
     * @param sigma sigma of the log-normal factor by which owners are wrong, drawn once for each job; 0 if they are
     *     right
     */
    record Declared(double sigma) implements RemainingSource {
        /** Throws if sigma is negative or not finite. */
        public Declared {
            if (!(sigma >= 0 && sigma < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("Sigma must be 0 or more and finite, got " + sigma);
            }
        }

        @Override
        public <T> T match(Function<Declared, T> declared, Supplier<T> fromCurve, Supplier<T> unknown) {
            return declared.apply(this);
        }
    }

    /** Remaining steps follow from the job's loss curve, if that can be fitted. */
    record FromCurve() implements RemainingSource {
        @Override
        public <T> T match(Function<Declared, T> declared, Supplier<T> fromCurve, Supplier<T> unknown) {
            return fromCurve.get();
        }
    }

    /** The remaining steps stay unknown. */
    record Unknown() implements RemainingSource {
        @Override
        public <T> T match(Function<Declared, T> declared, Supplier<T> fromCurve, Supplier<T> unknown) {
            return unknown.get();
        }
    }
}
