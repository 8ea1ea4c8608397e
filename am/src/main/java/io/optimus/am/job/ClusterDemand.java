package io.optimus.am.job;

import io.optimus.am.yaml.FileKey;
import io.optimus.am.yaml.FileProblem;
import io.optimus.am.yaml.KeyValues;
import io.optimus.model.cluster.Resources;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

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
        if (JobKeys.PARAMETER_SERVER.exists(values)) {
            containers.put("roles.ps", JobKeys.PARAMETER_SERVER.task(values));
        }
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
        for (ProgramKeys.Listed listed : JobKeys.workerFiles(values)) {
            if (listed.file().onCluster()) {
                files.put(listed.file(), listed.key().path());
            }
        }
        return Collections.unmodifiableMap(files);
    }

    /** URIs of further file systems, and the key that names them. */
    public Map<String, String> fileSystems() {
        Map<String, String> keys = new LinkedHashMap<>();
        values.get(JobKeys.FILE_SYSTEMS).forEach(uri -> keys.put(uri, JobKeys.FILE_SYSTEMS.path()));
        return Collections.unmodifiableMap(keys);
    }

    /** The application id or the folder of an earlier job whose training goes on. */
    public Optional<String> resumes() {
        return values.valid(JobKeys.START.resume) ? values.find(JobKeys.START.resume) : Optional.empty();
    }

    /** The keys by which the training of {@code earlier} differs so that its checkpoint means something else here. */
    public List<FileProblem> differencesFrom(JobSpec earlier) {
        List<FileProblem> problems = new ArrayList<>();
        for (FileKey<?> key : JobKeys.OF_CHECKPOINTS) {
            String before = earlier.print(key);
            String now = values.valid(key) ? print(values, key) : before;
            if (!now.equals(before)) {
                problems.add(problem(
                        key.path(),
                        now + " differs from " + before + " in the job whose training goes on: write " + before
                                + ", or start from its model.bin with start.model"));
            }
        }
        return problems;
    }

    /** The value of {@code key} in words. */
    static <T> String print(KeyValues values, FileKey<T> key) {
        return values.find(key).map(String::valueOf).orElse("none").toLowerCase(Locale.ROOT);
    }

    /** A problem that the cluster has with the key {@code path}, at the key's line or where that would be. */
    public FileProblem problem(String path, String sentence) {
        return values.problem(path, sentence);
    }
}
