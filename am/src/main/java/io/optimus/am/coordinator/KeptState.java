package io.optimus.am.coordinator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.progress.StepLosses;
import io.optimus.model.convergence.StopRule;
import org.jspecify.annotations.Nullable;

/**
 * What tasks keep of a training for a coordinator that takes over, in JSON.
 *
 * @param losses the losses of the steps that are certain
 * @param end where training ends and why; null while that is not decided
 */
record KeptState(StepLosses.State losses, @Nullable End end) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Training ends before {@code step}.
     *
     * @param stop why
     */
    record End(long step, StopRule.Stop stop) {}

    String write() {
        try {
            return JSON.writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads what {@link #write} wrote; all attempts of a job run the same build. */
    static KeptState read(String json) {
        try {
            return JSON.readValue(json, KeptState.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A task kept what cannot be read", e);
        }
    }
}
