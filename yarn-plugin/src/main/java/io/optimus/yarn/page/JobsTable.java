package io.optimus.yarn.page;

import io.optimus.model.Allocation;
import io.optimus.pages.Html;
import io.optimus.pages.PageText;
import io.optimus.yarn.SchedulerOverview;
import io.optimus.yarn.configuration.SchedulerMode;
import io.optimus.yarn.jobs.JobView;

/** The jobs as a table, with what to look for above and the other pages of the list below. */
final class JobsTable {
    private JobsTable() {}

    static void write(Html html, SchedulerOverview overview, JobList list) {
        boolean advice = overview.configuration().mode() == SchedulerMode.ADVISE;
        html.begin("section", "aria-labelledby", "jobs-title");
        html.element("h2", "Jobs", "id", "jobs-title");
        search(html, list.wanted());
        html.table(
                "jobs",
                "Jobs",
                "Job",
                "Queue",
                "User",
                "State",
                "Tasks now → planned" + (advice ? " (advice only)" : ""),
                "#Step",
                "Loss",
                "#Steps/s",
                "Predicted end",
                "#Resizes");
        list.jobs().forEach(job -> row(html, overview, ShownJob.of(overview, job)));
        html.endTable();
        html.begin("p", "id", "pages", "data-live", "", "class", "pages");
        html.text(list.found() == 1 ? "1 job" : PageText.count(list.found()) + " jobs");
        if (list.pages() > 1) {
            html.text(", page " + list.page() + " of " + list.pages());
            if (list.page() > 1) {
                html.text(" ").link(list.wanted().address(list.page() - 1), "Newer jobs");
            }
            if (list.page() < list.pages()) {
                html.text(" ").link(list.wanted().address(list.page() + 1), "Older jobs");
            }
        }
        html.end().end();
    }

    private static void search(Html html, JobList.Wanted wanted) {
        html.begin("form", "method", "get", "action", Frame.ROOT, "role", "search");
        html.element("label", "Id, name, user or queue", "for", "search");
        html.text(" ").single("input", "id", "search", "name", "search", "type", "search", "value", wanted.search());
        html.text(" ").element("label", "State", "for", "state-choice");
        html.text(" ").begin("select", "id", "state-choice", "name", "state");
        option(html, "", "all", wanted.state());
        for (JobView.State state : JobView.State.values()) {
            option(html, state.word(), state.word(), wanted.state());
        }
        html.end().text(" ").element("button", "Show", "type", "submit").end();
    }

    private static void option(Html html, String value, String text, String chosen) {
        if (value.equals(chosen)) {
            html.element("option", text, "value", value, "selected", "");
        } else {
            html.element("option", text, "value", value);
        }
    }

    private static void row(Html html, SchedulerOverview overview, ShownJob job) {
        JobView view = job.view();
        String id = view.id().toString();
        html.begin("tr", "id", "row-" + id);
        html.begin("th", "scope", "row", "class", "name");
        html.element("a", view.registration().name(), "id", "link-" + id, "href", Frame.ROOT + "/job/" + id);
        html.element("span", id, "class", "id").end();
        html.element("td", view.facts().queue());
        html.element("td", view.facts().user());
        html.begin("td")
                .element(
                        "span",
                        view.state().word(),
                        "class",
                        "state " + view.state().word())
                .end();
        html.begin("td", "title", job.reason());
        tasks(html, job);
        html.end();
        html.element("td", PageText.count(view.progress().step()), "class", "number");
        html.begin("td");
        Drawing.sparkline(html, overview.state().registry().losses(view.id()));
        html.element("span", PageText.number(view.progress().loss()), "class", "under")
                .end();
        html.element("td", PageText.number(job.stepsPerSecond()), "class", "number");
        html.element("td", job.remaining().map(PageText::remaining).orElse(PageText.UNKNOWN));
        html.element("td", resizes(job), "class", "number");
        html.end();
    }

    private static void tasks(Html html, ShownJob job) {
        Allocation now = job.now();
        Allocation planned = job.planned();
        Drawing.bar(
                html,
                PageText.allocation(now) + " now, " + PageText.allocation(planned) + " planned",
                now.tasks(),
                planned.tasks(),
                job.view().registration().demand().maximum().tasks());
        html.element(
                "span",
                now.equals(planned)
                        ? PageText.allocation(now)
                        : PageText.allocation(now) + " → " + PageText.allocation(planned),
                "class",
                "under");
    }

    private static String resizes(ShownJob job) {
        int done = job.view().history().resizesDone();
        return done == 0 ? "0" : done + " (" + PageText.millis(job.pausedMillis()) + ")";
    }
}
