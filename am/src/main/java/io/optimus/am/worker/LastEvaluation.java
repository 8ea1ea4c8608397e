package io.optimus.am.worker;

import io.optimus.am.engine.Evaluation;
import io.optimus.am.engine.ProgramOutput;
import io.optimus.am.engine.WorkerEngine;
import io.optimus.am.wire.CoordinatorConnection;
import io.optimus.am.wire.Message;
import io.optimus.am.wire.files.OutputClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a worker does with the final parameters. */
final class LastEvaluation {
    private static final Logger LOG = LoggerFactory.getLogger(LastEvaluation.class);

    private LastEvaluation() {}

    /** Evaluates, and sends the files that the engine's program left. */
    static void run(WorkerEngine engine, CoordinatorConnection coordinator) {
        Optional<Evaluation> evaluation = engine.evaluate();
        coordinator.send(new Message.Evaluated(evaluation, sendOutput(engine.output(), coordinator)));
    }

    /** Returns what went wrong, which does not fail the job. */
    private static List<String> sendOutput(ProgramOutput output, CoordinatorConnection coordinator) {
        List<String> warnings = new ArrayList<>(output.warnings());
        try {
            if (output.folder().isPresent()) {
                warnings.addAll(OutputClient.send(coordinator, output.folder().get(), OutputClient.LIMITS));
            }
        } catch (IOException e) {
            warnings.add("The program's files could not be kept: " + e);
        }
        warnings.forEach(LOG::warn);
        return warnings;
    }
}
