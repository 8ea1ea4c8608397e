package io.optimus.protocol;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/** No ResourceManager answered within YARN's connect settings. Training can go on and call again later. */
public final class SchedulerUnreachableException extends IOException {
    private static final long serialVersionUID = 1;

    SchedulerUnreachableException(List<InetSocketAddress> addresses, IOException cause) {
        super(
                "No training service answered at " + addresses + ": " + cause.getMessage()
                        + ". Is a ResourceManager active there, with yarn.resourcemanager.scheduler.class="
                        + "io.optimus.yarn.OptimusScheduler and yarn.scheduler.optimus.mode not off, and does "
                        + TrainingAddress.ADDRESS + " name its host and port?",
                cause);
    }
}
