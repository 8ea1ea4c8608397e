package io.optimus.benchmarks;

import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.placement.PlacementDecision;
import io.optimus.model.plan.Strategies;
import io.optimus.model.plan.Strategy;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures steps 4 and 5 of a round, for one policy at one scale, in one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class PlanningBenchmark {
    private static final long SEED = 1;

    @Param("optimus")
    public String policy = "optimus";

    @Param("100")
    public int jobs = 100;

    @Param("64")
    public int nodes = 64;

    /** {@code first}: all jobs are new; {@code steady}: nine of ten run. */
    @Param("first")
    public String round = "first";

    private BusyCluster busy = BusyCluster.of(1, 1);
    private Strategy strategy = Strategies.named(policy).bySeed().apply(SEED);
    private AllocationDecision decision = strategy.policy().allocate(busy.cluster(), busy.jobs());

    /** Builds the snapshot and decides once, for {@link #place}. */
    @Setup(Level.Trial)
    public void build() {
        strategy = Strategies.named(policy).bySeed().apply(SEED);
        BusyCluster idle = BusyCluster.of(jobs, nodes);
        busy = round.equals("first") ? idle : idle.running(strategy);
        decision = strategy.policy().allocate(busy.cluster(), busy.jobs());
    }

    @Benchmark
    public AllocationDecision allocate(ProcessorTime time) {
        return time.of(() -> strategy.policy().allocate(busy.cluster(), busy.jobs()));
    }

    @Benchmark
    public PlacementDecision place(ProcessorTime time) {
        return time.of(() -> strategy.placer().place(busy.cluster(), busy.jobs(), decision));
    }
}
