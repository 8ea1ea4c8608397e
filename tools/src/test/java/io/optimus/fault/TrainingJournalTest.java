package io.optimus.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class TrainingJournalTest {
    private static final String JOB = "application_1_0001";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final List<String> lines = new ArrayList<>();

    /** Ten steps a second, told twice a second. */
    private void train(int fromMillis, int toMillis, int fromStep) {
        for (int at = fromMillis; at <= toMillis; at += 500) {
            lines.add(line(at, fromStep + (at - fromMillis) / 100));
        }
    }

    private static String line(int at, int step) {
        return "{\"at\":" + at + ",\"event\":\"loss\",\"step\":" + step + ",\"loss\":1}";
    }

    private TrainingJournal journal(String name) throws IOException {
        Path file = folder.getRoot().toPath().resolve("ann").resolve(JOB).resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, lines);
        lines.clear();
        return TrainingJournal.of(folder.getRoot().toPath(), JOB);
    }

    @Test
    public void findsTheTimeWithoutSteps() throws IOException {
        train(0, 10_000, 0);
        train(14_000, 24_000, 105);

        TrainingJournal journal = journal("journal.jsonl");

        assertThat(journal.idleSeconds(9_000, 10_500)).isCloseTo(3.5, within(0.2));
        assertThat(journal.idleSeconds(17_000, 18_000)).isCloseTo(0, within(0.2));
    }

    @Test
    public void stepsThatAreToldLateWereDoneMeanwhile() throws IOException {
        train(0, 10_000, 0);
        lines.add(line(30_000, 105));
        train(30_500, 40_000, 305);

        assertThat(journal("journal.jsonl").longestIdleSeconds()).isCloseTo(0, within(0.2));
    }

    @Test
    public void stepsThatAreOnlyToldAgainAfterATakeOverWereDoneOnce() throws IOException {
        train(0, 10_000, 0);
        journal("journal.jsonl");
        lines.add("{\"at\":19000,\"event\":\"goes-on\",\"step\":61,\"inMemory\":true,\"tasks\":3}");
        train(20_000, 30_000, 61);
        lines.add("{\"at\":30100,\"event\":\"goes-on\",\"step\":150,\"inMemory\":false,\"tasks\":0}");
        train(50_000, 60_000, 150);

        assertThat(journal("journal-2.jsonl").stepsRedone()).isEqualTo(161 - 150 + 1);
    }

    @Test
    public void countsStepsThatAreDoneAgain() throws IOException {
        train(0, 10_000, 0);
        train(20_000, 30_000, 61);
        journal("journal.jsonl");
        train(50_000, 60_000, 150);
        lines.add("{\"at\":60100,\"eve");

        TrainingJournal journal = journal("journal-2.jsonl");

        assertThat(journal.attempts()).isEqualTo(2);
        assertThat(journal.stepsRedone()).isEqualTo(40 + 12);
    }
}
