package io.optimus.sim;

import io.optimus.model.cluster.Resources;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.sim.engine.QueuePolicies;
import io.optimus.sim.engine.Simulation;
import io.optimus.sim.engine.SimulationSetup;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.report.Recorder;
import io.optimus.sim.report.RunResult;
import io.optimus.sim.report.RunResult.Run;
import io.optimus.sim.trace.WorkloadSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Runs every workload with every policy and every seed, several at a time. The results have that order, whichever run ends
 * first.
 *
 * @param sources the sources of the workloads
 * @param policies the policies to compare
 * @param lowerBound whether to add the times that no schedule can beat
 * @param seeds the seeds of the runs
 * @param setup the cluster
 * @param terms what each policy may know of jobs
 * @param threads number of runs at a time, 1 or more
 */
record Experiment(
        List<WorkloadSource> sources,
        List<QueuePolicies> policies,
        boolean lowerBound,
        List<Long> seeds,
        SimulationSetup setup,
        Function<NamedStrategy, RunOptions> terms,
        int threads) {
    long jobs() {
        long jobsOfASeed = sources.stream().mapToLong(WorkloadSource::jobs).sum();
        return jobsOfASeed * policies.size() * seeds.size();
    }

    /** Runs all; several threads call {@code jobEnded}, once for each of the {@link #jobs}. */
    List<RunResult> run(Runnable jobEnded) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<RunResult>> futures = new ArrayList<>();
            for (WorkloadSource source : sources) {
                for (QueuePolicies policy : policies) {
                    for (long seed : seeds) {
                        futures.add(pool.submit(() -> run(source, policy, seed, jobEnded)));
                    }
                }
                for (long seed : lowerBound ? seeds : List.<Long>of()) {
                    futures.add(pool.submit(() -> bound(source, seed)));
                }
            }
            List<RunResult> results = new ArrayList<>();
            for (Future<RunResult> future : futures) {
                results.add(future.get());
            }
            return results;
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw failed.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(failed.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private RunResult bound(WorkloadSource source, long seed) {
        return RunResult.bound(
                new Run(source.name(), LowerBound.NAME, seed), LowerBound.of(source.draw(seed), seed, setup));
    }

    private RunResult run(WorkloadSource source, QueuePolicies policy, long seed, Runnable jobEnded) {
        Workload workload = source.draw(seed);
        Recorder recorder = new Recorder(jobEnded);
        Simulation simulation = new Simulation(
                workload, setup, policy, terms.apply(policy.byDefault()), seed, System::nanoTime, recorder);
        simulation.run();
        return recorder.result(
                new Run(source.name(), policy.name(), seed),
                setup.capacity().amount(Resources.GPUS),
                simulation.events());
    }
}
