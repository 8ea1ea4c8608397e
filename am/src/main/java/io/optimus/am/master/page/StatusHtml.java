package io.optimus.am.master.page;

import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CurrentBatch;
import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.TaskView;
import io.optimus.model.Allocation;
import io.optimus.model.Role;
import io.optimus.pages.AllocationSection;
import io.optimus.pages.Html;
import io.optimus.pages.LossSection;
import io.optimus.pages.PageFrame;
import io.optimus.pages.PageText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The status as an HTML page, in the style of the scheduler's pages. All its addresses are relative. */
final class StatusHtml {
    /** The folder of the page's files. */
    static final String FILES = "static";

    private static final String NOT_KNOWN = "not known yet";

    private StatusHtml() {}

    static byte[] write(StatusView view) {
        String title = view.job().spec().name() + " · " + view.job().applicationId();
        Html html = PageFrame.begin(title, FILES, "class", "alone");
        html.begin("header").element("h1", title).end();
        html.begin("main", "id", "content", "tabindex", "-1");
        links(html, view);
        summary(html, view);
        result(html, view);
        LossSection.withoutFit(html, view.history().losses(), "No step is done yet.");
        AllocationSection.write(html, sizes(view.history().resizes()), view.atMillis());
        tasks(html, view.tasks());
        resizes(html, view.history().resizes());
        survived(html, view.history().survived());
        html.end();
        return PageFrame.end(html, "job").getBytes(StandardCharsets.UTF_8);
    }

    private static void links(Html html, StatusView view) {
        html.begin("p", "class", "links", "id", "links", "data-live", "");
        view.schedulerPage().ifPresent(page -> html.link(page, "This job in the scheduler")
                .text(": its predicted end, what decides its size, and its page after its end · "));
        html.link("api/status", "This page as JSON").end();
    }

    private static void summary(Html html, StatusView view) {
        CoordinatorStatus training = view.training();
        StatusView.FollowedPlan plan = view.plan();
        Directive directive = plan.directive();
        html.begin("div", "id", "summary", "data-live", "");
        html.begin("p", "class", "reason").element("strong", "Decision: ").text(directive.reason());
        html.text(directive.exploring() ? " (exploring)" : "").end();
        if (view.job().spec().paced()) {
            html.element("p", "Its speed is paced to a given speed function, and not real.", "class", "notice");
        }
        if (!plan.avoidedNodes().isEmpty()) {
            html.element(
                    "p",
                    "Tasks have failed on these nodes, so none is started there for now: "
                            + String.join(", ", plan.avoidedNodes()),
                    "class",
                    "notice");
        }
        html.begin("dl", "class", "figures");
        html.figure("State", training.state().name().toLowerCase(Locale.ROOT));
        html.figure("Tasks now", PageText.allocation(training.allocation()));
        html.figure("Planned", PageText.allocation(directive.planned()));
        html.figure("Sized by", plan.sizesItself() ? "the job itself" : "the scheduler, plan " + number(directive));
        html.figure("Step", PageText.count(training.progress().step()));
        html.figure(
                "Epoch", String.format(Locale.ROOT, "%.2f", training.progress().epoch()));
        html.figure("Loss", known(training.progress().recentLoss(), ""));
        html.figure("Steps/s", known(training.progress().stepsPerSecond(), ""));
        html.figure("Predicted end in", directive.remaining().inWords().orElse(NOT_KNOWN));
        view.history()
                .metrics()
                .forEach((name, value) -> html.figure("Reported " + name, String.format(Locale.ROOT, "%.6g", value)));
        training.progress().batch().ifPresent(batch -> batch(html, batch));
        html.figure("Tasks lost", PageText.count(view.history().lostTasks()));
        html.figure("Tasks restarted by resizes", PageText.count(view.history().restartedTasks()));
        html.end().end();
    }

    private static void batch(Html html, CurrentBatch batch) {
        html.figure(
                "Batch",
                String.format(
                        Locale.ROOT,
                        "%d samples, of %d to %d, after %d updates; steps are counted as those of %d",
                        batch.samples(),
                        batch.limits().initialBatch(),
                        batch.limits().maxBatch(),
                        batch.updates(),
                        batch.limits().initialBatch()));
        html.figure("Gradient noise scale", known(batch.noiseScale(), " samples"));
        html.figure("Gain of the batch", known(batch.gain(), " steps"));
    }

    /** Always there, so that it can fill while the page is open. */
    private static void result(Html html, StatusView view) {
        html.begin("div", "id", "result", "data-live", "");
        view.result().ifPresent(result -> {
            html.element("h2", "Result");
            html.begin("p", "class", "reason")
                    .element("strong", result.converged() ? "Converged: " : "Ended: ")
                    .text(result.reason())
                    .end();
            html.begin("dl", "class", "figures");
            html.figure("Final loss", known(result.finalLoss(), ""));
            result.evaluation()
                    .ifPresent(held -> html.figure(
                            "Held-out accuracy",
                            String.format(Locale.ROOT, "%.4f on %d samples", held.accuracy(), held.samples())));
            html.end();
        });
        html.end();
    }

    private static List<AllocationSection.Size> sizes(List<ResizeRecord> resizes) {
        List<AllocationSection.Size> sizes = new ArrayList<>();
        if (!resizes.isEmpty() && !resizes.get(0).from().equals(Allocation.NONE)) {
            // Older resizes are not kept.
            sizes.add(new AllocationSection.Size(
                    resizes.get(0).atMillis() - 1, resizes.get(0).from()));
        }
        resizes.forEach(each -> sizes.add(new AllocationSection.Size(each.atMillis(), each.to())));
        return sizes;
    }

    private static void tasks(Html html, List<TaskView> tasks) {
        html.begin("section", "aria-labelledby", "tasks-title");
        html.element("h2", "Tasks", "id", "tasks-title");
        html.table("tasks", "Tasks", "Task", "Role", "State", "Node", "#Steps/s", "Log");
        for (TaskView task : tasks) {
            html.begin("tr", "id", "task-" + task.id()).element("th", task.id().toString(), "scope", "row");
            html.element("td", task.id().role() == Role.WORKER ? "worker" : "parameter server");
            html.element("td", task.state()).element("td", task.container().node());
            html.element("td", String.format(Locale.ROOT, "%.2f", task.stepsPerSecond()), "class", "number");
            String container = task.container().id();
            html.begin("td");
            if (task.container().logUrl().isEmpty()) {
                html.text(container);
            } else {
                html.link(task.container().logUrl(), container);
            }
            html.end().end();
        }
        html.endTable().end();
    }

    /** Newest first. */
    private static void resizes(Html html, List<ResizeRecord> resizes) {
        html.begin("section", "aria-labelledby", "resizes-title");
        html.element("h2", "Resizes", "id", "resizes-title");
        html.table("resizes", "Resizes", "Time", "From", "To", "#Pause", "#Plan", "Reason");
        for (int i = resizes.size() - 1; i >= 0; i--) {
            ResizeRecord resize = resizes.get(i);
            html.begin("tr", "id", "resize-" + resize.atMillis()).begin("td");
            PageText.time(html, resize.atMillis());
            html.end();
            html.element("td", PageText.allocation(resize.from())).element("td", PageText.allocation(resize.to()));
            html.element("td", PageText.millis(resize.pauseMillis()), "class", "number");
            html.element("td", String.valueOf(resize.reason().plan()), "class", "number");
            html.element("td", resize.reason().text() + (resize.reason().exploring() ? " (exploring)" : ""));
            html.end();
        }
        html.endTable().end();
    }

    /** Newest first. */
    private static void survived(Html html, Survived survived) {
        html.begin("section", "aria-labelledby", "survived-title");
        html.element("h2", "Survived", "id", "survived-title");
        html.begin("dl", "class", "figures", "id", "survived-figures", "data-live", "");
        html.figure("Events", PageText.count(survived.events()));
        html.figure("Steps done again", PageText.count(survived.stepsRedone()));
        html.figure("Stalled by lost tasks", PageText.millis(survived.stalledMillis()));
        html.figure("Longest stall", PageText.millis(survived.longestStallMillis()));
        html.figure("Callers refused", PageText.count(survived.refusedCallers()));
        html.end();
        html.table("survived", "Survived", "Time", "What", "#Stall");
        for (int i = survived.last().size() - 1; i >= 0; i--) {
            Survived.Event event = survived.last().get(i);
            long number = survived.events() - survived.last().size() + i;
            html.begin("tr", "id", "survived-" + number).begin("td");
            PageText.time(html, event.atMillis());
            html.end().element("td", event.what());
            html.element(
                    "td",
                    event.stallMillis().isPresent()
                            ? PageText.millis(event.stallMillis().getAsLong())
                            : "",
                    "class",
                    "number");
            html.end();
        }
        html.endTable().end();
    }

    private static String number(Directive directive) {
        return directive.plan() < 0 ? "none yet" : String.valueOf(directive.plan());
    }

    private static String known(OptionalDouble value, String unit) {
        return value.isPresent() ? String.format(Locale.ROOT, "%.4g%s", value.getAsDouble(), unit) : NOT_KNOWN;
    }
}
