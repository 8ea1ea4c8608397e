package io.optimus.sim;

import io.optimus.model.cluster.NodeSnapshot;
import io.optimus.model.cluster.Resources;
import io.optimus.model.gpu.GpuTypes;
import io.optimus.sim.engine.Faults;
import io.optimus.sim.engine.ResizePause;
import io.optimus.sim.engine.Seeds;
import io.optimus.sim.engine.SimulatedJob;
import io.optimus.sim.engine.SimulationSetup;
import io.optimus.sim.engine.Workload;
import io.optimus.sim.trace.ArrivalPattern;
import io.optimus.sim.trace.builtin.BuiltinWorkload;
import io.optimus.sim.trace.builtin.BuiltinWorkload.Modes;
import io.optimus.sim.trace.gpu.GpuJob;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.TreeMap;

/**
 * A small cluster, jobs and faults, drawn with a seed: one node with a GPU to eight with eight each, of one type or two, some
 * of which hold no task of a job; some jobs ask for more than there is.
 */
record RandomScenario(SimulationSetup setup, Workload workload) {
    static RandomScenario of(long seed) {
        Random random = Seeds.random(seed, "scenario");
        List<NodeSnapshot> nodes = nodes(random);
        SimulationSetup setup = new SimulationSetup(
                nodes,
                new GpuTypes(new TreeMap<>(Map.of("slow", 1.0, "fast", 1 + random.nextInt(4) / 2.0))),
                one(random, 30.0, 60.0, 300.0),
                random.nextBoolean(),
                one(
                        random,
                        ResizePause.of(30),
                        ResizePause.of(0),
                        new ResizePause(5, 60, false, random.nextBoolean()),
                        new ResizePause(1, 1, true, true)),
                faults(random));
        int gpus = (int) setup.capacity().amount(Resources.GPUS);
        List<SimulatedJob> jobs = new ArrayList<>(serverJobs(random, gpus, seed));
        jobs.addAll(allReduceJobs(random, gpus));
        return new RandomScenario(setup, new Workload("scenario " + seed, jobs));
    }

    /** Returns a workload of this job alone. */
    Workload only(String id) {
        return new Workload(
                id, workload.jobs().stream().filter(job -> job.id().equals(id)).toList());
    }

    /** Draws the nodes. The first one can hold a job's tasks; others may have too little memory for any task, or no GPU. */
    private static List<NodeSnapshot> nodes(Random random) {
        List<NodeSnapshot> nodes = new ArrayList<>();
        int count = 1 + random.nextInt(8);
        int gpusPerNode = 1 + random.nextInt(8);
        boolean typed = random.nextBoolean();
        boolean uneven = random.nextInt(3) == 0;
        for (int i = 0; i < count; i++) {
            int gpus = i > 0 && uneven ? random.nextInt(gpusPerNode + 1) : gpusPerNode;
            long memoryMb = i > 0 && uneven && random.nextInt(3) == 0 ? 4_096 : 24_576L * gpusPerNode;
            Resources capacity = Resources.of(memoryMb, 8L * gpusPerNode, gpus);
            nodes.add(new NodeSnapshot("n" + i, capacity, capacity, typed ? one(random, "slow", "fast") : "", ""));
        }
        return nodes;
    }

    private static Faults faults(Random random) {
        double none = Double.POSITIVE_INFINITY;
        return new Faults(one(random, none, 20_000.0), 600, one(random, none, 10_000.0), 300, 0.5);
    }

    private static List<SimulatedJob> serverJobs(Random random, int gpus, long seed) {
        BuiltinWorkload builtin = new BuiltinWorkload(
                1 + random.nextInt(4),
                one(random, 10.0, 5_000.0),
                one(random, ArrivalPattern.values()),
                one(random, Modes.values()),
                1 + random.nextInt(2 * gpus));
        return builtin.draw(seed).jobs();
    }

    private static List<SimulatedJob> allReduceJobs(Random random, int gpus) {
        List<SimulatedJob> jobs = new ArrayList<>();
        int count = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            double arrival = random.nextInt(5_000);
            double seconds = 1 + random.nextInt(3_000);
            int asked = random.nextInt(3) == 0 ? 2 * gpus : 1 + random.nextInt(4);
            SimulatedJob job = new GpuJob("gpu-" + i, "gpu", arrival, seconds, asked, 4).simulated();
            jobs.add(
                    paused(job, random.nextBoolean() ? OptionalDouble.of(random.nextInt(40)) : OptionalDouble.empty()));
        }
        return jobs;
    }

    private static SimulatedJob paused(SimulatedJob job, OptionalDouble pauseSeconds) {
        return new SimulatedJob(
                job.id(), job.model(), job.arrivalSeconds(), job.demand(), job.requested(), pauseSeconds, job.script());
    }

    @SafeVarargs
    private static <T> T one(Random random, T... of) {
        return of[random.nextInt(of.length)];
    }
}
