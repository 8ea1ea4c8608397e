package io.optimus.am.job;

import io.optimus.am.yaml.FileProblem;
import io.optimus.am.yaml.KeyValues;
import io.optimus.am.yaml.YamlValue.Section;
import io.optimus.model.cluster.Resources;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a job file asks of a cluster. A file that is wrong otherwise asks, too: so that all of its problems can be told at
 * once.
 */
public final class ClusterDemand {
    private final Section file;
    private final String queue;
    private final Map<String, Resources> containers = new LinkedHashMap<>();

    ClusterDemand(Section file, KeyValues given) {
        this.file = file;
        this.queue = given.get(JobKeys.QUEUE);
        containers.put("roles.worker", JobKeys.WORKER.task(given));
        containers.put("roles.ps", JobKeys.PARAMETER_SERVER.task(given));
        containers.put(
                "applicationMaster",
                Resources.of(given.get(JobKeys.MASTER_MEMORY), given.get(JobKeys.MASTER_VCORES), 0));
    }

    /** Name or path of a queue. */
    public String queue() {
        return queue;
    }

    /** Resources of one container of each kind, by the section of the file that says so. */
    public Map<String, Resources> containers() {
        return Collections.unmodifiableMap(containers);
    }

    /** A problem of the cluster with {@code key}: at its line, or where that would be. */
    public FileProblem problem(String key, String sentence) {
        return new FileProblem(file.nearest(List.of(key.split("\\."))).origin(), key, sentence);
    }
}
