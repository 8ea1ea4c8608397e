package io.optimus.am.coordinator;

import io.optimus.am.engine.Optimizer;
import io.optimus.am.engine.ParameterBlock;
import io.optimus.am.engine.ProgramSettings;
import io.optimus.am.wire.Message.WorkerReady;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Compares what two workers say of their model, data and program. All workers of a job must say the same. */
final class WorkerAgreement {
    private WorkerAgreement() {}

    /** Returns the first difference in words; empty if there is none. */
    static Optional<String> difference(WorkerReady worker, WorkerReady others) {
        return blocks(worker.blocks(), others.blocks())
                .or(() -> different("number of training samples", worker.trainingSamples(), others.trainingSamples()))
                .or(() -> program(worker.program(), others.program()));
    }

    private static Optional<String> blocks(List<ParameterBlock> worker, List<ParameterBlock> others) {
        if (worker.size() != others.size()) {
            return Optional.of("its model differs from the other workers': " + worker.size() + " tensors, theirs has "
                    + others.size());
        }
        for (int i = 0; i < worker.size(); i++) {
            if (!worker.get(i).equals(others.get(i))) {
                return Optional.of("its model differs from the other workers': tensor " + i + " is " + worker.get(i)
                        + ", theirs is " + others.get(i));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> program(Optional<ProgramSettings> worker, Optional<ProgramSettings> others) {
        if (worker.isEmpty() || others.isEmpty()) {
            return different("program", worker.isPresent(), others.isPresent());
        }
        ProgramSettings mine = worker.get();
        ProgramSettings theirs = others.get();
        return different("batch", mine.batch(), theirs.batch())
                .or(() -> different("number of epochs", mine.epochs(), theirs.epochs()))
                .or(() -> different("number of parameter groups", mine.groups(), theirs.groups()))
                .or(() -> different("optimizer", rule(mine.optimizer()), rule(theirs.optimizer())));
    }

    /** The optimizer with all that does not travel with pushes. */
    private static String rule(Optimizer optimizer) {
        return optimizer.match(
                sgd -> "SGD with momentum " + sgd.momentum(),
                adam -> (adam.decoupled() ? "AdamW" : "Adam") + " with betas " + adam.beta1() + " and " + adam.beta2()
                        + " and epsilon " + adam.epsilon(),
                Optimizer.Own::name);
    }

    private static Optional<String> different(String what, Object mine, Object theirs) {
        return Objects.equals(mine, theirs)
                ? Optional.empty()
                : Optional.of("its " + what + " differs from the other workers': " + mine + ", theirs: " + theirs
                        + "; every worker must run the same program on the same data");
    }
}
