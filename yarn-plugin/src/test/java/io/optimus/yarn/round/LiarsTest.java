package io.optimus.yarn.round;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.model.Allocation;
import io.optimus.model.job.Placement;
import io.optimus.model.plan.Strategies;
import io.optimus.protocol.proto.TrainingProtos.NodeAllocationProto;
import io.optimus.protocol.proto.TrainingProtos.RegisterJobRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ReportRequestProto;
import io.optimus.protocol.proto.TrainingProtos.ResizeProto;
import io.optimus.protocol.proto.TrainingProtos.RoleProto;
import io.optimus.protocol.proto.TrainingProtos.SpeedSampleProto;
import io.optimus.protocol.proto.TrainingProtos.StopRuleProto;
import io.optimus.yarn.jobs.ApplicationFacts;
import io.optimus.yarn.jobs.FakeApplications;
import io.optimus.yarn.jobs.Jobs;
import io.optimus.yarn.plan.JobPlan;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/**
 * Jobs that lie, each beside honest twins, under every policy that a ResourceManager can use. A lie is worth what the job holds
 * over the time of the test, against the most that an honest job holds in the same scene, also one that scales perfectly.
 */
public final class LiarsTest {
    private static final int ROUNDS = 12;
    private static final int WARM_UP = 4;
    private static final int SECONDS_PER_ROUND = 60;
    private static final int STEPS_PER_EPOCH = 100;
    private static final int EPOCHS = 60;
    private static final int JOBS = 3;
    /** Workers of an equal part of the cluster, rounded up. */
    private static final int EQUAL_PART = 6;

    private static final int GPUS = 16;
    /** Under policies that give the most to an honest job, a lie gets no more than the best truth, but for sums of shares. */
    private static final double ROUNDING = 0.5;
    /** Tetris gives nearly all to a job that claims to end soon, and takes no other word for it. */
    private static final String SMALL_WORK_FIRST = "tetris";

    private static final double MOST_GAIN = 2.5;

    @Rule
    public final Timeout timeout = new Timeout(300, TimeUnit.SECONDS);

    /** What a job tells of itself. This one tells the truth. */
    private static class Story {
        RegisterJobRequestProto.Builder registration(boolean servers) {
            RegisterJobRequestProto.Builder job = Jobs.allReduce()
                    .clearRoles()
                    .addRoles(Jobs.role(RoleProto.WORKER, 1, 16, 11, 1))
                    .setStepsPerEpoch(STEPS_PER_EPOCH)
                    .setStop(StopRuleProto.newBuilder().setMaxEpochs(EPOCHS));
            return servers ? job.addRoles(Jobs.role(RoleProto.PARAMETER_SERVER, 1, 8, 10, 0)) : job;
        }

        /** Completes a report of a job that holds {@code tasks} and has done {@code steps}. */
        void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
            report.setCurrentStep(steps).setEpoch((double) steps / STEPS_PER_EPOCH);
            if (tasks.workers() > 0) {
                report.addSpeeds(speed(tasks, stepsPerSecond(tasks)));
            }
        }

        /** How fast it really is. */
        double stepsPerSecond(Allocation tasks) {
            double servers = tasks.parameterServers() == 0 ? 4 : tasks.parameterServers();
            return 1 / (1.0 / tasks.workers() + 0.08 + 0.02 * tasks.workers() / servers);
        }

        static SpeedSampleProto.Builder speed(Allocation tasks, double stepsPerSecond) {
            return Jobs.speed(tasks.parameterServers(), tasks.workers(), stepsPerSecond);
        }
    }

    /** An honest job that is as fast as its workers allow. */
    private static final class Perfect extends Story {
        @Override
        double stepsPerSecond(Allocation tasks) {
            return 0.2 * tasks.workers();
        }
    }

    /** A cluster of 16 GPUs with one job that may lie and twins that do not. */
    private static final class Scene {
        private final FakeApplications applications = new FakeApplications();
        private final FakeCluster cluster = new FakeCluster("a:1", "b:1");
        private final RoundFixture fixture = RoundFixture.since(0, applications, cluster);
        private final List<Story> stories;
        private final double[] steps = new double[JOBS];

        Scene(Story first) {
            stories = List.of(first, new Story(), new Story());
        }

        /** The workers that the first job holds in the mean. */
        double[] workers(String policy, boolean servers) throws Exception {
            try {
                Round round = fixture.round(Strategies.named(policy).bySeed().apply(1), Set.of());
                for (int job = 0; job < JOBS; job++) {
                    RegisterJobRequestProto.Builder registration =
                            stories.get(job).registration(servers);
                    fixture.registry().register(caller(job), Jobs.LIMITS, registration.build());
                }
                double[] means = new double[JOBS];
                for (int i = 1; i <= ROUNDS; i++) {
                    run(round, i);
                    for (int job = 0; job < JOBS && i > WARM_UP; job++) {
                        means[job] += (double) plan(job).allocation().workers() / (ROUNDS - WARM_UP);
                    }
                }
                return means;
            } finally {
                fixture.close();
            }
        }

        private void run(Round round, int number) throws Exception {
            round.run(Set.of());
            for (int refresh = 0; refresh < 2; refresh++) {
                for (int job = 0; job < JOBS; job++) {
                    cluster.hold(job + 1, plan(job));
                }
                round.refresh();
            }
            fixture.clock().addAndGet(TimeUnit.SECONDS.toMillis(SECONDS_PER_ROUND));
            for (int job = 0; job < JOBS; job++) {
                Placement holds = plan(job);
                Allocation tasks = holds.allocation();
                steps[job] += tasks.workers() == 0 ? 0 : stories.get(job).stepsPerSecond(tasks) * SECONDS_PER_ROUND;
                ReportRequestProto.Builder report = Jobs.report(number);
                holds.byNode()
                        .forEach((node, here) -> report.addMembers(NodeAllocationProto.newBuilder()
                                .setNode(node)
                                .setAllocation(Jobs.allocation(here.parameterServers(), here.workers()))));
                long done = Math.min(EPOCHS * STEPS_PER_EPOCH - 1, (long) steps[job]);
                stories.get(job).tell(report, tasks, done);
                fixture.registry().report(caller(job), report.build());
            }
        }

        private ApplicationFacts caller(int job) {
            return applications.run(Jobs.attempt(job + 1, 1));
        }

        private Placement plan(int job) {
            return fixture.state()
                    .plan()
                    .current()
                    .of(Jobs.attempt(job + 1, 1).getApplicationId())
                    .map(JobPlan::target)
                    .orElse(Placement.NONE);
        }
    }

    private static Map<String, Story> liars() {
        Map<String, Story> liars = new LinkedHashMap<>();
        liars.put("scales perfectly, and more", new Story() {
            @Override
            void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
                super.tell(report, tasks, steps);
                if (tasks.workers() > 0) {
                    report.clearSpeeds().addSpeeds(speed(tasks, Math.pow(tasks.workers(), 3)));
                }
            }
        });
        liars.put("knows sizes that it never held", new Story() {
            @Override
            void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
                super.tell(report, tasks, steps);
                int servers = Math.min(1, tasks.parameterServers());
                for (int size = 1; size <= 16 && tasks.workers() > 0; size++) {
                    report.addSpeeds(speed(new Allocation(servers, size), size * size));
                }
            }
        });
        liars.put("ends with the next step", new Story() {
            @Override
            void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
                super.tell(report, tasks, EPOCHS * STEPS_PER_EPOCH - 1);
            }
        });
        liars.put("never ends", new Story() {
            @Override
            RegisterJobRequestProto.Builder registration(boolean servers) {
                return super.registration(servers)
                        .setStop(StopRuleProto.newBuilder().setMaxEpochs(Integer.MAX_VALUE));
            }
        });
        liars.put("never makes a step", new Story() {
            @Override
            void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
                super.tell(report, tasks, 0);
            }
        });
        liars.put("pauses for a day in a resize", new Story() {
            @Override
            void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
                super.tell(report, tasks, steps);
                report.addResizes(ResizeProto.newBuilder()
                        .setFrom(Jobs.allocation(tasks.parameterServers(), 1))
                        .setTo(Jobs.allocation(tasks.parameterServers(), 16))
                        .setPauseMillis(TimeUnit.HOURS.toMillis(24))
                        .setPlan(1));
            }
        });
        liars.put("trains on tasks that it does not hold", new Story() {
            @Override
            void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
                super.tell(report, tasks, steps);
                report.clearMembers()
                        .addMembers(
                                NodeAllocationProto.newBuilder().setNode("a:1").setAllocation(Jobs.allocation(0, 8)));
            }
        });
        liars.put("loses at will", new Story() {
            @Override
            RegisterJobRequestProto.Builder registration(boolean servers) {
                return super.registration(servers)
                        .setStop(StopRuleProto.newBuilder().setTargetLoss(0.1).setMaxEpochs(1_000_000));
            }

            @Override
            void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
                super.tell(report, tasks, steps);
                for (int i = 0; i < 100; i++) {
                    report.addLosses(Jobs.loss(steps - 100 + i, 0.1001 + 1e-4 / (1 + i)));
                }
            }
        });
        liars.put("loses never", new Story() {
            @Override
            RegisterJobRequestProto.Builder registration(boolean servers) {
                return super.registration(servers)
                        .setStop(StopRuleProto.newBuilder().setTargetLoss(0.1).setMaxEpochs(1_000_000));
            }

            @Override
            void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
                super.tell(report, tasks, steps);
                report.addLosses(Jobs.loss(steps, 1));
            }
        });
        liars.put("has epochs of any length", new Story() {
            @Override
            void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
                super.tell(report, tasks, steps);
                report.setStepsPerEpoch(report.getSequence() % 2 == 0 ? 1 : 1_000_000);
            }
        });
        liars.put("ends with the next step of epochs that get longer and longer", new Story() {
            @Override
            void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
                long stepsPerEpoch = STEPS_PER_EPOCH + report.getSequence();
                super.tell(report, tasks, EPOCHS * stepsPerEpoch - 1);
                report.setStepsPerEpoch(stepsPerEpoch);
            }
        });
        liars.put("stands still on one worker, and flies on two", new Story() {
            @Override
            void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
                super.tell(report, tasks, steps);
                if (tasks.workers() > 0) {
                    report.clearSpeeds().addSpeeds(speed(tasks, tasks.workers() == 1 ? 1e-6 : 1e6));
                }
            }
        });
        liars.put("adapts its batch, with any noise", new Story() {
            @Override
            RegisterJobRequestProto.Builder registration(boolean servers) {
                return servers
                        ? super.registration(servers)
                        : super.registration(servers)
                                .setBatchLimits(Jobs.adaptive(1 << 20).getBatchLimits());
            }

            @Override
            void tell(ReportRequestProto.Builder report, Allocation tasks, long steps) {
                super.tell(report, tasks, steps);
                report.setGradientNoise(Jobs.noise(1e-9, 1e9));
                for (int size = 1; size <= 16; size++) {
                    for (int atomic : new int[] {8, 64, 128}) {
                        report.addStepTimes(Jobs.steps(1, size, atomic, 1.0 / size, 1.0 / size));
                    }
                }
            }
        });
        return liars;
    }

    @Test
    public void noLieIsWorthMoreThanTwoAndAHalfTimesTheTruth() throws Exception {
        for (String policy : Strategies.practicable()) {
            for (boolean servers : new boolean[] {false, true}) {
                double truth = Math.max(
                        Arrays.stream(new Scene(new Story()).workers(policy, servers))
                                .max()
                                .orElseThrow(),
                        new Scene(new Perfect()).workers(policy, servers)[0]);
                double most = Math.max(EQUAL_PART, MOST_GAIN * truth);
                if (most >= GPUS && !policy.equals(SMALL_WORK_FIRST)) {
                    most = truth + ROUNDING;
                }
                for (Map.Entry<String, Story> liar : liars().entrySet()) {
                    assertThat(new Scene(liar.getValue()).workers(policy, servers)[0])
                            .as("%s, servers=%s: the job that %s, against %s", policy, servers, liar.getKey(), truth)
                            .isLessThanOrEqualTo(most);
                }
            }
        }
    }
}
