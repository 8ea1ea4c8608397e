package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.Rule;
import org.junit.Test;

/** The commands {@code rounds} and {@code history}. */
public final class RoundsCommandTest {
    @Rule
    public final CommandRunner optimus = new CommandRunner();

    private final FakeClusterClient cluster = optimus.cluster;

    @Test
    public void listsRoundsAndEndedJobs() {
        cluster.answers.put(
                "/rounds",
                "{\"rounds\":[{\"number\":7,\"time\":0,\"durationMillis\":12,\"jobs\":3,\"plan\":9,\"early\":[\"arrival\"],"
                        + "\"outcome\":\"planned\"}]}");
        cluster.answers.put(
                "/history?limit=1000",
                "{\"jobs\":[{\"id\":\"" + FakeClusterClient.ID
                        + "\",\"outcome\":\"succeeded\",\"endedMillis\":0,\"step\":140,"
                        + "\"loss\":0.5,\"predictions\":[{\"fraction\":0.5,\"predictedRemainingSeconds\":30,"
                        + "\"actualRemainingSeconds\":33}]}]}");

        assertThat(optimus.run("rounds")).isZero();
        assertThat(optimus.out()).contains("7 1970-01-01T00:00:00Z", "12", "arrival", "planned");
        assertThat(optimus.run("history")).isZero();
        assertThat(optimus.out()).contains(FakeClusterClient.ID, "succeeded", "140", "0.5000", "30", "33");
        cluster.answers.clear();
        assertThat(optimus.run("rounds")).isEqualTo(1);
    }
}
