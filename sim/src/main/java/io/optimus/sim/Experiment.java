package io.optimus.sim;

import io.optimus.model.cluster.Resources;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.sim.engine.Setup;
import io.optimus.sim.engine.Simulation;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.knowledge.Terms;
import io.optimus.sim.report.Recorder;
import io.optimus.sim.report.RunResult;
import io.optimus.sim.trace.WorkloadSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/**
 * Runs every workload with every policy and every seed, several at a time. The results come in that order, whoever was
 * first to end.
 *
 * @param sources of the workloads
 * @param policies how jobs are scheduled
 * @param lowerBound whether what no schedule can beat is told beside them
 * @param seeds of the runs
 * @param setup what they run on
 * @param terms what a policy may know of jobs
 * @param threads how many runs at a time, 1 or more
 */
record Experiment(
        List<WorkloadSource> sources,
        List<NamedStrategy> policies,
        boolean lowerBound,
        List<Long> seeds,
        Setup setup,
        Function<NamedStrategy, Terms> terms,
        int threads) {
    /** Is told how far the runs are; by several threads. */
    interface Progress {
        /** A run will have so many jobs. */
        void expect(int jobs);

        /** One job ended. */
        void ended();
    }

    /** All runs. */
    List<RunResult> run(Progress progress) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<RunResult>> futures = new ArrayList<>();
            for (WorkloadSource source : sources) {
                for (NamedStrategy policy : policies) {
                    for (long seed : seeds) {
                        futures.add(pool.submit(() -> run(source, policy, seed, progress)));
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
            throw failed.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException(failed.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private RunResult bound(WorkloadSource source, long seed) {
        return RunResult.bound(source.name(), LowerBound.NAME, seed, LowerBound.of(source.draw(seed), seed, setup));
    }

    private RunResult run(WorkloadSource source, NamedStrategy policy, long seed, Progress progress) {
        Workload workload = source.draw(seed);
        progress.expect(workload.jobs().size());
        Recorder recorder = new Recorder(ended -> progress.ended());
        Simulation simulation =
                new Simulation(workload, setup, policy, terms.apply(policy), seed, System::nanoTime, recorder);
        simulation.run();
        return recorder.result(
                source.name(), policy.name(), seed, setup.capacity().amount(Resources.GPUS), simulation.events());
    }
}
