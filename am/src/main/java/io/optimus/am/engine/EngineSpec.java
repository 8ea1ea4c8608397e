package io.optimus.am.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which engine trains which model. The checks of the job file refuse combinations that cannot run.
 *
 * @param engine one of {@link Engines#NAMES}
 * @param model one of {@link Engines#MODELS}
 * @param hidden sizes of an {@code mlp}'s hidden layers, first to last; empty for softmax regression and for every other
 *     model
 * @param emulated the engine that {@code emulated} wraps and its pace; null for every other engine
 */
public record EngineSpec(String engine, String model, List<Integer> hidden, @Nullable EmulatedSpec emulated) {
    public EngineSpec {
        hidden = List.copyOf(hidden);
    }

    /** Whether a worker needs PyTorch's native libraries. */
    public boolean needsNativeLibraries() {
        return Engines.DJL.equals(computingEngine());
    }

    /** The engine that computes gradients: this one, or the one that the emulated engine wraps. */
    public String computingEngine() {
        return emulated == null ? engine : emulated.engine();
    }
}
