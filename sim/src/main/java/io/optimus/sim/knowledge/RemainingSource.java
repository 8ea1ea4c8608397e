package io.optimus.sim.knowledge;

/** From what a scheduler that learns knows how much of a job remains. */
public sealed interface RemainingSource {
    /**
     * From the epochs that its owner declared; of a job of which none are declared, from its loss curve.
     *
     * @param sigma of the log-normal factor by which owners are wrong, drawn once for each job; 0 or more: 0 if none is
     */
    record Declared(double sigma) implements RemainingSource {
        /** Refuses what is no deviation. */
        public Declared {
            if (!(sigma >= 0 && sigma < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("A sigma is 0 or more, got " + sigma);
            }
        }
    }

    /** From its loss curve, as far as that can be fitted. */
    record FromCurve() implements RemainingSource {}

    /** From nothing: the policy has to do without. */
    record Unknown() implements RemainingSource {}
}
