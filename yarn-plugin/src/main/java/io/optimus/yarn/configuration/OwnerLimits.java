package io.optimus.yarn.configuration;

import io.optimus.model.job.SchedulingTerms;
import io.optimus.protocol.setting.Setting;
import io.optimus.protocol.setting.SettingsReader;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Limits on what owners may ask of the scheduler for their jobs, by queue.
 *
 * @param unpreemptible whether a job that is not preemptible is never made smaller
 * @param minRunMillis the longest time before which a job is not made smaller
 * @param jobsPerUser the jobs of one user that count beside those of others; 0 for all
 */
public record OwnerLimits(ByQueue<Boolean> unpreemptible, ByQueue<Long> minRunMillis, ByQueue<Integer> jobsPerUser) {
    private static final String UNPREEMPTIBLE_WORD = "unpreemptible-jobs";
    private static final String MIN_RUN_WORD = "min-run-limit";
    private static final String JOBS_WORD = "jobs-per-user";
    private static final String ALLOWED = "allowed";

    static final Setting<String> UNPREEMPTIBLE = unpreemptible(OptimusConfiguration.PREFIX + UNPREEMPTIBLE_WORD);
    static final Setting<Long> MIN_RUN = minRun(OptimusConfiguration.PREFIX + MIN_RUN_WORD);
    static final Setting<Integer> JOBS = jobs(OptimusConfiguration.PREFIX + JOBS_WORD);

    /** The last words of the keys of one queue. */
    static final List<String> WORDS = List.of(UNPREEMPTIBLE_WORD, MIN_RUN_WORD, JOBS_WORD);

    private static Setting<String> unpreemptible(String key) {
        return Setting.word(key, ALLOWED, List.of(ALLOWED, "preempted"));
    }

    private static Setting<Long> minRun(String key) {
        return Setting.time(key, "24h", "0s", "8760h");
    }

    private static Setting<Integer> jobs(String key) {
        return Setting.count(key, 0, 0, 100_000);
    }

    static OwnerLimits read(SettingsReader reader) {
        return new OwnerLimits(
                new ByQueue<>(
                        ALLOWED.equals(reader.read(UNPREEMPTIBLE)),
                        own(reader, UNPREEMPTIBLE_WORD, key -> ALLOWED.equals(reader.read(unpreemptible(key))))),
                new ByQueue<>(reader.read(MIN_RUN), own(reader, MIN_RUN_WORD, key -> reader.read(minRun(key)))),
                new ByQueue<>(reader.read(JOBS), own(reader, JOBS_WORD, key -> reader.read(jobs(key)))));
    }

    private static <T> SortedMap<String, T> own(SettingsReader reader, String word, Function<String, T> value) {
        SortedMap<String, T> own = new TreeMap<>();
        for (String key : reader.keysFrom(OptimusConfiguration.QUEUE_PREFIX)) {
            if (key.endsWith("." + word)
                    && key.length() > OptimusConfiguration.QUEUE_PREFIX.length() + word.length() + 1) {
                own.put(
                        key.substring(OptimusConfiguration.QUEUE_PREFIX.length(), key.length() - word.length() - 1),
                        value.apply(key));
            }
        }
        return own;
    }

    /** The last words of the keys that queues have of their own, by path of the queue. */
    SortedMap<String, SortedSet<String>> wordsByQueue() {
        SortedMap<String, SortedSet<String>> words = new TreeMap<>();
        add(words, unpreemptible, UNPREEMPTIBLE_WORD);
        add(words, minRunMillis, MIN_RUN_WORD);
        add(words, jobsPerUser, JOBS_WORD);
        return words;
    }

    private static void add(SortedMap<String, SortedSet<String>> words, ByQueue<?> setting, String word) {
        setting.own().keySet().forEach(path -> words.computeIfAbsent(path, queue -> new TreeSet<>())
                .add(word));
    }

    /** What a job in this queue gets of the terms that its owner asked for. */
    public SchedulingTerms within(String queuePath, SchedulingTerms asked) {
        return asked.within(unpreemptible.of(queuePath), TimeUnit.MILLISECONDS.toSeconds(minRunMillis.of(queuePath)));
    }
}
