package io.optimus.am.ps;

import io.optimus.am.engine.Optimizer;

/** The arithmetic of an optimizer on a part of a shard: it reads one version and writes the next. */
interface UpdateRule {
    /** Returns the rule of a job's optimizer. */
    static UpdateRule of(Optimizer optimizer) {
        return optimizer.match(SgdRule::new, AdamRule::new, own -> new MeanRule());
    }

    /** The number of floats of state per parameter. */
    int stateSlots();

    /**
     * Applies a gradient to the floats in [from, to).
     *
     * @param gradient that of these floats, from its first element on
     * @param old the version before
     * @param updated the version after; may be {@code old} itself
     */
    void apply(Version old, Version updated, float[] gradient, int from, int to, Update update);

    /**
     * One update of a parameter group.
     *
     * @param number the number of updates so far, this one included
     * @param learningRate step size, 0 or more
     * @param weightDecay L2 penalty, or decay of the parameters, 0 or more
     */
    record Update(long number, double learningRate, double weightDecay) {}

    /**
     * One version of a shard.
     *
     * @param values parameters
     * @param state optimizer state, slot by slot, each as long as the parameters
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Version(float[] values, float[][] state) {
        static Version of(int floats, int slots) {
            return new Version(new float[floats], new float[slots][floats]);
        }
    }

    /** v ← μ·v + g + λ·x; x ← x − η·v (heavy ball, as in PyTorch's SGD). Without momentum, v is not kept. */
    record SgdRule(Optimizer.Sgd settings) implements UpdateRule {
        private static final float[] NONE = {};

        @Override
        public int stateSlots() {
            return settings.momentum() == 0 ? 0 : 1;
        }

        @Override
        public void apply(Version old, Version updated, float[] gradient, int from, int to, Update update) {
            boolean heavy = settings.momentum() != 0;
            float rate = (float) update.learningRate();
            float decay = (float) update.weightDecay();
            float momentum = (float) settings.momentum();
            float[] x = old.values();
            float[] y = updated.values();
            float[] v = heavy ? old.state()[0] : NONE;
            float[] u = heavy ? updated.state()[0] : NONE;
            for (int i = from; i < to; i++) {
                float g = gradient[i - from];
                float velocity = (heavy ? momentum * v[i] + g : g) + decay * x[i];
                if (heavy) {
                    u[i] = velocity;
                }
                y[i] = x[i] - rate * velocity;
            }
        }
    }

    /** Keeps the mean gradient itself, which workers apply by an optimizer of their own. */
    record MeanRule() implements UpdateRule {
        @Override
        public int stateSlots() {
            return 0;
        }

        @Override
        public void apply(Version old, Version updated, float[] gradient, int from, int to, Update update) {
            System.arraycopy(gradient, 0, updated.values(), from, to - from);
        }
    }

    /**
     * Adam (Kingma and Ba, ICLR 2015, algorithm 1, with the bias corrections folded into the step size) and AdamW (Loshchilov
     * and Hutter, ICLR 2019, algorithm 2, as in PyTorch), which first takes x ← x − η·λ·x instead of adding λ·x to g.
     */
    record AdamRule(Optimizer.Adam settings) implements UpdateRule {
        @Override
        public int stateSlots() {
            return 2;
        }

        @Override
        public void apply(Version old, Version updated, float[] gradient, int from, int to, Update update) {
            float b1 = (float) settings.beta1();
            float b2 = (float) settings.beta2();
            float penalty = settings.decoupled() ? 0 : (float) update.weightDecay();
            float kept = settings.decoupled() ? (float) (1 - update.learningRate() * update.weightDecay()) : 1;
            double power = (double) update.number();
            double rootOfCorrection2 = Math.sqrt(1 - Math.pow(settings.beta2(), power));
            float rate = (float) (update.learningRate() * rootOfCorrection2 / (1 - Math.pow(settings.beta1(), power)));
            float epsilon = (float) (settings.epsilon() * rootOfCorrection2);
            float[] x = old.values();
            float[] m = old.state()[0];
            float[] v = old.state()[1];
            float[] mean = updated.state()[0];
            float[] variance = updated.state()[1];
            for (int i = from; i < to; i++) {
                float g = gradient[i - from] + penalty * x[i];
                mean[i] = b1 * m[i] + (1 - b1) * g;
                variance[i] = b2 * v[i] + (1 - b2) * g * g;
                updated.values()[i] = kept * x[i] - rate * mean[i] / ((float) Math.sqrt(variance[i]) + epsilon);
            }
        }
    }
}
