package io.optimus.am.engine;

import io.optimus.model.TrainingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects everything that is wrong in an engine's specification. */
final class SpecCheck {
    /** Beyond this a layer no longer fits the containers that these small models are for. */
    private static final int MAX_HIDDEN = 16_384;

    private final EngineSpec spec;
    private final TrainingMode mode;
    private final List<SpecProblem> problems = new ArrayList<>();

    SpecCheck(EngineSpec spec, TrainingMode mode) {
        this.spec = spec;
        this.mode = mode;
    }

    List<SpecProblem> problems() {
        boolean emulated = spec.engine().equals(Engines.EMULATED);
        if (!Engines.NAMES.contains(spec.engine())) {
            add("engine", "There is no engine '" + spec.engine() + "': use one of " + Engines.NAMES);
        } else if (emulated && spec.emulated() == null) {
            add(
                    "emulated",
                    "Engine emulated needs the engine that it wraps and the terms of its speed: add 'emulated'");
        } else if (!emulated && spec.emulated() != null) {
            add("emulated", "Only the engine emulated is paced: write 'engine: emulated', or leave 'emulated' out");
        }
        if (spec.emulated() != null) {
            checkEmulated(spec.emulated());
        }
        checkModel();
        checkHidden();
        return List.copyOf(problems);
    }

    private void checkModel() {
        String engine = spec.computingEngine();
        if (!Engines.MODELS.contains(spec.model())) {
            add("model", "There is no model '" + spec.model() + "': use one of " + Engines.MODELS);
        } else if (!Engines.models(engine).isEmpty() && !Engines.models(engine).contains(spec.model())) {
            add(
                    "model",
                    "Engine " + engine + " cannot train " + spec.model() + ": use the engine " + Engines.DJL
                            + ", or one of " + Engines.models(engine));
        }
    }

    private void checkHidden() {
        if (!spec.model().equals(Engines.MLP) && !spec.hidden().isEmpty()) {
            add("hidden", "Only the model mlp has hidden layers to choose: leave 'hidden' out");
            return;
        }
        for (int i = 0; i < spec.hidden().size(); i++) {
            @Nullable Integer size = spec.hidden().get(i);
            if (size == null || size < 1 || size > MAX_HIDDEN) {
                add("hidden[" + i + "]", "A hidden layer has 1 to " + MAX_HIDDEN + " units, not " + size);
            }
        }
    }

    private void checkEmulated(EmulatedSpec emulated) {
        if (emulated.engine().equals(Engines.EMULATED) || !Engines.NAMES.contains(emulated.engine())) {
            add(
                    "emulated.engine",
                    "Engine emulated wraps another of " + Engines.NAMES + ", not '" + emulated.engine() + "'");
        }
        checkTerm("secondsPerSample", emulated.secondsPerSample());
        checkTerm("secondsFixed", emulated.secondsFixed());
        checkTerm("secondsPerRatio", emulated.secondsPerRatio());
        checkTerm("secondsPerWorker", emulated.secondsPerWorker());
        checkTerm("secondsPerServer", emulated.secondsPerServer());
        if (mode == TrainingMode.ASYNCHRONOUS && emulated.secondsPerSample() != 0) {
            add(
                    "emulated.secondsPerSample",
                    "In asynchronous training a worker's batch is part of secondsFixed: move "
                            + emulated.secondsPerSample() + " times the batch there");
        }
        if (sum(emulated) == 0) {
            add("emulated", "All terms of the emulated speed are 0: give secondsFixed at least");
        }
    }

    private static double sum(EmulatedSpec emulated) {
        return emulated.secondsPerSample()
                + emulated.secondsFixed()
                + emulated.secondsPerRatio()
                + emulated.secondsPerWorker()
                + emulated.secondsPerServer();
    }

    private void checkTerm(String name, double seconds) {
        if (!(seconds >= 0) || Double.isInfinite(seconds)) {
            add("emulated." + name, name + " must be 0 or more seconds, not " + seconds);
        }
    }

    private void add(String key, String sentence) {
        problems.add(new SpecProblem(key, sentence));
    }
}
