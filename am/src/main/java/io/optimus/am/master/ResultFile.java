package io.optimus.am.master;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.job.JobSpec;
import io.optimus.am.master.journal.JournalFields;
import io.optimus.am.master.page.StatusView;
import io.optimus.model.convergence.StopRule;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** How a job ended, for programs: {@code result.json} in its output folder. Unknown figures are null. */
final class ResultFile {
    static final String NAME = "result.json";

    private ResultFile() {}

    static byte[] write(StatusView view, AttemptOutcome outcome) {
        Map<String, Object> fields = new LinkedHashMap<>();
        JobSpec spec = view.job().spec();
        fields.put("id", view.job().applicationId());
        fields.put("name", spec.name());
        fields.put("mode", spec.mode().name().toLowerCase(Locale.ROOT));
        fields.put("paced", spec.paced());
        fields.put("succeeded", outcome.succeeded());
        fields.put("diagnostics", outcome.diagnostics());
        fields.put("completionSeconds", (view.atMillis() - view.job().submittedMillis()) / 1000.0);
        fields.put("converged", false);
        for (String unknown : List.of(
                "reason",
                "steps",
                "epochs",
                "finalLoss",
                "heldOutLoss",
                "heldOutAccuracy",
                "heldOutSamples",
                "model")) {
            fields.put(unknown, null);
        }
        view.result().map(JournalFields::result).ifPresent(fields::putAll);
        fields.put("maxEpochs", boxed(stop(view).maxEpochs()));
        fields.put(
                "targetAccuracy",
                spec.targetAccuracy().isPresent() ? spec.targetAccuracy().getAsDouble() : null);
        fields.put("metrics", view.history().metrics());
        fields.put(
                "batch",
                view.training().progress().batch().map(JournalFields::batch).orElse(null));
        fields.put(
                "resizes",
                view.history().resizes().stream().map(JournalFields::resize).toList());
        fields.put("survivingTasksRestarted", view.history().restartedTasks());
        fields.put("lostTasks", view.history().lostTasks());
        fields.put("stepsRedone", view.history().survived().stepsRedone());
        fields.put("stalledMillis", view.history().survived().stalledMillis());
        fields.put("longestStallMillis", view.history().survived().longestStallMillis());
        fields.put("attempt", view.job().attempt());
        fields.put("resumed", spec.resumes().orElse(null));
        try {
            String json = new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(fields);
            return (json + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A result of numbers and texts cannot fail to be written", e);
        }
    }

    /** When the job would end at the latest: by its file or by its program. */
    private static StopRule stop(StatusView view) {
        StopRule rule = view.job().spec().stop();
        return view.training().program().map(program -> program.stop(rule)).orElse(rule);
    }

    private static @Nullable Integer boxed(OptionalInt number) {
        return number.isPresent() ? number.getAsInt() : null;
    }
}
