package io.optimus.yarn.jobs;

import io.optimus.model.Allocation;
import io.optimus.model.speed.MeasuredSizes;
import io.optimus.model.speed.SizeRange;
import io.optimus.yarn.validation.Registration;
import io.optimus.yarn.validation.Resize;
import io.optimus.yarn.validation.TaskRate;
import java.util.List;
import java.util.SortedSet;
import org.apache.hadoop.yarn.api.records.ApplicationId;

/**
 * A job as a round and the pages see it: copied, never changing.
 *
 * @param id of the application
 * @param facts what the ResourceManager knew of it when it last called
 * @param registration what it said of itself
 * @param state where it is in its life
 * @param progress where it says that it is
 * @param speeds sizes that ran, with their speeds
 * @param givenUp sizes that were explored and gave no sample
 * @param exploredSteps steps that were run for exploring
 * @param resizes resizes that were carried out, oldest first
 * @param tasks rates of its tasks, as last reported
 * @param refusedValues values that were refused since it registered
 * @param version rises with every change that a fit wants to know of
 * @param held what it held so far
 * @param resizesDone resizes that it carried out, those of {@code resizes} and earlier ones, without its start
 * @param gpuSpeed of the GPUs that it trains on; {@code speeds} are as on GPUs of speed 1
 */
public record JobView(
        ApplicationId id,
        ApplicationFacts facts,
        Registration registration,
        JobState state,
        JobProgress progress,
        MeasuredSizes speeds,
        SortedSet<Allocation> givenUp,
        long exploredSteps,
        List<Resize> resizes,
        List<TaskRate> tasks,
        long refusedValues,
        long version,
        HeldTasks held,
        int resizesDone,
        double gpuSpeed) {

    /** Sizes that it can run on. */
    public SizeRange range() {
        return new SizeRange(
                new Allocation(
                        registration.parameterServers().min(),
                        registration.workers().min()),
                new Allocation(
                        registration.parameterServers().max(),
                        registration.workers().max()));
    }
}
