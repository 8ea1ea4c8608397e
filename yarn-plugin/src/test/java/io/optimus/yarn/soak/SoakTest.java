package io.optimus.yarn.soak;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Test;

/** A soak of two minutes, or as long as the system property {@code soak.minutes} says. {@code scripts/soak} runs it. */
public final class SoakTest {
    @Test
    public void everyJobEndsEveryQueueIsServedAndNothingGrows() throws Exception {
        try (Soak soak = new Soak(SoakOptions.ofProperties())) {
            assertThat(soak.run().problems()).isEmpty();
        }
    }
}
