package io.optimus.yarn.round;

import io.optimus.model.plan.Planner;
import io.optimus.yarn.configuration.OptimusConfiguration;
import io.optimus.yarn.jobs.Applications;
import io.optimus.yarn.jobs.JobRegistry;
import io.optimus.yarn.metrics.OptimusMetrics;
import io.optimus.yarn.plan.LatestPlan;

/**
 * What a round works with.
 *
 * @param configuration the settings
 * @param applications the ResourceManager's
 * @param registry the jobs
 * @param estimates what is believed of them
 * @param cluster where the view of the cluster comes from
 * @param planner allocates, places, and diffs
 * @param budget time that it may take to compute
 * @param board where the plan hangs
 * @param log what rounds were run
 * @param metrics figures
 * @param clock never goes back
 * @param wallClock since 1970
 */
record RoundParts(
        OptimusConfiguration configuration,
        Applications applications,
        JobRegistry registry,
        Beliefs estimates,
        ClusterSource cluster,
        Planner planner,
        TimeBudget budget,
        LatestPlan board,
        RoundLog log,
        OptimusMetrics metrics,
        RoundTimer.Clock clock,
        RoundTimer.Clock wallClock) {}
