package io.optimus.am.master;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.master.journal.JournalFields;
import io.optimus.am.master.page.StatusView;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How a job ended, for programs: {@code result.json} in its output folder. Figures that there are not are null. */
final class ResultFile {
    static final String NAME = "result.json";

    private ResultFile() {}

    static byte[] write(StatusView view, AttemptOutcome outcome) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", view.applicationId());
        fields.put("name", view.spec().name());
        fields.put("mode", view.spec().mode().name().toLowerCase(Locale.ROOT));
        fields.put("paced", view.spec().paced());
        fields.put("succeeded", outcome instanceof AttemptOutcome.Trained);
        fields.put("diagnostics", outcome.diagnostics());
        fields.put("completionSeconds", (view.atMillis() - view.startedMillis()) / 1000.0);
        fields.put("converged", false);
        fields.put("finalLoss", null);
        fields.put("heldOutAccuracy", null);
        view.result().map(JournalFields::result).ifPresent(fields::putAll);
        fields.put(
                "resizes",
                view.story().resizes().stream().map(JournalFields::resize).toList());
        fields.put("survivingTasksRestarted", view.story().survivorsRestarted());
        fields.put("lostTasks", view.lostTasks());
        fields.put("attempt", view.attempt());
        try {
            String json = new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(fields);
            return (json + "\n").getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A result of numbers and texts cannot fail to be written", e);
        }
    }
}
