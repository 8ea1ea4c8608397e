package io.optimus.yarn.configuration;

import io.optimus.protocol.setting.NearestWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacitySchedulerConfiguration;

/**
 * The queues in a configuration of CapacityScheduler, against which the scheduler's keys of single queues are checked.
 *
 * <p>It is read from the configuration and not from the running scheduler, so that keys can be checked before queues are
 * refreshed. A queue that YARN may create counts as existing: it is below one that creates queues for applications or
 * reservations.
 */
public final class CapacityQueues {
    private static final String ROOT = CapacitySchedulerConfiguration.ROOT;
    private static final List<String> CREATING = List.of(
            CapacitySchedulerConfiguration.AUTO_CREATE_CHILD_QUEUE_ENABLED,
            CapacitySchedulerConfiguration.AUTO_QUEUE_CREATION_V2_ENABLED,
            CapacitySchedulerConfiguration.IS_RESERVABLE);

    private final Configuration configuration;
    private final SortedSet<String> paths = new TreeSet<>();
    private final SortedSet<String> parents = new TreeSet<>();

    /** The queues that {@code configuration} names, and those that YARN may create by it. */
    public CapacityQueues(Configuration configuration) {
        this.configuration = configuration;
        add(ROOT);
    }

    private void add(String path) {
        if (paths.add(path)) {
            for (String child : configuration.getTrimmedStrings(key(path, CapacitySchedulerConfiguration.QUEUES))) {
                parents.add(path);
                add(path + "." + child);
            }
        }
    }

    private static String key(String path, String word) {
        return CapacitySchedulerConfiguration.PREFIX + path + "." + word;
    }

    /** The problems of the keys of single queues in {@code settings}: each names the key and the remedy. */
    public List<String> problems(OptimusConfiguration settings) {
        List<String> problems = new ArrayList<>();
        settings.queueKeys().forEach((path, words) -> {
            if (!exists(path)) {
                words.forEach(
                        word -> problems.add(
                                OptimusConfiguration.QUEUE_PREFIX + path + "." + word
                                        + " is a key of a queue that does not exist" + suggestion(path, word)
                                        + " Remedy: correct or remove the key, or add the queue to CapacityScheduler's configuration."));
            } else if (parents.contains(path) && words.contains(OptimusConfiguration.POLICY_WORD)) {
                problems.add(OptimusConfiguration.QUEUE_PREFIX + path + "." + OptimusConfiguration.POLICY_WORD
                        + " has no effect: policies are those of leaf queues, and " + path
                        + " has queues below it. Remedy: set the policy of each of them instead.");
            }
        });
        return problems;
    }

    private boolean exists(String path) {
        return paths.contains(path) || mayBeCreated(path);
    }

    private boolean mayBeCreated(String path) {
        for (int end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1)) {
            String above = path.substring(0, end);
            if (CREATING.stream().anyMatch(word -> configuration.getBoolean(key(above, word), false))) {
                return true;
            }
        }
        return false;
    }

    private String suggestion(String path, String word) {
        return nearest(path)
                .map(queue -> ": did you mean " + OptimusConfiguration.QUEUE_PREFIX + queue + "." + word + "?")
                .orElse(".");
    }

    /** The queue that was probably meant: one whose path ends with {@code path}, or that is spelled like it. */
    private Optional<String> nearest(String path) {
        List<String> ending =
                paths.stream().filter(queue -> queue.endsWith("." + path)).toList();
        return ending.size() == 1 ? Optional.of(ending.get(0)) : NearestWord.of(path, paths);
    }
}
