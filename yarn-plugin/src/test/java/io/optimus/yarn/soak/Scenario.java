package io.optimus.yarn.soak;

import io.optimus.model.Allocation;
import io.optimus.yarn.soak.Script.Manners;
import io.optimus.yarn.soak.Script.Submission;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;

/** Draws the applications of a soak from its seed. */
final class Scenario {
    static final int MEDIUM_WORKERS = 5;
    static final List<String> QUEUES = List.of("research", "production", "batch");

    private static final List<String> USERS = List.of("alice", "bob", "carol", "dave");
    /** Applications arrive during this part of the soak, so that most end within it. */
    private static final double ARRIVALS = 0.85;

    /** Ordinary applications for each job that starts: 1,000 beside 300. */
    private static final double BESIDE = 10 / 3.0;

    private static final int START_MILLIS = 40_000;

    private final SoakOptions options;
    private final Random random;

    private Scenario(SoakOptions options) {
        this.options = options;
        this.random = new Random(options.seed());
    }

    /** The applications in the order of their arrival. */
    static List<Script> of(SoakOptions options) {
        Scenario scenario = new Scenario(options);
        List<Script> scripts = new ArrayList<>();
        boolean start = options.kind() == SoakOptions.Kind.START;
        for (int job = 0; job < options.jobs(); job++) {
            scripts.add(start ? scenario.starting() : scenario.training());
        }
        int ordinary =
                switch (options.kind()) {
                    case EVENTS -> Math.max(3, options.jobs() / 2);
                    case CHURN -> Math.max(1, options.jobs() / 5);
                    case START -> (int) Math.ceil(BESIDE * options.jobs());
                };
        for (int application = 0; application < ordinary; application++) {
            scripts.add(start ? scenario.beside() : scenario.ordinary());
        }
        scripts.sort(Comparator.comparingLong(script -> script.submission().atMillis()));
        return scripts;
    }

    private Submission submission(String queue) {
        return submission(queue, (long) (random.nextDouble() * ARRIVALS * options.millis()));
    }

    private Submission submission(String queue, long atMillis) {
        return new Submission(atMillis, queue, USERS.get(random.nextInt(USERS.size())), random.nextLong());
    }

    private Script training() {
        Submission submission = submission(QUEUES.get(random.nextInt(10) < 5 ? 0 : random.nextInt(10) < 8 ? 1 : 2));
        int most = 2 + random.nextInt(11);
        int least = random.nextInt(4) == 0 ? 1 + random.nextInt(most) : 1;
        return training(submission, least, most, manners());
    }

    /** One of many that arrive within some seconds, when the ordinary applications run. */
    private Script starting() {
        Submission submission =
                submission(QUEUES.get(random.nextInt(QUEUES.size())), START_MILLIS + random.nextInt(10_000));
        return training(
                submission, 1, 2 + random.nextInt(7), Manners.prompt(Math.round(options.delaySeconds() * 1000)));
    }

    /** An ordinary application that runs beside jobs that start, for the whole time. */
    private Script beside() {
        int atOnce = 2;
        long millis = 20_000;
        Submission submission = submission(QUEUES.get(random.nextInt(QUEUES.size())), random.nextInt(START_MILLIS / 2));
        return new Script.Ordinary(submission, (int) (atOnce * options.millis() / millis), atOnce, millis, 0);
    }

    private Script training(Submission submission, int least, int most, Manners manners) {
        boolean servers = random.nextInt(10) < 4;
        Truth truth = new Truth(
                0.2 + random.nextDouble(),
                0.01,
                0.002 + 0.004 * random.nextDouble(),
                servers ? 0.01 + 0.02 * random.nextDouble() : 0,
                0.1 + random.nextDouble(),
                0.1 * random.nextDouble());
        Allocation medium = new Allocation(servers ? MEDIUM_WORKERS / 2 : 0, MEDIUM_WORKERS);
        double seconds = options.jobSeconds() * Math.exp(0.7 * random.nextGaussian());
        long steps =
                Math.max(20, Math.round(Math.min(seconds, 2 * options.jobSeconds()) * truth.stepsPerSecond(medium)));
        return new Script.Training(
                submission,
                new Allocation(servers ? 1 : 0, least),
                new Allocation(servers ? Math.max(1, most / 2) : 0, most),
                truth,
                steps,
                (int) Math.max(2, steps / 20),
                manners);
    }

    private Manners manners() {
        int speed = random.nextInt(20);
        long delay = speed < 12 ? 0 : speed < 17 ? 2000 : 5000;
        return new Manners(
                delay,
                300 + random.nextInt(1200),
                random.nextInt(10) == 0,
                random.nextInt(10) > 0,
                chance(),
                random.nextInt(3) > 0,
                chance());
    }

    /** For one in eight, a fraction. */
    private OptionalDouble chance() {
        double fraction = 0.1 + 0.8 * random.nextDouble();
        return random.nextInt(8) == 0 ? OptionalDouble.of(fraction) : OptionalDouble.empty();
    }

    /** Most are small; one in eight asks for more than the cluster has at once. */
    private Script ordinary() {
        Submission submission = submission(QUEUES.get(random.nextInt(QUEUES.size())));
        boolean backlog = random.nextInt(8) == 0;
        int gpus = random.nextInt(2);
        int all = options.nodes() * SoakCluster.GPUS_PER_NODE;
        int containers = backlog ? all + random.nextInt(all) : 1 + random.nextInt(Math.max(1, all / 4));
        return new Script.Ordinary(submission, containers, containers, 2000 + random.nextInt(8000), gpus);
    }
}
