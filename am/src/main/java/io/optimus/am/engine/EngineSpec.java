package io.optimus.am.engine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which engine trains which model. The checks of the job file refuse combinations that cannot run.
 *
 * @param engine one of {@link Engines#NAMES}, {@link Engines#PYTHON}, or that of {@link #COMMAND}
 * @param model one of {@link Engines#MODELS}; for {@code python} the name of the program
 * @param hidden sizes of an {@code mlp}'s hidden layers, first to last; empty for softmax regression and for every other
 *     model
 * @param emulated the engine that {@code emulated} wraps and its pace; null for every other engine
 * @param program the owner's program, for {@code python}; null for every other engine
 */
public record EngineSpec(
        String engine,
        String model,
        List<Integer> hidden,
        @Nullable EmulatedSpec emulated,
        @Nullable ProgramSpec program) {
    /** Commands of the owner train by themselves. */
    public static final EngineSpec COMMAND = new EngineSpec("command", "command", List.of(), null, null);

    public EngineSpec {
        hidden = List.copyOf(hidden);
    }

    /** An owner's program computes gradients. */
    public static EngineSpec of(ProgramSpec program) {
        return new EngineSpec(Engines.PYTHON, program.main().name(), List.of(), null, program);
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
