package io.optimus.yarn;

import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.round.ControlLoop;
import io.optimus.yarn.whatif.WhatIfs;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * The scheduler's settings and state, for REST.
 *
 * @param configuration the settings
 * @param trainingAddress where jobs connect to; empty on a scheduler that is not active or does not listen
 * @param problems why an active scheduler does not serve training jobs, or that a round hangs; empty if all is well, and in
 *     mode {@code off}
 * @param state jobs, beliefs, plan and rounds
 * @param whatIfs answers questions about changes; empty on a scheduler that runs no rounds
 */
public record SchedulerOverview(
        OptimusConfiguration configuration,
        Optional<InetSocketAddress> trainingAddress,
        List<String> problems,
        ControlLoop.State state,
        Optional<WhatIfs> whatIfs) {}
