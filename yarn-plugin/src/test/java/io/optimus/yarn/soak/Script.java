package io.optimus.yarn.soak;

import io.optimus.model.Allocation;
import java.util.OptionalDouble;

/** What an application of a soak does. */
sealed interface Script {
    /** Who submits it, when, and where. */
    Submission submission();

    /** What its master does. */
    Work work(SoakCluster cluster);

    /**
     * A submission.
     *
     * @param atMillis since the soak began
     * @param seed of everything random in the application
     */
    record Submission(long atMillis, String queue, String user, long seed) {}

    /**
     * An ordinary application: it asks for containers on any nodes, and for one more where one is lost.
     *
     * @param containers how many it needs to end
     * @param atOnce how many it holds or asks for at a time
     * @param containerMillis how long each runs
     * @param gpus of each container
     */
    record Ordinary(Submission submission, int containers, int atOnce, long containerMillis, int gpus)
            implements Script {
        @Override
        public Work work(SoakCluster cluster) {
            return new OrdinaryWork(cluster, this);
        }
    }

    /**
     * A training job.
     *
     * @param min its smallest size; without parameter servers it trains by all-reduce
     * @param max its largest size
     * @param truth how it really trains
     * @param steps after which it ends
     * @param stepsPerEpoch steps of an epoch
     * @param manners how its master behaves
     */
    record Training(
            Submission submission,
            Allocation min,
            Allocation max,
            Truth truth,
            long steps,
            int stepsPerEpoch,
            Manners manners)
            implements Script {
        @Override
        public Work work(SoakCluster cluster) {
            return new TrainingWork(cluster, this);
        }
    }

    /**
     * How the master of a job behaves.
     *
     * @param delayMillis from a directive until it acts
     * @param startMillis from a container until its task is ready
     * @param ignoresShrinks whether it releases nothing that a directive takes
     * @param mayShrink whether it registers as preemptible
     * @param diesAfter fraction of its steps after which its process ends once; empty for never
     * @param keepsContainers whether its tasks outlive its process
     * @param losesTaskAfter fraction of its steps after which one of its tasks ends once; empty for never
     */
    record Manners(
            long delayMillis,
            long startMillis,
            boolean ignoresShrinks,
            boolean mayShrink,
            OptionalDouble diesAfter,
            boolean keepsContainers,
            OptionalDouble losesTaskAfter) {
        /** One that follows all directives at once. */
        static Manners prompt(long delayMillis) {
            return new Manners(delayMillis, 500, false, true, OptionalDouble.empty(), true, OptionalDouble.empty());
        }
    }
}
