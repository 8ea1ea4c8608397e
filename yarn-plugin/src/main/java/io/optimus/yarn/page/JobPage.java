package io.optimus.yarn.page;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.model.job.Placement;
import io.optimus.pages.Html;
import io.optimus.pages.LossSection;
import io.optimus.pages.PageText;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.explain.ExplanationText;
import io.optimus.yarn.explain.JobExplainer;
import io.optimus.yarn.jobs.JobTimeline;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.operator.SizeOrder;
import io.optimus.yarn.plan.JobPlan;
import io.optimus.yarn.round.ControlLoop;
import io.optimus.yarn.validation.TaskRate;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** The page of one job. */
final class JobPage {
    /** More tasks are in REST. */
    private static final int MOST_TASKS = 200;

    private JobPage() {}

    static String of(SchedulerOverview overview, ShownJob job, Resources cluster, Optional<String> user) {
        JobView view = job.view();
        String id = view.id().toString();
        JobTimeline timeline = overview.state()
                .registry()
                .timeline(view.id())
                .orElse(new JobTimeline(List.of(), List.of(), List.of()));
        long now = ControlLoop.clock();
        TimelineSection times = new TimelineSection(now, System.currentTimeMillis());
        Html html = Frame.begin(view.registration().name() + " · " + id, user);
        html.begin("p", "class", "links").link(Frame.ROOT, "All training jobs");
        html.text(" · ").link("/cluster/app/" + id, "Application in YARN");
        html.text(" · ").link("/proxy/" + id + "/", "The job's own page");
        html.end();
        SchedulerPage.notices(html, overview);
        summary(html, overview, job);
        why(html, overview, view);
        LossSection.write(
                html, timeline.losses(), job.estimate(), view.progress().step());
        SpeedSection.write(html, job);
        gains(html, overview, job, new Gains(cluster));
        times.allocation(html, timeline.sizes(), now);
        placement(html, job);
        tasks(html, view.reports().tasks());
        TimelineSection.resizes(html, view.history().resizes());
        times.decisions(html, timeline.decisions());
        return Frame.end(html);
    }

    private static void summary(Html html, SchedulerOverview overview, ShownJob job) {
        JobView view = job.view();
        String advice = overview.configuration().mode() == SchedulerMode.ADVISE ? " (advice only)" : "";
        html.begin("div", "id", "summary", "data-live", "");
        html.begin("p", "class", "reason")
                .element("strong", "Decision" + advice + ": ")
                .text(job.reason());
        html.text(job.plan().map(JobPlan::exploring).orElse(false) ? " (exploring)" : "")
                .end();
        html.begin("dl", "class", "figures");
        html.figure("State", view.state().word());
        html.figure("User", view.facts().user());
        html.figure("Queue", view.facts().queue());
        html.figure("Priority", String.valueOf(view.scheduling().priority()));
        html.figure("Training", view.registration().training().mode().name().toLowerCase(Locale.ROOT));
        html.figure("Tasks now", PageText.allocation(job.now()));
        html.figure("Planned" + advice, PageText.allocation(job.planned()));
        html.figure(
                "Smallest to largest",
                view.registration().demand().minimum() + " to "
                        + view.registration().demand().maximum());
        html.figure("Step", PageText.count(view.progress().step()));
        html.figure("Epoch", PageText.number(view.progress().epoch()));
        html.figure("Loss", PageText.number(view.progress().loss()));
        html.figure(
                "Steps/s",
                PageText.number(job.stepsPerSecond())
                        + (view.registration().training().paced() ? " (paced, not real)" : ""));
        html.figure(
                "Predicted end in",
                job.remaining()
                        .map(time -> PageText.remaining(time)
                                + (job.endsAsLastRun() ? ", by the last job of this name" : ""))
                        .orElse("not known yet"));
        html.figure("Resizes", view.history().resizesDone() + ", paused " + PageText.millis(job.pausedMillis()));
        html.end();
        SizeOrder fixed = overview.state().orders().inForce().sizes().get(view.id());
        if (fixed != null) {
            html.begin("p", "class", "notice")
                    .text("Its size is fixed at " + fixed.size() + " by "
                            + fixed.order().user() + " since ");
            PageText.time(html, fixed.order().sinceMillis());
            html.text(".").end();
        }
        html.end();
    }

    /** The explanation, without the reason, which is the decision above. */
    private static void why(Html html, SchedulerOverview overview, JobView view) {
        JobExplainer explainer = new JobExplainer(overview.state(), overview.configuration(), ControlLoop.clock());
        html.begin("section", "aria-labelledby", "why-title");
        html.element("h2", "Why this size", "id", "why-title");
        html.begin("ul", "id", "why", "data-live", "");
        ExplanationText.of(explainer.explain(view)).stream().skip(1).forEach(sentence -> html.element("li", sentence));
        html.end().end();
    }

    private static void gains(Html html, SchedulerOverview overview, ShownJob job, Gains gains) {
        html.begin("section", "aria-labelledby", "gains-title");
        html.element("h2", "Gain of the next task", "id", "gains-title");
        html.element(
                "p",
                "Completion time saved for each percent of the cluster that a task takes of its dominant resource. The last"
                        + " granted task is the one with the smallest gain that any job has beyond its minimum.");
        html.table("gains", "Gains", "Task", "#Saves", "#Takes", "#Gain");
        gain(html, "next-worker", "Next worker", gains.nextWorker(job));
        if (job.view().registration().demand().hasParameterServers()) {
            gain(html, "next-ps", "Next parameter server", gains.nextParameterServer(job));
        }
        gain(html, "own-last", "Last granted to this job", gains.last(job));
        gain(
                html,
                "last-granted",
                "Last granted in the cluster",
                gains.lastGranted(overview.state().registry().views().stream()
                        .map(view -> ShownJob.of(overview, view))
                        .toList()));
        html.endTable().end();
    }

    private static void gain(Html html, String id, String name, Optional<Gains.Gain> gain) {
        html.begin("tr", "id", id).element("th", name, "scope", "row");
        html.element(
                "td", gain.map(known -> seconds(known.secondsSaved())).orElse(PageText.UNKNOWN), "class", "number");
        html.element(
                "td",
                gain.map(known -> PageText.number(known.percent()) + " %").orElse(PageText.UNKNOWN),
                "class",
                "number");
        html.element(
                "td",
                gain.map(known -> seconds(known.secondsPerPercent()) + " per %").orElse(PageText.UNKNOWN),
                "class",
                "number");
        html.end();
    }

    private static String seconds(double seconds) {
        return Double.isFinite(seconds) ? PageText.number(seconds) + " s" : "all: it stands still without it";
    }

    private static void placement(Html html, ShownJob job) {
        Placement now = job.view().progress().members();
        Placement planned = job.plan().map(JobPlan::planned).orElse(Placement.NONE);
        html.begin("section", "aria-labelledby", "nodes-title");
        html.element("h2", "Tasks by node", "id", "nodes-title");
        html.table("nodes", "Tasks by node", "Node", "Now", "Planned");
        NavigableSet<String> nodes = new TreeSet<>(now.byNode().keySet());
        nodes.addAll(planned.byNode().keySet());
        for (String node : nodes) {
            html.begin("tr", "id", "node-" + node).element("th", node, "scope", "row");
            html.element("td", words(now.on(node)))
                    .element("td", words(planned.on(node)))
                    .end();
        }
        html.endTable().end();
    }

    private static String words(Allocation tasks) {
        return tasks.isNone() ? PageText.UNKNOWN : tasks.toString();
    }

    private static void tasks(Html html, List<TaskRate> tasks) {
        html.begin("details").element("summary", "Rates of single tasks");
        html.table("tasks", "Tasks", "Task", "Role", "Node", "#Steps/s");
        for (TaskRate task : tasks.subList(0, Math.min(MOST_TASKS, tasks.size()))) {
            html.begin("tr", "id", "task-" + task.task()).element("th", task.task(), "scope", "row");
            html.element("td", task.role().name().toLowerCase(Locale.ROOT).replace('_', ' '));
            html.element("td", task.node());
            html.element("td", PageText.number(task.stepsPerSecond()), "class", "number")
                    .end();
        }
        html.endTable().end();
    }
}
