package io.optimus.yarn.recording;

import io.optimus.model.belief.Estimate;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.plan.PublishedPlan;
import io.optimus.yarn.read.ClusterView;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/** What is recorded: immutable copies, which another thread writes later. */
public sealed interface Recorded {
    /** When it happened, in milliseconds since 1970. */
    long atMillis();

    /**
     * A round.
     *
     * @param facts when it ran, why, and what came of it
     * @param view the cluster as the round saw it, without what administrators drain
     * @param jobs the jobs before the round
     * @param estimates what was believed of them, by application
     * @param plan the plan in force after the round
     * @param settings the settings in force
     */
    record Round(
            Facts facts,
            ClusterView view,
            List<JobView> jobs,
            Map<ApplicationId, Estimate> estimates,
            PublishedPlan plan,
            OptimusConfiguration settings)
            implements Recorded {
        public Round {
            jobs = List.copyOf(jobs);
            estimates = Map.copyOf(estimates);
        }

        @Override
        public long atMillis() {
            return facts.startedMillis();
        }
    }

    /**
     * When a round ran, why, and what came of it.
     *
     * @param number counts from 1 in each ResourceManager
     * @param startedMillis when it began, in milliseconds since 1970
     * @param durationMillis how long it took
     * @param triggers why it ran before its regular time, in words; none for a regular round
     * @param outcome its decision in words
     */
    record Facts(long number, long startedMillis, long durationMillis, List<String> triggers, String outcome) {
        public Facts {
            triggers = List.copyOf(triggers);
        }
    }

    /**
     * The end of a job.
     *
     * @param atMillis when, in milliseconds since 1970
     * @param job its application
     * @param outcome how it ended, in the word of REST
     * @param step the last step that is known; -1 if none is
     * @param loss the last loss that is known
     */
    record End(long atMillis, ApplicationId job, String outcome, long step, OptionalDouble loss) implements Recorded {}
}
