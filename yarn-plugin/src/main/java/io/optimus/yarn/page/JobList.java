package io.optimus.yarn.page;

import io.optimus.yarn.jobs.JobView;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * One page of the jobs that a caller may see and looks for, newest first.
 *
 * @param wanted what the caller looks for
 * @param all all jobs that are registered, of which only sums are shown
 * @param found how many jobs the caller may see and looks for
 * @param page number of this page, from 1
 * @param jobs the jobs of this page
 */
record JobList(Wanted wanted, List<JobView> all, int found, int page, List<JobView> jobs) {
    /** A page of so many rows with curves is drawn and updated without delay. */
    static final int ROWS = 50;

    /**
     * What a caller looks for.
     *
     * @param search text in the id, the name, the user or the queue; empty for all
     * @param state state of the jobs; empty for all
     * @param page number of the page; the first one if it is no number
     */
    record Wanted(String search, String state, String page) {
        private boolean matches(JobView job) {
            String text = search.strip().toLowerCase(Locale.ROOT);
            return (state.isEmpty() || job.state().word().equals(state))
                    && (text.isEmpty()
                            || List.of(
                                            job.id().toString(),
                                            job.registration().name(),
                                            job.facts().user(),
                                            job.facts().queue())
                                    .stream()
                                    .anyMatch(part ->
                                            part.toLowerCase(Locale.ROOT).contains(text)));
        }

        private int number(int pages) {
            int number = page.matches("[0-9]{1,6}") ? Integer.parseInt(page) : 1;
            return Math.max(1, Math.min(pages, number));
        }

        /** The address of page {@code number} of the same list. */
        String address(int number) {
            return Frame.ROOT + "?search=" + URLEncoder.encode(search, StandardCharsets.UTF_8) + "&state="
                    + URLEncoder.encode(state, StandardCharsets.UTF_8) + "&page=" + number;
        }
    }

    static JobList of(List<JobView> all, Predicate<ApplicationId> maySee, Wanted wanted) {
        List<JobView> found = all.stream()
                .filter(wanted::matches)
                .filter(job -> maySee.test(job.id()))
                .sorted(Comparator.comparing(JobView::id).reversed())
                .toList();
        int page = wanted.number(pages(found.size()));
        int from = (page - 1) * ROWS;
        return new JobList(wanted, all, found.size(), page, found.subList(from, Math.min(found.size(), from + ROWS)));
    }

    int pages() {
        return pages(found);
    }

    private static int pages(int jobs) {
        return Math.max(1, (jobs + ROWS - 1) / ROWS);
    }
}
