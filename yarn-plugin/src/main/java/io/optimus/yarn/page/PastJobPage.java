package io.optimus.yarn.page;

import io.optimus.pages.Html;
import io.optimus.pages.LossSection;
import io.optimus.pages.PageText;
import io.optimus.yarn.history.PastJob;
import io.optimus.yarn.jobs.CheckedLife.CheckedPrediction;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The page of a job that has ended, as long as the scheduler remembers it. */
final class PastJobPage {
    private static final int PERCENT = 100;

    private PastJobPage() {}

    static String of(PastJob job, Optional<String> user) {
        String id = job.id().toString();
        Html html = Frame.begin(job.owned().name() + " · " + id, user);
        html.begin("p", "class", "links").link(Frame.ROOT, "All training jobs");
        html.text(" · ").link("/cluster/app/" + id, "Application in YARN").end();
        summary(html, job);
        LossSection.withoutFit(
                html,
                job.end().losses(),
                "Its ApplicationMaster did not tell of its end: its losses are in its journal.");
        predictions(html, job.checked());
        return Frame.end(html);
    }

    /** The jobs that ended last. */
    static void list(Html html, List<PastJob> newest) {
        html.begin("section", "aria-labelledby", "ended-title");
        html.element("h2", "Ended last", "id", "ended-title");
        html.note("ended-note", newest.isEmpty() ? "No job has ended since the scheduler started." : "");
        html.table("ended", "Jobs that ended last", "Job", "User", "Queue", "Outcome", "Ended", "#Steps", "#Loss");
        for (PastJob job : newest) {
            String id = job.id().toString();
            html.begin("tr", "id", "ended-" + id).begin("th", "scope", "row");
            html.link(Frame.ROOT + "/job/" + id, job.owned().name()).end();
            html.element("td", job.owned().user()).element("td", job.owned().queue());
            html.element("td", job.outcome().word()).begin("td");
            PageText.time(html, job.endedMillis());
            html.end();
            number(html, PageText.count(job.result().step()));
            number(html, PageText.number(job.result().loss()));
            html.end();
        }
        html.endTable().end();
    }

    private static void summary(Html html, PastJob job) {
        html.begin("div", "id", "summary", "data-live", "");
        html.begin("p", "class", "reason")
                .element("strong", "Has ended: ")
                .text(job.outcome().word() + ". ");
        html.element("strong", "Last decision: ").text(job.result().reason()).end();
        html.begin("dl", "class", "figures");
        html.figure("User", job.owned().user());
        html.figure("Queue", job.owned().queue());
        time(html, "Submitted", job.owned().submittedMillis());
        time(html, "Ended", job.endedMillis());
        html.figure("Steps", PageText.count(job.result().step()));
        html.figure("Epochs", PageText.number(job.result().epoch()));
        html.figure("Loss", PageText.number(job.result().loss()));
        html.figure("Accuracy on held-out samples", PageText.number(job.end().accuracy()));
        html.figure("Largest size", PageText.allocation(job.result().tasks()));
        html.figure("Resizes", PageText.count(job.result().resizes()));
        html.figure("Model and result in", job.end().output().orElse(PageText.UNKNOWN));
        html.end().end();
    }

    private static void time(Html html, String name, long millis) {
        html.begin("div").element("dt", name).begin("dd");
        PageText.time(html, millis);
        html.end().end();
    }

    private static void predictions(Html html, List<CheckedPrediction> checked) {
        html.begin("section", "aria-labelledby", "predictions-title");
        html.element("h2", "Predictions and outcome", "id", "predictions-title");
        html.note(
                "predictions-note",
                checked.isEmpty()
                        ? "Predictions are checked where a job ends as it should and was seen from its beginning."
                        : "");
        html.table(
                "predictions",
                "Predictions and outcome",
                "#Of its life",
                "#Predicted to end in",
                "#Ended in",
                "#Predicted steps/s",
                "#Steps/s");
        for (CheckedPrediction each : checked) {
            html.begin("tr", "id", "prediction-" + Math.round(PERCENT * each.fraction()));
            html.element("th", Math.round(PERCENT * each.fraction()) + " %", "scope", "row", "class", "number");
            number(html, seconds(each.predicted().seconds()));
            number(html, PageText.seconds(each.seconds()));
            number(html, PageText.number(each.predicted().stepsPerSecond()));
            number(html, PageText.number(each.stepsPerSecond()));
            html.end();
        }
        html.endTable().end();
    }

    private static String seconds(OptionalDouble seconds) {
        return seconds.isPresent() ? PageText.seconds(seconds.getAsDouble()) : PageText.UNKNOWN;
    }

    private static void number(Html html, String text) {
        html.element("td", text, "class", "number");
    }
}
