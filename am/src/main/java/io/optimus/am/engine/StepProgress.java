package io.optimus.am.engine;

/**
 * What an engine tells of a step while it computes it, so that finished parts of the gradient are on their way to the servers
 * while others are still computed. An engine may tell none of these, or the loss alone; what it has not told is true when its
 * step returns. The thread that computes the step calls these methods.
 */
public interface StepProgress {
    /** Nobody uses what the engine tells. */
    StepProgress IGNORED = new StepProgress() {
        @Override
        public void lossKnown(double loss) {}

        @Override
        public void gradientFrom(int from) {}

        @Override
        public void parametersRead() {}
    };

    /**
     * The forward pass is over. Told once, before what follows. May wait until it is decided whether training goes on.
     *
     * @param loss the mean loss over the step's samples, which the step will return; {@link TrainingEngine#groupSettings()} are those
     *     of this step from here on
     */
    void lossKnown(double loss);

    /**
     * A stretch of the gradient is final.
     *
     * @param from the floats from here to the end of the vector do not change any more until the next step; never more than told
     *     before
     */
    void gradientFrom(int from);

    /** The step does not read the parameters any more, so that the next ones may take their place. */
    void parametersRead();
}
