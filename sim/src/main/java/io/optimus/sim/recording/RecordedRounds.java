package io.optimus.sim.recording;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Takes in a recording, line by line, and notes where it has gaps. */
final class RecordedRounds {
    private static final long MOST_ROUNDS = 1L << 40;
    private static final String PLANNED = "planned";

    private final ClusterTrail cluster = new ClusterTrail();
    private final RecordedSettings settings = new RecordedSettings();
    private final Map<String, JobTrail> jobs = new LinkedHashMap<>();
    private final Set<String> present = new HashSet<>();
    private final SortedMap<String, Integer> otherOutcomes = new TreeMap<>();
    private long firstMillis = Long.MIN_VALUE;
    private long lastMillis = Long.MIN_VALUE;
    private long lastNumber;
    private long lostRounds;
    private int restarts;
    private boolean namesAll;

    /** Takes in a line; throws an {@link IllegalArgumentException} if it is invalid. */
    void take(RecordedLine line) {
        long at = Math.max(lastMillis, line.atMillis());
        switch (line.event()) {
            case "begin" -> {
                cluster.begin();
                namesAll = true;
            }
            case "round" -> round(at, line.fields());
            case "end" -> {
                JobTrail job = jobs.get(RecordedLine.text(line.fields(), "id"));
                if (job != null) {
                    job.ended(line.atMillis(), line.fields());
                }
            }
            case "lost", "stop" -> {
                // Numbers of rounds tell which are missing.
            }
            default -> throw new IllegalArgumentException("\"event\" is none of begin, round, end, lost and stop, but "
                    + RecordedLine.text(line.fields(), "event"));
        }
    }

    private void round(long at, JsonNode round) {
        if (firstMillis == Long.MIN_VALUE) {
            firstMillis = at;
        }
        if (lastNumber == 0 && !round.has("settings")) {
            throw new IllegalArgumentException("the first round names no \"settings\"");
        }
        if (round.has("settings")) {
            settings.take(round.path("settings"));
        }
        count(round);
        cluster.round(firstMillis, at, round);
        jobs(at, round);
        lastMillis = at;
    }

    private void count(JsonNode round) {
        long number = RecordedLine.whole(round, "round", 1, MOST_ROUNDS);
        if (number <= lastNumber) {
            restarts++;
        } else if (lastNumber > 0) {
            lostRounds += number - lastNumber - 1;
        }
        lastNumber = number;
        String outcome = RecordedLine.text(round, "outcome");
        if (!outcome.equals(PLANNED)) {
            otherOutcomes.merge(outcome, 1, Integer::sum);
        }
    }

    private void jobs(long at, JsonNode round) {
        Set<String> named = new HashSet<>();
        for (JsonNode each : round.path("jobs")) {
            String id = RecordedLine.text(each, "id");
            named.add(id);
            jobs.computeIfAbsent(id, key -> new JobTrail(key, at)).round(at, each);
        }
        Set<String> gone = new HashSet<>();
        round.path("jobsGone").forEach(id -> gone.add(id.asText()));
        if (namesAll) {
            gone.addAll(present);
            gone.removeAll(named);
        }
        namesAll = false;
        present.addAll(named);
        present.removeAll(gone);
        for (String id : gone) {
            JobTrail job = jobs.get(id);
            if (job != null) {
                job.gone(at);
            }
        }
        for (String id : present) {
            JobTrail job = jobs.get(id);
            if (job != null) {
                job.goesOn(at);
            }
        }
    }

    boolean isEmpty() {
        return firstMillis == Long.MIN_VALUE;
    }

    long firstMillis() {
        return firstMillis;
    }

    ClusterTrail cluster() {
        return cluster;
    }

    RecordedSettings settings() {
        return settings;
    }

    List<JobTrail> jobs() {
        return new ArrayList<>(jobs.values());
    }

    /** What a replay does not reproduce, in sentences. */
    List<String> notices() {
        List<String> notices = new ArrayList<>();
        if (lostRounds > 0) {
            notices.add(lostRounds + " rounds are missing; what happened in them is taken from the rounds after them.");
        }
        if (restarts > 0) {
            notices.add("The scheduler began anew " + restarts
                    + " times, by a restart or a failover; the replay plans without such interruptions.");
        }
        otherOutcomes.forEach((outcome, count) ->
                notices.add(count + " rounds decided nothing (" + outcome + "); the replay plans in all rounds."));
        if (!isEmpty() && !settings.enforced()) {
            notices.add(
                    "Plans were not enforced when the recording ended: what happened did not follow from the policy.");
        }
        if (cluster.hasLabels()) {
            notices.add("Nodes have labels, which the replay does not tell apart: jobs may use nodes of every label.");
        }
        return notices;
    }
}
