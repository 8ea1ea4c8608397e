package io.optimus.yarn;

import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.plan.LatestPlan;
import io.optimus.yarn.round.Beliefs;
import io.optimus.yarn.round.RoundLog;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/**
 * Where everything that is shown comes from.
 *
 * @param configuration the settings
 * @param trainingAddress where jobs connect to; empty on a scheduler that is not active, or that does not listen
 * @param problems why an active scheduler does not serve training jobs; empty where it does, and in mode {@code off}
 * @param registry the jobs
 * @param estimates what is believed of them
 * @param board the plan
 * @param log the last rounds
 */
public record SchedulerOverview(
        OptimusConfiguration configuration,
        Optional<InetSocketAddress> trainingAddress,
        List<String> problems,
        JobRegistry registry,
        Beliefs estimates,
        LatestPlan board,
        RoundLog log) {}
