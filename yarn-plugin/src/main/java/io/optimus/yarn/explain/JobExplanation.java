package io.optimus.yarn.explain;

import io.optimus.model.Allocation;
import io.optimus.model.decision.Explanation;
import io.optimus.model.decision.Reason;
import java.util.List;
import java.util.Optional;

/**
 * Why a job has what it has.
 *
 * @param why the reason, as everywhere else
 * @param asked what its owner asked for
 * @param tasks what it has
 * @param limits what its next tasks have to fit into, the narrowest scope first; empty before the first round
 * @param rival the job that has what this one could use; empty if none has, or the reason names none
 * @param place its place among the jobs of its queue that wait; empty if it does not wait, or the policy serves them in
 *     no order of theirs
 * @param outlook what would change it, and when
 */
public record JobExplanation(
        Explanation why,
        Asked asked,
        Tasks tasks,
        List<Limit> limits,
        Optional<Reason.Rival> rival,
        Optional<Place> place,
        Outlook outlook) {
    public JobExplanation {
        limits = List.copyOf(limits);
    }

    /**
     * The tasks of the job.
     *
     * @param held tasks that train now
     * @param planned tasks that the plan gives it
     * @param awaited tasks that YARN is asked for within the guarantee of the queue
     * @param next what it would take next: its minimum if it waits, else one more task; none if it is at its maximum
     */
    public record Tasks(Allocation held, Allocation planned, Allocation awaited, Allocation next) {}

    /**
     * The place of a job that waits.
     *
     * @param place 1 for the next one
     * @param waiting how many jobs of the queue wait
     * @param order by what they are served, in words
     */
    public record Place(int place, int waiting, String order) {}

    /**
     * What would change the job.
     *
     * @param remedies what would change it, in sentences; at least one
     * @param releases the predicted ends of other jobs that together make room for its next tasks, the earliest first; empty if
     *     there is room already, or if too few ends are predicted
     */
    public record Outlook(List<String> remedies, List<Release> releases) {
        public Outlook {
            remedies = List.copyOf(remedies);
            releases = List.copyOf(releases);
        }

        /** The end that completes the room; empty if there is no prediction. */
        public Optional<Release> last() {
            return releases.isEmpty() ? Optional.empty() : Optional.of(releases.get(releases.size() - 1));
        }
    }
}
