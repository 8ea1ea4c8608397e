package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.belief.BeliefSource;
import io.optimus.model.belief.LearningMode;
import io.optimus.model.cluster.ClusterSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.convergence.StopRule;
import io.optimus.model.curve.LossCurve.InverseDecay;
import io.optimus.model.decision.AllocationDecision;
import io.optimus.model.decision.AllocationDecision.Decided;
import io.optimus.model.decision.AllocationReason;
import io.optimus.model.job.JobDemand;
import io.optimus.model.job.JobHistory;
import io.optimus.model.job.JobSnapshot;
import io.optimus.model.job.Placement;
import io.optimus.model.job.RoleDemand;
import io.optimus.model.losses.LossPoint;
import io.optimus.model.placement.OptimusPlacer;
import io.optimus.model.plan.NamedStrategy;
import io.optimus.model.plan.NamedStrategy.Batch;
import io.optimus.model.plan.NamedStrategy.KnowledgeSource;
import io.optimus.model.plan.Strategy;
import io.optimus.model.plan.Strategy.Resizes;
import io.optimus.model.policy.AllocationPolicy;
import io.optimus.model.speed.SpeedForm;
import io.optimus.model.speed.SpeedFunction;
import io.optimus.model.speed.SpeedSample;
import io.optimus.model.speed.SynchronousSpeed;
import io.optimus.sim.engine.Faults;
import io.optimus.sim.engine.JobOutcome;
import io.optimus.sim.engine.ResizePause;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulatedJob.Begun;
import io.optimus.sim.engine.Simulation;
import io.optimus.sim.engine.SimulationListener;
import io.optimus.sim.engine.SimulationSetup;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.knowledge.Knowledge;
import io.optimus.sim.knowledge.LearnedKnowledge;
import io.optimus.sim.knowledge.LearnedKnowledge.Declaration;
import io.optimus.sim.knowledge.RunOptions;
import io.optimus.sim.truth.NoisyLosses;
import io.optimus.sim.truth.SteppingTraining;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.Test;

/**
 * ResourceManager and simulator tell a policy the same of a job. A simulation under a policy that decides at random resizes
 * jobs and lets them explore. The reports of its jobs go to the classes of the ResourceManager, too; ApplicationMasters and
 * the ResourceManager are restarted at random. In each round both sides must make equal snapshots.
 */
public final class OneBeliefTest {
    private static final int SEEDS = 24;
    private static final int ROUND_SECONDS = 60;
    private static final long MILLIS = 1000;
    private static final Resources NODE = Resources.of(65_536, 32, 8);
    private static final JobDemand DEMAND = new JobDemand(
            new RoleDemand(Resources.of(1024, 1, 0), 1, 4), new RoleDemand(Resources.of(1024, 1, 1), 1, 8));
    private static final StopRule STOP =
            new StopRule.FirstOf(List.of(new StopRule.MaxEpochs(SchedulerSide.MOST_EPOCHS)));

    @Test
    public void bothSidesTellAPolicyTheSame() throws Exception {
        int explorations = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Run run = new Run(seed);
            run.run();
            explorations += run.explorations;
        }

        assertThat(explorations).as("sizes to learn from").isGreaterThan(10 * SEEDS);
    }

    /** One simulation, and the scheduler that gets the same reports. */
    private static final class Run implements AllocationPolicy, SimulationListener {
        private final int seed;
        private final Random random;
        private final LearningMode learning;
        private final int pauseSeconds;
        private final SchedulerSide scheduler;
        private final Map<String, Boolean> exploring = new HashMap<>();
        private final Map<Integer, Observation> observations = new HashMap<>();
        private final Map<String, Integer> numbers = new HashMap<>();
        private boolean forgot;
        private int compared;
        private int explorations;

        Run(int seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.learning = LearningMode.values()[seed % LearningMode.values().length];
            // Never a multiple of a round: a job that begins to step at that moment would be reported a round later.
            this.pauseSeconds = new int[] {1, 20, 45, 90, 130}[random.nextInt(5)];
            this.scheduler = new SchedulerSide(DEMAND, learning, pauseSeconds * MILLIS, ROUND_SECONDS * MILLIS);
        }

        void run() throws Exception {
            List<SimulatedJob> jobs = new ArrayList<>();
            for (int number = 1; number <= 1 + random.nextInt(3); number++) {
                jobs.add(job(number, random.nextInt(600)));
            }
            SimulationSetup setup = new SimulationSetup(
                    SimulationSetup.nodes(2, NODE), ROUND_SECONDS, false, ResizePause.of(pauseSeconds), Faults.NONE);
            NamedStrategy named = new NamedStrategy(
                    "random",
                    "for a test",
                    KnowledgeSource.LEARNED,
                    Batch.FIXED,
                    any -> new Strategy(this, new OptimusPlacer(), Resizes.AS_DECIDED));
            RunOptions options = RunOptions.of(KnowledgeSource.LEARNED, Batch.FIXED);
            new Simulation(new Workload("random", jobs), setup, named, options, seed, () -> 0, this).run();
            assertThat(compared).as("snapshots of seed %s", seed).isGreaterThan(10);
        }

        private SimulatedJob job(int number, int arrivalSeconds) {
            SynchronousSpeed truth = new SynchronousSpeed(
                    SchedulerSide.BATCH, random.nextDouble() / 128, 0.1, 0.3 * random.nextDouble(), 0.01, 0.001);
            double steps = 2000 * truth.stepsPerSecond(new Allocation(1, 1));
            SimulatedJob.Script script = (options, jobSeed) -> {
                NoisyLosses losses = new NoisyLosses(
                        new InverseDecay(0.002, 1, 0.1, 2, 0), 0.01, SchedulerSide.STEPS_PER_EPOCH, jobSeed);
                SteppingTraining training = new SteppingTraining(truth, steps, Optional.of(losses));
                return new Begun(training, new ReportedTwice(number, training), List.of());
            };
            return new SimulatedJob(
                    SchedulerSide.id(number).toString(),
                    "test",
                    arrivalSeconds,
                    DEMAND,
                    DEMAND.maximum(),
                    OptionalDouble.empty(),
                    script);
        }

        private record Observation(List<LossPoint> losses, List<SpeedSample> speeds, double step) {}

        /** What the simulated scheduler learns. The ResourceManager's classes get the same reports. */
        private final class ReportedTwice implements Knowledge {
            private final int number;
            private final SteppingTraining training;
            private final LearnedKnowledge learned;

            ReportedTwice(int number, SteppingTraining training) {
                this.number = number;
                this.training = training;
                this.learned = new LearnedKnowledge(
                        training.reports(),
                        DEMAND,
                        new Declaration(
                                new SpeedForm.Synchronous(SchedulerSide.BATCH),
                                Optional.of(STOP),
                                SchedulerSide.STEPS_PER_EPOCH),
                        0,
                        1);
            }

            @Override
            public boolean observe() {
                List<LossPoint> losses = training.reports().takeLosses();
                List<SpeedSample> speeds = training.reports().takeSpeeds();
                double step = training.reports().step();
                observations.put(number, new Observation(losses, speeds, step));
                return learned.observe(losses, speeds, step);
            }

            @Override
            public void planned(Allocation size, boolean explores) {
                learned.planned(size, explores);
            }

            @Override
            public BeliefSource belief() {
                return learned.belief();
            }
        }

        @Override
        public String name() {
            return "random";
        }

        @Override
        public boolean resizes() {
            return learning != LearningMode.FIXED_SIZE;
        }

        @Override
        public boolean exploresFirst() {
            return learning != LearningMode.TRY_SIZES;
        }

        @Override
        public AllocationDecision allocate(ClusterSnapshot cluster, List<JobSnapshot> jobs) {
            try {
                compare(cluster, jobs);
            } catch (Exception e) {
                throw new AssertionError("seed " + seed, e);
            }
            Map<String, Decided> decided = new HashMap<>();
            for (JobSnapshot job : jobs) {
                Decided decision = decide(job, jobs.size());
                exploring.put(job.id(), decision.exploring());
                decided.put(job.id(), decision);
            }
            return AllocationDecision.of(decided);
        }

        private void compare(ClusterSnapshot cluster, List<JobSnapshot> jobs) throws Exception {
            double nowSeconds = clockOf(jobs);
            long nowMillis = Math.round(nowSeconds * MILLIS);
            for (JobSnapshot job : jobs) {
                if (!numbers.containsKey(job.id())) {
                    int number = Integer.parseInt(job.id().substring(job.id().lastIndexOf('_') + 1));
                    numbers.put(job.id(), number);
                    scheduler.submit(number, job.submitMillis());
                } else {
                    scheduler.planned(numbers.get(job.id()), exploring.get(job.id()));
                }
            }
            observations.forEach((number, seen) -> scheduler.report(number, seen.losses(), seen.speeds(), seen.step()));
            observations.clear();
            restart(jobs);
            Map<String, JobSnapshot> simulated = scheduler.snapshots(cluster, nowMillis);
            for (JobSnapshot job : jobs) {
                String at = "seed " + seed + " at " + nowSeconds + " s " + job.id();
                JobSnapshot other = simulated.get(job.id());
                assertThat(comparable(other)).as(at).isEqualTo(comparable(job));
                assertThat(speeds(other)).as(at).isEqualTo(speeds(job));
                compared++;
                explorations += job.belief().exploration().isPresent() ? 1 : 0;
            }
        }

        /** All jobs are as old as now. */
        private static double clockOf(List<JobSnapshot> jobs) {
            JobSnapshot any = jobs.get(0);
            return (double) any.submitMillis() / MILLIS + any.history().ageSeconds();
        }

        private void restart(List<JobSnapshot> jobs) throws Exception {
            if (random.nextInt(15) == 0) {
                scheduler.restartMaster(
                        numbers.get(jobs.get(random.nextInt(jobs.size())).id()));
            }
            // A restarted ResourceManager does not know the explored steps, which matter where jobs explore first.
            if (learning != LearningMode.EXPLORE_FIRST && random.nextInt(25) == 0) {
                scheduler.restartResourceManager();
                forgot = true;
            }
        }

        /** The snapshot without its speeds, which are compared on each size, and without what a restart forgets. */
        private JobSnapshot comparable(JobSnapshot job) {
            JobSnapshot.State state = job.state();
            return new JobSnapshot(
                    job.identity(),
                    job.demand(),
                    job.requested(),
                    new JobSnapshot.State(
                            state.current(),
                            state.trainsOn(),
                            state.mayShrink(),
                            state.resizeCostSeconds(),
                            forgot ? JobHistory.NEW : state.history()),
                    job.belief().withSpeed(Optional.empty()));
        }

        private static List<Double> speeds(JobSnapshot job) {
            List<Double> speeds = new ArrayList<>();
            for (int servers = 1; servers <= DEMAND.maximum().parameterServers(); servers++) {
                for (int workers = 1; workers <= DEMAND.maximum().workers(); workers++) {
                    for (int nodes = 1; nodes <= 2; nodes++) {
                        Optional<SpeedFunction> speed = job.speed();
                        Allocation size = new Allocation(servers, workers);
                        speeds.add(speed.isEmpty() ? -1 : speed.get().stepsPerSecond(size, nodes));
                    }
                }
            }
            return speeds;
        }

        private Decided decide(JobSnapshot job, int jobs) {
            AllocationReason reason = new AllocationReason.Stated("at random");
            Allocation now = job.current().allocation();
            boolean learns = random.nextInt(3) > 0;
            boolean mayRest = !now.isNone() && random.nextInt(4) > 0;
            int mostWorkers = Math.min(8, 16 / Math.max(3, jobs));
            if (learns && job.belief().exploration().isPresent()) {
                Allocation size = job.belief().exploration().get();
                if (size.workers() <= mostWorkers) {
                    return new Decided(size, reason, true);
                }
            }
            if (mayRest) {
                return new Decided(now, reason, false);
            }
            return new Decided(new Allocation(1 + random.nextInt(4), 1 + random.nextInt(mostWorkers)), reason, false);
        }

        @Override
        public void planned(RoundFacts round) {
            // Nothing to compare.
        }

        @Override
        public void moved(double seconds, SimulatedJob job, Placement to) {
            scheduler.hold(numbers.get(job.id()), to, Math.round(seconds * MILLIS));
        }

        @Override
        public void ended(JobOutcome outcome) {
            scheduler.end(numbers.get(outcome.id()));
        }
    }
}
