package io.optimus.yarn.page;

import io.optimus.pages.Html;
import io.optimus.pages.PageText;
import io.optimus.yarn.OptimusScheduler;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.history.PastJob;
import io.optimus.yarn.metrics.GpuUse;
import io.optimus.yarn.operator.OperatorOrders;
import io.optimus.yarn.operator.Order;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.round.RoundLog;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The page of the cluster: the state of the scheduler, who holds the GPUs, the jobs and the last rounds. */
final class SchedulerPage {
    /** A screenful; REST has all that are kept. */
    private static final int ROUNDS = 30;

    private SchedulerPage() {}

    static String of(
            SchedulerOverview overview,
            OptimusScheduler scheduler,
            JobList jobs,
            List<PastJob> ended,
            Optional<String> user) {
        Html html = Frame.begin("Training", user);
        state(html, overview);
        queues(html, GpuUse.of(scheduler, jobs.all()));
        JobsTable.write(html, overview, jobs);
        PastJobPage.list(html, ended);
        rounds(html, overview.state().log().newestFirst());
        html.begin("p")
                .link("/cluster/scheduler", "Queues and limits of CapacityScheduler")
                .end();
        return Frame.end(html);
    }

    /** What the reader must know before any figure. */
    static void notices(Html html, SchedulerOverview overview) {
        html.begin("div", "id", "notices", "data-live", "");
        SchedulerMode mode = overview.configuration().mode();
        if (mode == SchedulerMode.ADVISE) {
            html.element(
                    "p", "Mode advise: plans are advice only. Nothing on this page is carried out.", "class", "notice");
        }
        if (mode == SchedulerMode.OFF) {
            html.element("p", "Mode off: nothing is planned, and training jobs are not served.", "class", "notice");
        }
        for (String problem : overview.problems()) {
            html.element("p", problem, "class", "notice problem");
        }
        OperatorOrders.InForce orders = overview.state().orders().inForce();
        orders.pause().ifPresent(order -> order(html, "All rounds are paused", order));
        orders.drainedNodes().forEach((node, order) -> order(html, "Node " + node + " is drained of training", order));
        orders.drainedQueues()
                .forEach((queue, order) -> order(html, "Queue " + queue + " is drained of training", order));
        html.end();
    }

    private static void order(Html html, String what, Order order) {
        html.begin("p", "class", "notice").text(what + " by " + order.user() + " since ");
        PageText.time(html, order.sinceMillis());
        html.text(".").end();
    }

    private static void state(Html html, SchedulerOverview overview) {
        notices(html, overview);
        PublishedPlan plan = overview.state().plan().current();
        html.begin("dl", "id", "state", "data-live", "", "class", "figures");
        html.figure("Mode", overview.configuration().mode().word());
        html.figure("Policy", overview.configuration().policies().defaultPolicy());
        html.figure("Training jobs", PageText.count(overview.state().registry().size()));
        html.figure("Plan", plan.number() + (plan.frozen() ? " (kept after a restart)" : ""));
        html.figure("Rounds", PageText.count(overview.state().log().run()));
        html.end();
    }

    private static void queues(Html html, List<GpuUse> uses) {
        html.begin("section", "aria-labelledby", "gpus-title");
        html.element("h2", "GPUs", "id", "gpus-title");
        html.table("gpus", "GPUs", "Queue", "Use", "#Training", "#Others", "#Idle", "#Guaranteed");
        for (GpuUse use : uses) {
            boolean cluster = use.queue().indexOf('.') < 0;
            html.begin("tr", "id", "queue-" + use.queue());
            html.element("th", cluster ? "Cluster" : use.queue(), "scope", "row");
            html.begin("td");
            Drawing.division(
                    html,
                    use.training() + " training, " + use.others() + " others, " + use.idle() + " idle",
                    use.training(),
                    use.others(),
                    use.guaranteed());
            html.end();
            for (long amount : new long[] {use.training(), use.others(), use.idle(), use.guaranteed()}) {
                html.element("td", PageText.count(amount), "class", "number");
            }
            html.end();
        }
        html.endTable().end();
    }

    private static void rounds(Html html, List<RoundLog.Entry> rounds) {
        html.begin("section", "aria-labelledby", "rounds-title");
        html.element("h2", "Rounds", "id", "rounds-title");
        html.table(
                "rounds",
                "Rounds",
                "Round",
                "Started",
                "#Duration",
                "#Jobs",
                "#Changed",
                "#Plan",
                "Why early",
                "Outcome");
        for (RoundLog.Entry round : rounds.subList(0, Math.min(ROUNDS, rounds.size()))) {
            html.begin("tr", "id", "round-" + round.number());
            html.element("th", PageText.count(round.number()), "scope", "row");
            html.begin("td");
            PageText.time(html, round.startedMillis());
            html.end();
            html.element("td", PageText.millis(round.durationMillis()), "class", "number");
            html.element("td", PageText.count(round.jobs()), "class", "number");
            html.element("td", PageText.count(round.changes()), "class", "number");
            html.element("td", String.valueOf(round.plan()), "class", "number");
            html.element(
                    "td",
                    round.triggers().stream()
                            .map(trigger ->
                                    trigger.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                            .sorted()
                            .collect(Collectors.joining(", ")));
            html.element(
                    "td", round.outcome(), "class", round.outcome().equals("planned") ? "outcome" : "outcome problem");
            html.end();
        }
        html.endTable();
        html.note("rounds-note", rounds.isEmpty() ? "No round has run yet: there was nothing to plan." : "");
        html.end();
    }
}
