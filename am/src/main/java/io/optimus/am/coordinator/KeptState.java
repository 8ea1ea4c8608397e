package io.optimus.am.coordinator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.optimus.am.progress.StepLosses;

/** The losses of steps as tasks keep them for a coordinator that takes over: in JSON. */
final class KeptLosses {
    private static final ObjectMapper JSON = new ObjectMapper();

    private KeptLosses() {}

    static String write(StepLosses.State losses) {
        try {
            return JSON.writeValueAsString(losses);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads what {@link #write} wrote; all attempts of a job run the same build. */
    static StepLosses.State read(String losses) {
        try {
            return JSON.readValue(losses, StepLosses.State.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A task kept losses that cannot be read", e);
        }
    }
}
