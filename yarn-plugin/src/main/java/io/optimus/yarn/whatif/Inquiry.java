package io.optimus.yarn.whatif;

import io.optimus.model.belief.Estimate;
import io.optimus.model.belief.Outlook;
import io.optimus.model.belief.RemainingTime;
import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.protocol.TrainingRefusedException;
import io.optimus.sim.forecast.ForecastJob;
import io.optimus.sim.forecast.ForecastResult;
import io.optimus.sim.forecast.JobForecast;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.configuration.OptimusConfiguration.Policies;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.GpuSpeeds;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.read.ClusterCopy;
import io.optimus.yarn.read.ClusterCopy.AddedNode;
import io.optimus.yarn.read.SupposedApplication;
import io.optimus.yarn.round.ControlLoop;
import io.optimus.yarn.round.ForecastInput;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** Answers one question: reads the cluster once, and compares forecasts of it. Used by one thread. */
final class Inquiry {
    /** Clusters have few kinds of nodes; the forecasts of all share one time budget. */
    private static final int MOST_KINDS = 3;

    private final WhatIfs.Surroundings surroundings;
    private final TimeLeft timeLeft;
    private final OptimusConfiguration settings;
    private final long nowMillis = ControlLoop.clock();
    private final long wallMillis = System.currentTimeMillis();
    private final ForecastInput input;
    private final List<JobView> jobs;
    private final Map<String, ForecastJob> known = new HashMap<>();
    private final Map<ApplicationId, Optional<Estimate>> estimates = new HashMap<>();

    Inquiry(WhatIfs.Surroundings surroundings, TimeLeft timeLeft) {
        this.surroundings = surroundings;
        this.timeLeft = timeLeft;
        this.settings = surroundings.settings().get();
        ControlLoop.State state = surroundings.state();
        this.input = new ForecastInput(state, settings, nowMillis, wallMillis);
        this.jobs = state.registry().views().stream()
                .filter(job -> job.state() != JobView.State.FINISHED)
                .sorted(Comparator.comparing(JobView::id))
                .toList();
        for (JobView job : jobs) {
            Optional<Estimate> estimate = state.beliefs().of(job.id());
            estimates.put(job.id(), estimate);
            double step = (double) job.progress().step();
            known.put(
                    job.id().toString(),
                    new ForecastJob(
                            estimate.flatMap(told -> told.expectedSpeed(step)),
                            estimate.map(told -> told.remainingSteps(step).toOptional())
                                    .orElseGet(OptionalDouble::empty),
                            EstimatedBelief.of(job, estimate)));
        }
    }

    Answer ask(Question question) throws InvalidQuestionException {
        Optional<AssumedJob> assumed = assumed(question);
        String queue = question.job().map(AskedJob::queue).orElse("");
        String partition = queue.isEmpty() ? "" : surroundings.partition().apply(queue);
        PresentCluster present = present(queue, partition);
        check(question, present.copy());
        Policies policies = settings.policies();
        ForecastResult before = present.forecast(present.copy(), policies, jobs, known, timeLeft.forForecast(1, 2));
        List<JobView> all = new ArrayList<>(jobs);
        assumed.ifPresent(job -> {
            all.add(job.job());
            known.put(job.job().id().toString(), job.forecast());
        });
        ForecastResult after = present.forecast(
                changed(question, present.copy(), assumed, partition),
                question.policies(policies),
                all,
                known,
                timeLeft.forForecast(2, 2));
        return answer(
                assumed.map(job -> asked(job, after)),
                List.of(new Answer.Change(Optional.empty(), 0, new Effect(before, after))));
    }

    /** How the resizes of a cluster in which nothing else changes move the ends of its jobs. */
    Map<ApplicationId, Outlook> outlooks() {
        Map<ApplicationId, RemainingTime> onPresentTasks = new HashMap<>();
        for (JobView job : jobs) {
            estimates
                    .getOrDefault(job.id(), Optional.empty())
                    .flatMap(estimate -> estimate.remainingTimeOn(
                            job.progress().members().allocation(),
                            job.measured().gpuSpeed(),
                            (double) job.progress().step()))
                    .ifPresent(remaining -> onPresentTasks.put(job.id(), remaining));
        }
        if (onPresentTasks.isEmpty()) {
            return Map.of();
        }
        PresentCluster present = present("", "");
        ForecastResult ends =
                present.forecast(present.copy(), settings.policies(), jobs, known, timeLeft.forForecast(1, 1));
        Map<ApplicationId, Outlook> outlooks = new HashMap<>();
        for (JobView job : jobs) {
            JobForecast forecast = ends.jobs().get(job.id().toString());
            RemainingTime remaining = onPresentTasks.get(job.id());
            if (forecast != null && remaining != null) {
                double factor = forecast.endSeconds().orElse(Double.NaN)
                        / remaining.seconds().orElse(Double.NaN);
                if (Outlook.isPlausible(factor)) {
                    outlooks.put(
                            job.id(),
                            new Outlook(
                                    job.progress().members().allocation(),
                                    job.measured().gpuSpeed(),
                                    factor));
                }
            }
        }
        return outlooks;
    }

    Answer capacity() {
        PresentCluster present = present("", "");
        Map<List<Object>, List<NodeSnapshot>> kinds = new LinkedHashMap<>();
        present.copy().usableNodes().forEach(node -> kinds.computeIfAbsent(
                        List.of(node.capacity(), node.gpuType()), kind -> new ArrayList<>())
                .add(node));
        List<List<NodeSnapshot>> most = kinds.values().stream()
                .sorted(Comparator.comparing((List<NodeSnapshot> kind) -> kind.size())
                        .reversed())
                .limit(MOST_KINDS)
                .toList();
        int forecasts = 1 + most.size();
        ForecastResult before =
                present.forecast(present.copy(), settings.policies(), jobs, known, timeLeft.forForecast(1, forecasts));
        List<Answer.Change> changes = new ArrayList<>();
        for (int i = 0; i < most.size(); i++) {
            NodeSnapshot node = most.get(i).get(0);
            ClusterCopy larger = present.copy().withNode(new AddedNode("next-node:0", node.capacity(), node.gpuType()));
            ForecastResult after =
                    present.forecast(larger, settings.policies(), jobs, known, timeLeft.forForecast(2 + i, forecasts));
            changes.add(new Answer.Change(Optional.of(node), most.get(i).size(), new Effect(before, after)));
        }
        return answer(Optional.empty(), changes);
    }

    private PresentCluster present(String queue, String partition) {
        ClusterCopy copy = surroundings.reader().get().copy(input.applications(jobs), queue, partition);
        return new PresentCluster(copy, input, settings, surroundings.byPolicy());
    }

    private Answer answer(Optional<Answer.Asked> asked, List<Answer.Change> changes) {
        return new Answer(wallMillis, surroundings.state().orders().inForce().paused(), asked, jobs, changes);
    }

    private static Answer.Asked asked(AssumedJob assumed, ForecastResult after) {
        JobView job = assumed.job();
        return new Answer.Asked(
                job.id().toString(),
                job.registration().name(),
                job.facts().user(),
                job.facts().queue(),
                assumed.speedFrom(),
                assumed.stepsFrom(),
                !after.jobs().containsKey(job.id().toString()));
    }

    /** Registers the job of the question where nobody sees it: it is refused for the same reasons as a real one. */
    private Optional<AssumedJob> assumed(Question question) throws InvalidQuestionException {
        if (question.job().isEmpty()) {
            return Optional.empty();
        }
        AskedJob asked = question.job().get();
        ApplicationId id = ApplicationId.newInstance(wallMillis, 1);
        JobRegistry registry = new JobRegistry(settings::jobLimits, GpuSpeeds.ALIKE, wallMillis, ControlLoop::clock);
        ApplicationFacts facts = new ApplicationFacts(
                ApplicationAttemptId.newInstance(id, 1),
                asked.user(),
                asked.queue(),
                wallMillis,
                asked.registration().getPriority());
        try {
            registry.register(facts, asked.limits(), asked.registration());
        } catch (TrainingRefusedException refused) {
            throw new InvalidQuestionException(List.of("job: " + refused.getMessage()));
        }
        JobView job = registry.view(id).orElseThrow();
        return Optional.of(AssumedJob.of(
                job,
                asked,
                surroundings
                        .state()
                        .past()
                        .learned(asked.user(), job.registration().name())));
    }

    private void check(Question question, ClusterCopy copy) throws InvalidQuestionException {
        List<String> problems = new ArrayList<>();
        List<String> nodes = copy.nodes().stream().map(NodeSnapshot::id).toList();
        for (String node : question.lostNodes()) {
            if (!nodes.contains(node)) {
                problems.add("lostNodes: YARN knows no node " + node + ". yarn node -list shows their ids, HOST:PORT");
            }
        }
        question.limits().forEach((queue, percent) -> copy.guaranteedPercent(queue)
                .filter(guaranteed -> percent < Math.floor(guaranteed))
                .ifPresent(guaranteed -> problems.add(String.format(
                        Locale.ROOT,
                        "queueLimits: %s may not be limited to %.0f %% of its parent, because %.0f %% are guaranteed"
                                + " to it; YARN would refuse that, too",
                        queue,
                        percent,
                        guaranteed))));
        if (!problems.isEmpty()) {
            throw new InvalidQuestionException(problems);
        }
    }

    private ClusterCopy changed(
            Question question, ClusterCopy present, Optional<AssumedJob> assumed, String partition) {
        ClusterCopy changed = present;
        for (String node : question.lostNodes()) {
            changed = changed.withoutNode(node);
        }
        for (AddedNode node : question.addedNodes()) {
            changed = changed.withNode(node);
        }
        // A path sorts after those of its ancestors, on which its limit depends.
        for (Map.Entry<String, Double> limit : question.limits().entrySet()) {
            changed = changed.limited(limit.getKey(), limit.getValue());
        }
        if (assumed.isPresent()) {
            JobView job = assumed.get().job();
            Resources master = question.job().map(AskedJob::master).orElse(Resources.NONE);
            changed = changed.with(
                    new SupposedApplication(
                            input.applications(List.of(job)).get(0),
                            job.facts().user(),
                            job.facts().priority(),
                            job.facts().queue(),
                            master),
                    partition);
        }
        return changed;
    }
}
