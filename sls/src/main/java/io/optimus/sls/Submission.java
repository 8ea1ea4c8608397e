package io.optimus.sls;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.sls.AMDefinition;

/** How an application is submitted, as SLS's simulators take it. */
final class Submission extends AMDefinition.AmDefinitionBuilder {
    private static final Resource MASTER = Resource.newInstance(1024, 1);

    /**
     * A submission.
     *
     * @param queue path of the queue
     * @param delayMillis time from now until it is submitted
     */
    Submission(String queue, String user, long delayMillis) {
        this.queue = queue;
        this.user = user;
        this.jobStartTime = delayMillis;
        this.jobFinishTime = delayMillis;
        this.amResource = MASTER;
    }

    AMDefinition definition() {
        return new AMDefinition(this) {};
    }
}
