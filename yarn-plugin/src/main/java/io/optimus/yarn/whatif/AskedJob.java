package io.optimus.yarn.whatif;

import io.optimus.model.Allocation;
import io.optimus.model.cluster.Resources;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.yarn.validation.DemandLimits;
import java.util.Collections;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job that would be submitted now.
 *
 * @param registration its registration
 * @param user who would submit it
 * @param queue path of its leaf queue
 * @param master resources of its ApplicationMaster
 * @param limits the limits of its queue
 * @param speeds what its owner says of its steps per second, by size; may be empty
 * @param steps what its owner says of its steps in all
 */
public record AskedJob(
        RegisterJobRequestProto registration,
        String user,
        String queue,
        Resources master,
        DemandLimits limits,
        SortedMap<Allocation, Double> speeds,
        OptionalDouble steps) {
    public AskedJob {
        speeds = Collections.unmodifiableSortedMap(new TreeMap<>(speeds));
    }
}
