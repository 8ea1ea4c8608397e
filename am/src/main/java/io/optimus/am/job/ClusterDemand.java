package io.optimus.am.job;

import io.optimus.am.yaml.FileProblem;
import io.optimus.am.yaml.KeyValues;
import io.optimus.model.cluster.Resources;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a job file asks of a cluster. It exists for a file with problems too, so that the problems of the file and those
 * with the cluster are reported at once.
 */
public final class ClusterDemand {
    private final KeyValues values;
    private final Map<String, Resources> containers = new LinkedHashMap<>();

    ClusterDemand(KeyValues values) {
        this.values = values;
        containers.put("roles.worker", JobKeys.WORKER.task(values));
        containers.put("roles.ps", JobKeys.PARAMETER_SERVER.task(values));
        containers.put(
                "applicationMaster",
                Resources.of(values.get(JobKeys.MASTER_MEMORY), values.get(JobKeys.MASTER_VCORES), 0));
    }

    /** Name or path of a queue. */
    public String queue() {
        return values.get(JobKeys.QUEUE);
    }

    /** Resources of one container of each kind, by the section of the file that describes it. */
    public Map<String, Resources> containers() {
        return Collections.unmodifiableMap(containers);
    }

    /** The files on the cluster that workers get, by the key that names them. */
    public Map<WorkerFile, String> clusterFiles() {
        Map<WorkerFile, String> files = new LinkedHashMap<>();
        for (ProgramKeys.Listed listed : JobKeys.PROGRAM.workerFiles(values)) {
            if (listed.file().onCluster()) {
                files.put(listed.file(), listed.key().path());
            }
        }
        return Collections.unmodifiableMap(files);
    }

    /** A problem that the cluster has with the key {@code path}, at the key's line or where that would be. */
    public FileProblem problem(String path, String sentence) {
        return values.problem(path, sentence);
    }
}
