package io.optimus.yarn.page;

import io.optimus.pages.AllocationSection;
import io.optimus.pages.Html;
import io.optimus.pages.PageText;
import io.optimus.yarn.jobs.JobTimeline;
import io.optimus.yarn.validation.ReportedResize;
import java.util.ArrayList;
import java.util.List;

/** The tasks that a job held over time, its resizes with their cost, and every decision with its reason. */
final class TimelineSection {
    private final long wallMinusClock;

    /**
     * Sections that show times of the rounds' clock.
     *
     * @param clockMillis now, by the clock of the rounds
     * @param wallMillis now, since 1970
     */
    TimelineSection(long clockMillis, long wallMillis) {
        // Rounded, so that a page that has not changed is the same text.
        this.wallMinusClock = Math.round((wallMillis - clockMillis) / 1000.0) * 1000;
    }

    private long wall(long clockMillis) {
        return clockMillis + wallMinusClock;
    }

    /** The allocation over time. */
    void allocation(Html html, List<JobTimeline.Size> sizes, long nowMillis) {
        AllocationSection.write(
                html,
                sizes.stream()
                        .map(size -> new AllocationSection.Size(wall(size.atMillis()), size.tasks()))
                        .toList(),
                wall(nowMillis));
    }

    /** The resizes that were carried out, newest first. */
    static void resizes(Html html, List<ReportedResize> resizes) {
        html.begin("section", "aria-labelledby", "resizes-title");
        html.element("h2", "Resizes", "id", "resizes-title");
        html.table("resizes", "Resizes", "From", "To", "#Pause", "#Plan", "Reason");
        for (int i = resizes.size() - 1; i >= 0; i--) {
            ReportedResize resize = resizes.get(i);
            html.begin("tr", "id", "resize-" + i + "-" + resize.plan());
            html.element("td", PageText.allocation(resize.from()));
            html.element("td", PageText.allocation(resize.to()));
            html.element("td", PageText.millis(resize.pauseMillis()), "class", "number");
            html.element("td", String.valueOf(resize.plan()), "class", "number");
            html.element("td", resize.reason() + (resize.exploring() ? " (exploring)" : ""), "class", "reason");
            html.end();
        }
        html.endTable().end();
    }

    /** What plans decided, newest first; a decision that was only repeated is one row. */
    void decisions(Html html, List<JobTimeline.Decision> decisions) {
        html.begin("section", "aria-labelledby", "decisions-title");
        html.element("h2", "Decisions", "id", "decisions-title");
        html.table("decisions", "Decisions", "Time", "#Plan", "Planned", "Reason");
        List<JobTimeline.Decision> shown = withoutRepetitions(decisions);
        for (int i = shown.size() - 1; i >= 0; i--) {
            JobTimeline.Decision decision = shown.get(i);
            html.begin("tr", "id", "decision-" + decision.plan()).begin("td");
            PageText.time(html, wall(decision.atMillis()));
            html.end().element("td", String.valueOf(decision.plan()), "class", "number");
            html.element("td", PageText.allocation(decision.planned()));
            html.element("td", decision.reason() + (decision.exploring() ? " (exploring)" : ""), "class", "reason");
            html.end();
        }
        html.endTable().end();
    }

    private static List<JobTimeline.Decision> withoutRepetitions(List<JobTimeline.Decision> decisions) {
        List<JobTimeline.Decision> kept = new ArrayList<>();
        for (JobTimeline.Decision decision : decisions) {
            boolean repeated = !kept.isEmpty()
                    && kept.get(kept.size() - 1).planned().equals(decision.planned())
                    && kept.get(kept.size() - 1).reason().equals(decision.reason());
            if (!repeated) {
                kept.add(decision);
            }
        }
        return kept;
    }
}
