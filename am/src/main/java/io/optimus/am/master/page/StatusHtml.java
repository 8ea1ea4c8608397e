package io.optimus.am.master.page;

import io.optimus.am.coordinator.CoordinatorStatus;
import io.optimus.am.coordinator.CurrentBatch;
import io.optimus.am.coordinator.TrainingResult;
import io.optimus.am.master.journal.ResizeRecord;
import io.optimus.am.master.plan.Directive;
import io.optimus.am.master.plan.TaskView;
import io.optimus.model.Role;
import io.optimus.model.chart.Chart;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The status as an HTML page without scripts, which reloads itself. */
final class StatusHtml {
    private static final String STYLE = "body{font:14px sans-serif;margin:2em;max-width:70em}table{border-collapse:"
            + "collapse}td,th{padding:.2em .8em;border-bottom:1px solid #ddd;text-align:left}"
            + ".paced{background:#fe8;padding:.1em .4em}h2{margin-top:1.6em}";

    private StatusHtml() {}

    static byte[] write(StatusView view) {
        StringBuilder html = new StringBuilder();
        String title =
                escape(view.job().spec().name()) + " · " + escape(view.job().applicationId());
        html.append("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta http-equiv=\"refresh\" content=\"5\"><title>")
                .append(title)
                .append("</title><style>")
                .append(STYLE)
                .append(Chart.STYLE)
                .append("</style></head><body><h1>")
                .append(title)
                .append("</h1>");
        summary(html, view);
        view.result().ifPresent(result -> result(html, result));
        html.append("<h2>Loss</h2>").append(Charts.losses(view.history().losses()));
        html.append("<h2>Allocation</h2>")
                .append(Charts.allocations(view.history().resizes(), view.job().submittedMillis(), view.atMillis()));
        tasks(html, view.tasks());
        resizes(html, view.history().resizes(), view.job().submittedMillis());
        html.append("<p><a href=\"api/status\">this status as JSON</a></p></body></html>");
        return html.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void summary(StringBuilder html, StatusView view) {
        CoordinatorStatus training = view.training();
        StatusView.FollowedPlan plan = view.plan();
        Directive directive = plan.directive();
        html.append("<table>");
        if (view.job().spec().paced()) {
            row(html, "Speed", "<span class=\"paced\">paced to a given speed function, not real</span>");
        }
        row(html, "State", escape(training.state().name().toLowerCase(Locale.ROOT)));
        row(
                html,
                "Progress",
                String.format(
                        Locale.ROOT,
                        "step %d, epoch %.2f",
                        training.progress().step(),
                        training.progress().epoch()));
        row(html, "Loss", number(training.progress().recentLoss(), ""));
        view.history()
                .metrics()
                .forEach((name, value) ->
                        row(html, "Reported " + escape(name), String.format(Locale.ROOT, "%.6g", value)));
        row(html, "Speed now", number(training.progress().stepsPerSecond(), " steps/s"));
        training.progress().batch().ifPresent(batch -> batch(html, batch));
        row(html, "Allocation", escape(training.allocation() + " now, " + directive.planned() + " planned"));
        row(html, "Reason", escape(directive.reason()) + (directive.exploring() ? " (exploring)" : ""));
        row(
                html,
                "Predicted end",
                directive
                        .remaining()
                        .inWords()
                        .map(time -> escape(time) + " from the last plan")
                        .orElse("not known yet"));
        row(html, "Sized by", plan.sizesItself() ? "the job itself" : "the scheduler, plan " + number(directive));
        row(html, "Tasks lost", String.valueOf(view.history().lostTasks()));
        row(html, "Tasks restarted by resizes", String.valueOf(view.history().restartedTasks()));
        if (!plan.avoidedNodes().isEmpty()) {
            row(html, "Nodes avoided", escape(String.join(", ", plan.avoidedNodes())) + ": tasks failed there");
        }
        html.append("</table>");
    }

    private static void batch(StringBuilder html, CurrentBatch batch) {
        row(
                html,
                "Batch",
                String.format(
                        Locale.ROOT,
                        "%d samples, of %d to %d, after %d updates; steps are counted as those of %d",
                        batch.samples(),
                        batch.limits().initialBatch(),
                        batch.limits().maxBatch(),
                        batch.updates(),
                        batch.limits().initialBatch()));
        row(html, "Gradient noise scale", number(batch.noiseScale(), " samples"));
        row(html, "Gain of the batch", number(batch.gain(), " steps"));
    }

    private static void result(StringBuilder html, TrainingResult result) {
        html.append("<h2>Result</h2><table>");
        row(html, result.converged() ? "Converged" : "Ended", escape(result.reason()));
        row(html, "Final loss", number(result.finalLoss(), ""));
        result.evaluation()
                .ifPresent(held -> row(
                        html,
                        "Held-out accuracy",
                        String.format(Locale.ROOT, "%.4f on %d samples", held.accuracy(), held.samples())));
        html.append("</table>");
    }

    private static void tasks(StringBuilder html, List<TaskView> tasks) {
        html.append("<h2>Tasks</h2><table><tr><th>task</th><th>role</th><th>state</th><th>node</th><th>steps/s</th>"
                + "<th>container</th></tr>");
        for (TaskView task : tasks) {
            String role = task.id().role() == Role.WORKER ? "worker" : "parameter server";
            String container = escape(task.container().id());
            html.append("<tr><td>")
                    .append(escape(task.id().toString()))
                    .append("</td><td>")
                    .append(role)
                    .append("</td><td>")
                    .append(escape(task.state()))
                    .append("</td><td>")
                    .append(escape(task.container().node()))
                    .append("</td><td>")
                    .append(String.format(Locale.ROOT, "%.2f", task.stepsPerSecond()))
                    .append("</td><td>")
                    .append(
                            task.container().logUrl().isEmpty()
                                    ? container
                                    : "<a href=\"" + escape(task.container().logUrl()) + "\">" + container + "</a>")
                    .append("</td></tr>");
        }
        html.append("</table>");
    }

    private static void resizes(StringBuilder html, List<ResizeRecord> resizes, long startedMillis) {
        html.append("<h2>Resizes</h2><table><tr><th>after</th><th>from</th><th>to</th><th>pause</th><th>plan</th>"
                + "<th>reason</th></tr>");
        for (ResizeRecord resize : resizes) {
            html.append(String.format(
                    Locale.ROOT,
                    "<tr><td>%.1f s</td><td>%s</td><td>%s</td><td>%d ms</td><td>%d</td><td>%s%s</td></tr>",
                    (resize.atMillis() - startedMillis) / 1000.0,
                    resize.from(),
                    resize.to(),
                    resize.pauseMillis(),
                    resize.reason().plan(),
                    escape(resize.reason().text()),
                    resize.reason().exploring() ? " (exploring)" : ""));
        }
        html.append("</table>");
    }

    private static void row(StringBuilder html, String name, String value) {
        html.append("<tr><th>").append(name).append("</th><td>").append(value).append("</td></tr>");
    }

    private static String number(Directive directive) {
        return directive.plan() < 0 ? "none yet" : String.valueOf(directive.plan());
    }

    private static String number(OptionalDouble value, String unit) {
        return value.isPresent() ? String.format(Locale.ROOT, "%.4g%s", value.getAsDouble(), unit) : "not known yet";
    }

    /** Escapes text for HTML: names and reasons come from users and other programs. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
