package io.optimus.yarn.metrics;

import io.optimus.model.cluster.Resources;
import io.optimus.yarn.jobs.JobView;
import io.optimus.yarn.read.Amounts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/**
 * Who holds the GPUs of the cluster and of each queue.
 *
 * @param queue path of the queue; that of the root stands for the cluster
 * @param leaf whether applications run in it
 * @param guaranteed GPUs that its capacity guarantees; all of them for the cluster
 * @param training GPUs that training tasks hold
 * @param others GPUs that other applications hold
 */
public record GpuUse(String queue, boolean leaf, long guaranteed, long training, long others) {
    /** What nobody holds of what is guaranteed. */
    public long idle() {
        return Math.max(0, guaranteed - training - others);
    }

    /** The cluster, then all queues in order of their paths. Asks YARN's counters and takes no lock of the scheduler. */
    public static List<GpuUse> of(CapacityScheduler scheduler, Collection<JobView> jobs) {
        Map<String, Long> training = new HashMap<>();
        jobs.forEach(job -> addUpwards(training, job.facts().queue(), gpus(job)));
        List<GpuUse> uses = new ArrayList<>();
        for (CSQueue queue :
                scheduler.getCapacitySchedulerQueueManager().getQueues().values()) {
            String path = queue.getQueuePath();
            long held = training.getOrDefault(path, 0L);
            long used = gpus(queue.getQueueResourceUsage().getAllUsed());
            uses.add(new GpuUse(
                    path,
                    queue instanceof AbstractLeafQueue,
                    queue.getParent() == null ? gpus(scheduler.getClusterResource()) : guaranteed(queue),
                    held,
                    Math.max(0, used - held)));
        }
        uses.sort(Comparator.comparing(GpuUse::queue));
        return uses;
    }

    private static long guaranteed(CSQueue queue) {
        return queue.getNodeLabelsForQueue().stream()
                .mapToLong(label -> gpus(queue.getEffectiveCapacity(label)))
                .sum();
    }

    private static void addUpwards(Map<String, Long> sums, String queue, long gpus) {
        for (String path = queue; ; path = path.substring(0, path.lastIndexOf('.'))) {
            sums.merge(path, gpus, Long::sum);
            if (path.indexOf('.') < 0) {
                return;
            }
        }
    }

    /** The GPUs of the tasks that YARN was last seen to grant to the job. */
    private static long gpus(JobView job) {
        return job.registration().demand().resources(job.history().held().now()).amount(Resources.GPUS);
    }

    private static long gpus(Resource amounts) {
        return Amounts.of(amounts).amount(Resources.GPUS);
    }
}
