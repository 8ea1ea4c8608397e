package io.optimus.yarn.soak;

import io.optimus.model.Allocation;

/**
 * How a scripted job really trains: its speed by size, and its loss by step.
 *
 * <p>With {@code w} workers a step takes {@code compute/w + fixed + perWorker w} seconds, and with {@code p} parameter servers
 * also {@code transfer w/p}. The loss after {@code e} epochs is {@code 1/(decay e + 1) + floor}.
 *
 * @param computeSeconds of a step on one worker
 * @param fixedSeconds of every step
 * @param perWorkerSeconds of a step, for each worker
 * @param transferSeconds of a step between one worker and one parameter server; 0 for a job without parameter servers
 * @param decay of the loss for each epoch
 * @param floor of the loss
 */
record Truth(
        double computeSeconds,
        double fixedSeconds,
        double perWorkerSeconds,
        double transferSeconds,
        double decay,
        double floor) {

    double stepsPerSecond(Allocation size) {
        if (size.workers() == 0 || (transferSeconds > 0 && size.parameterServers() == 0)) {
            return 0;
        }
        double transfer = transferSeconds == 0 ? 0 : transferSeconds * size.workers() / size.parameterServers();
        return 1 / (computeSeconds / size.workers() + fixedSeconds + perWorkerSeconds * size.workers() + transfer);
    }

    double lossAfter(double epochs) {
        return 1 / (decay * epochs + 1) + floor;
    }
}
