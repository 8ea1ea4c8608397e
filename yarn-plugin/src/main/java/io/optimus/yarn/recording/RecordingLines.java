package io.optimus.yarn.recording;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.optimus.model.losses.LossPoint;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.read.ApplicationUsage;
import io.optimus.yarn.validation.ReportedResize;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * Makes the lines of a recording. The first line of a file says what kind of file it is; the first round after it names
 * everything, and later rounds only what has changed since. So each file can be read without the files before it.
 *
 * <p>Not thread-safe.
 */
final class RecordingLines {
    /** Rises when a reader of older files would misunderstand newer ones. */
    private static final int VERSION = 1;

    /** Rounds are far apart compared with reports: between two of them, losses are averaged to so many points. */
    private static final int LOSSES_A_ROUND = 4;

    /** A job that is seen first may have come far: after a restart it sends its history. */
    private static final int LOSSES_AT_FIRST = 64;

    private final ObjectMapper mapper = new ObjectMapper();
    private final Function<ApplicationId, List<LossPoint>> losses;
    private final ChangedFields nodes = new ChangedFields("id");
    private final ChangedFields queues = new ChangedFields("queue");
    private final ChangedFields jobs = new ChangedFields("id");
    private final ChangedFields settings = new ChangedFields("of");
    private final Map<ApplicationId, Long> lossesUntil = new HashMap<>();
    private final Map<ApplicationId, ReportedResize> lastResize = new HashMap<>();
    private final Set<ApplicationId> ended = new HashSet<>();

    /** {@code losses} returns the points of a job's loss curve. */
    RecordingLines(Function<ApplicationId, List<LossPoint>> losses) {
        this.losses = losses;
    }

    /** Returns the first line of a file. The first round after it names everything but losses and resizes, which add up. */
    String begin(long atMillis) {
        nodes.clear();
        queues.clear();
        jobs.clear();
        settings.clear();
        return line(event(atMillis, "begin").put("recording", VERSION));
    }

    private ObjectNode event(long atMillis, String name) {
        return mapper.createObjectNode().put("at", atMillis).put("event", name);
    }

    private String line(ObjectNode json) {
        try {
            return mapper.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A tree of values cannot be written as JSON", e);
        }
    }

    /** Says that {@code count} rounds or ends before this were not recorded. */
    String lost(long atMillis, long count) {
        return line(event(atMillis, "lost").put("count", count));
    }

    /** Says that the scheduler stops and nothing follows. */
    String stop(long atMillis) {
        return line(event(atMillis, "stop"));
    }

    /** Returns the line for {@code event}; empty if it is the second end of a job. */
    Optional<String> of(Recorded event) {
        if (event instanceof Recorded.Round round) {
            return Optional.of(round(round));
        }
        Recorded.End end = (Recorded.End) event;
        if (!ended.add(end.job())) {
            return Optional.empty();
        }
        ObjectNode json =
                event(end.atMillis(), "end").put("id", end.job().toString()).put("outcome", end.outcome());
        if (end.step() >= 0) {
            json.put("step", end.step());
        }
        end.loss().ifPresent(loss -> JsonFigures.put(json, "loss", loss));
        return Optional.of(line(json));
    }

    private String round(Recorded.Round round) {
        Recorded.Facts facts = round.facts();
        ObjectNode json = event(facts.startedMillis(), "round")
                .put("round", facts.number())
                .put("millis", facts.durationMillis())
                .put("plan", round.plan().number())
                .put("outcome", facts.outcome());
        if (!facts.triggers().isEmpty()) {
            facts.triggers().forEach(json.putArray("triggers")::add);
        }
        settings.of("rounds", settings(round.settings())).ifPresent(changed -> json.set("settings", changed));
        SortedMap<String, ObjectNode> usable = ClusterFields.nodes(round.view());
        // Nodes that no queue with jobs may use now are still there.
        Set<String> there = new HashSet<>(round.view().free().keySet());
        there.addAll(usable.keySet());
        write(json, "nodes", nodes, usable, there);
        SortedMap<String, ObjectNode> withJobs = ClusterFields.queues(round.view(), round.settings());
        write(json, "queues", queues, withJobs, withJobs.keySet());
        jobs(json, round);
        return line(json);
    }

    private ObjectNode settings(OptimusConfiguration now) {
        ObjectNode json = mapper.createObjectNode()
                .put("mode", now.mode().word())
                .put("roundIntervalMillis", now.rounds().intervalMillis())
                .put("assumedResizeMillis", now.rounds().assumedResizeMillis())
                .put("distributedJobsPerNode", now.policies().distributedJobsPerNode());
        ObjectNode types = json.putObject("gpuTypes");
        now.policies().gpuTypes().speeds().forEach(types::put);
        return json;
    }

    private static void write(
            ObjectNode json,
            String name,
            ChangedFields changes,
            SortedMap<String, ObjectNode> objects,
            Set<String> there) {
        objects.forEach((id, object) ->
                changes.of(id, object).ifPresent(changed -> json.withArray(name).add(changed)));
        writeGone(json, name, changes.keepOnly(there));
    }

    private static void writeGone(ObjectNode json, String name, List<String> gone) {
        if (!gone.isEmpty()) {
            ArrayNode ids = json.putArray(name + "Gone");
            gone.forEach(ids::add);
        }
    }

    private void jobs(ObjectNode json, Recorded.Round round) {
        JobFields fields = new JobFields(round);
        SortedMap<ApplicationId, ApplicationUsage> usages = round.view().usages();
        Set<String> present = new HashSet<>();
        Set<ApplicationId> registered = new HashSet<>();
        for (JobView job : round.jobs()) {
            String id = job.id().toString();
            present.add(id);
            registered.add(job.id());
            if (job.state() != JobView.State.FINISHED) {
                ended.remove(job.id());
            }
            ObjectNode added = mapper.createObjectNode();
            losses(added, job);
            resizes(added, job);
            Optional<ObjectNode> changed = jobs.of(id, fields.of(job, Optional.ofNullable(usages.get(job.id()))));
            if (changed.isPresent() || !added.isEmpty()) {
                ObjectNode written =
                        changed.orElseGet(() -> mapper.createObjectNode().put("id", id));
                json.withArray("jobs").add(written.setAll(added));
            }
        }
        writeGone(json, "jobs", jobs.keepOnly(present));
        lossesUntil.keySet().retainAll(registered);
        lastResize.keySet().retainAll(registered);
        ended.retainAll(registered);
    }

    /** Adds the losses since the last round, or since the step that the job went back to. */
    private void losses(ObjectNode json, JobView job) {
        long until =
                Math.min(lossesUntil.getOrDefault(job.id(), -1L), job.progress().step());
        List<LossPoint> news = losses.apply(job.id()).stream()
                .filter(point -> point.step() > until)
                .toList();
        if (news.isEmpty()) {
            return;
        }
        lossesUntil.put(job.id(), news.get(news.size() - 1).step());
        ArrayNode array = json.putArray("losses");
        int points = Math.min(until < 0 ? LOSSES_AT_FIRST : LOSSES_A_ROUND, news.size());
        for (int i = 0; i < points; i++) {
            List<LossPoint> part = news.subList(i * news.size() / points, (i + 1) * news.size() / points);
            double step = part.stream().mapToLong(LossPoint::step).average().orElseThrow();
            double loss = part.stream().mapToDouble(LossPoint::loss).average().orElseThrow();
            JsonFigures.add(array.addArray().add(Math.round(step)), loss);
        }
    }

    /** {@code [from parameter servers, from workers, to parameter servers, to workers, pause in milliseconds]} of each new one. */
    private void resizes(ObjectNode json, JobView job) {
        List<ReportedResize> known = job.history().resizes();
        ReportedResize last = lastResize.get(job.id());
        int written = last == null ? 0 : known.lastIndexOf(last) + 1;
        for (ReportedResize resize : known.subList(written, known.size())) {
            lastResize.put(job.id(), resize);
            json.withArray("resizes")
                    .add(JsonFigures.size(resize.from())
                            .addAll(JsonFigures.size(resize.to()))
                            .add(resize.pauseMillis()));
        }
    }
}
