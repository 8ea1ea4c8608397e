package io.optimus.am.master;

import io.optimus.am.coordinator.Coordinator;
import io.optimus.am.master.plan.PlanFollower;
import io.optimus.am.master.yarn.ContainerExit;
import io.optimus.am.master.yarn.Containers;
import io.optimus.am.master.yarn.TaskContainer;
import io.optimus.am.wire.Message.ServerAddress;
import io.optimus.am.wire.TakeOver.Successor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes over the tasks of earlier attempts, in the containers that YARN has kept.
 *
 * <p>A ResourceManager that has just restarted names these containers node by node, as the nodes come back to it. So this waits
 * until YARN has said of each task that the journals name whether it runs, but not for long: while it waits, the tasks step
 * without a coordinator as far as they can.
 *
 * <p>Belongs to the owner thread.
 */
final class EarlierTasks {
    private static final Logger LOG = LoggerFactory.getLogger(EarlierTasks.class);

    /**
     * A node calls a ResourceManager that was away every 30 s ({@code yarn.resourcemanager.connect.retry-interval.ms}), and then
     * needs some heartbeats.
     */
    private static final Duration NODES_RETURN = Duration.ofSeconds(40);

    private final Containers containers;
    private final PlanFollower follower;
    private final Coordinator coordinator;
    private final LongSupplier clock;

    /** Containers by id that run as far as YARN has told. */
    private final SortedMap<String, TaskContainer> running = new TreeMap<>();

    private final Set<String> ended = new HashSet<>();

    /** The tasks by container. */
    private Map<String, ServerAddress> known = Collections.emptyMap();

    private Phase phase;
    private long untilMillis;
    private Runnable takeOver = () -> {};

    private enum Phase {
        REGISTERING,
        WAITING,
        DECIDED
    }

    /**
     * The tasks before an attempt.
     *
     * @param attempt number of this attempt, from 1; before the first there are no tasks
     * @param clock milliseconds since any moment
     */
    EarlierTasks(
            int attempt, Containers containers, PlanFollower follower, Coordinator coordinator, LongSupplier clock) {
        this.phase = attempt == 1 ? Phase.DECIDED : Phase.REGISTERING;
        this.containers = containers;
        this.follower = follower;
        this.coordinator = coordinator;
        this.clock = clock;
    }

    /**
     * Goes on with the tasks of earlier attempts, once it is known which of them run.
     *
     * @param tasks by container, as far as the journals name them; other containers go back
     * @param self where tasks find this attempt
     * @param done runs when it is certain what training goes on with, on any thread
     */
    void takeOver(Map<String, ServerAddress> tasks, Successor self, Runnable done) {
        known = tasks;
        untilMillis = clock.getAsLong() + NODES_RETURN.toMillis();
        takeOver = () -> {
            List<ServerAddress> adopted = adopt();
            List<ServerAddress> gone = new ArrayList<>(known.values());
            gone.removeAll(adopted);
            coordinator.dismiss(gone, self);
            coordinator.takeOver(adopted, self, done);
        };
        phase = Phase.WAITING;
        tick();
    }

    /** Looks at the clock. */
    void tick() {
        if (phase != Phase.WAITING) {
            return;
        }
        Set<String> unnamed = new TreeSet<>(known.keySet());
        unnamed.removeAll(running.keySet());
        unnamed.removeAll(ended);
        if (unnamed.isEmpty()) {
            decide();
        } else if (clock.getAsLong() >= untilMillis) {
            LOG.warn(
                    "YARN has not named these containers of earlier attempts within {} s; training goes on without them: {}",
                    NODES_RETURN.toSeconds(),
                    unnamed);
            decide();
        }
    }

    private void decide() {
        phase = Phase.DECIDED;
        takeOver.run();
        running.clear();
        ended.clear();
    }

    private List<ServerAddress> adopt() {
        List<ServerAddress> tasks = new ArrayList<>();
        for (TaskContainer container : running.values()) {
            ServerAddress task = known.get(container.id());
            if (task == null) {
                containers.release(container);
            } else {
                follower.adopt(task.task(), container);
                tasks.add(task);
            }
        }
        return tasks;
    }

    /** YARN names containers of earlier attempts that run. */
    void run(List<TaskContainer> named) {
        if (phase == Phase.DECIDED) {
            follower.runEarlier(named);
            return;
        }
        for (TaskContainer container : named) {
            if (!ended.contains(container.id())) {
                running.put(container.id(), container);
            }
        }
        tick();
    }

    /** Containers ended, of earlier attempts or of this one. */
    void exited(List<ContainerExit> exits) {
        if (phase == Phase.DECIDED) {
            return;
        }
        for (ContainerExit exit : exits) {
            running.remove(exit.container());
            ended.add(exit.container());
        }
        tick();
    }
}
