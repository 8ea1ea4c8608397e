package io.optimus.am.engine;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which engine trains which model: what a job file says, and what the ApplicationMaster hands to its workers.
 *
 * <p>Checked as a whole by {@link Engines#problems}; the record itself refuses nothing, so that all problems can be
 * reported at once.
 *
 * @param engine one of {@link Engines#NAMES}
 * @param model one of {@link Engines#models}
 * @param hidden sizes of an {@code mlp}'s hidden layers, first to last; empty for softmax regression and for every other
 *     model; absent: one layer of 64
 * @param emulated what the engine {@code emulated} wraps and how it is paced; absent for every other engine
 */
public record EngineSpec(String engine, String model, List<Integer> hidden, @Nullable EmulatedSpec emulated) {
    /** Fills in what is absent: no name becomes an empty one, which no engine and no model has. */
    public EngineSpec {
        engine = Objects.requireNonNullElse(engine, "");
        model = Objects.requireNonNullElse(model, "");
        hidden = Objects.requireNonNullElse(hidden, Engines.MLP.equals(model) ? List.of(64) : List.<Integer>of());
    }

    /** A multilayer perceptron with {@code hidden} layers on {@code engine}. */
    public static EngineSpec mlp(String engine, Integer... hidden) {
        return new EngineSpec(engine, Engines.MLP, List.of(hidden), null);
    }

    /** A convolutional {@code model} on {@code engine}. */
    public static EngineSpec of(String engine, String model) {
        return new EngineSpec(engine, model, List.of(), null);
    }

    /** The same model on the same engine, paced as {@code pace} says (its engine is overwritten by this one). */
    public EngineSpec paced(EmulatedSpec pace) {
        return new EngineSpec(Engines.EMULATED, model, hidden, pace.wrapping(engine));
    }

    /** Whether a worker needs PyTorch's native libraries. */
    public boolean needsNativeLibraries() {
        return Engines.DJL.equals(computingEngine());
    }

    /** The engine that computes gradients: this one, or what the emulated one wraps. */
    public String computingEngine() {
        return emulated != null && Engines.EMULATED.equals(engine) ? emulated.engine() : engine;
    }
}
