package io.optimus.am.master;

import io.optimus.am.job.JobDirectory;
import io.optimus.am.master.yarn.TaskLaunch;
import io.optimus.am.wire.PortRange;
import io.optimus.am.wire.TaskEnvironment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.ApplicationConstants.Environment;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;

/**
 * What YARN and the client pass to an ApplicationMaster through its environment.
 *
 * @param attempt this attempt of the application
 * @param host host of this container's node
 * @param user the user who submitted the job
 * @param submittedMillis when the job was submitted, Unix time
 * @param directory the job's directory
 * @param natives where PyTorch's native libraries are
 * @param javaHome Java home of every task; empty if each node chooses it
 */
record MasterEnvironment(
        ApplicationAttemptId attempt,
        String host,
        String user,
        long submittedMillis,
        JobDirectory directory,
        NativesSource natives,
        String javaHome) {
    /**
     * Reads the variables.
     *
     * @throws IllegalArgumentException naming every variable that is missing
     */
    static MasterEnvironment of(Map<String, String> variables) {
        List<String> missing = new ArrayList<>(List.of(
                Environment.CONTAINER_ID.name(),
                Environment.NM_HOST.name(),
                Environment.USER.name(),
                ApplicationConstants.APP_SUBMIT_TIME_ENV,
                JobDirectory.ROOT_VARIABLE));
        missing.removeIf(name -> !variables.getOrDefault(name, "").isBlank());
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("The environment lacks " + String.join(", ", missing)
                    + "; YARN starts an ApplicationMaster for a job submitted by `yarn jar optimus-am.jar submit`");
        }
        return new MasterEnvironment(
                ContainerId.fromString(variables.getOrDefault(Environment.CONTAINER_ID.name(), ""))
                        .getApplicationAttemptId(),
                variables.getOrDefault(Environment.NM_HOST.name(), ""),
                variables.getOrDefault(Environment.USER.name(), ""),
                Long.parseLong(variables.getOrDefault(ApplicationConstants.APP_SUBMIT_TIME_ENV, "")),
                new JobDirectory(new Path(variables.getOrDefault(JobDirectory.ROOT_VARIABLE, ""))),
                new NativesSource(
                        Optional.ofNullable(variables.get(JobDirectory.NATIVES_ARCHIVE_VARIABLE))
                                .map(Path::new),
                        variables.getOrDefault(JobDirectory.NATIVES_FOLDER_VARIABLE, "")),
                variables.getOrDefault(JobDirectory.JAVA_HOME_VARIABLE, ""));
    }

    /**
     * Where PyTorch's native libraries are; nowhere for a job that needs none.
     *
     * @param archive an archive that YARN unpacks beside each worker
     * @param folder a folder that every node has; empty if there is none
     */
    record NativesSource(Optional<Path> archive, String folder) {
        TaskLaunch.Natives forWorkers() {
            return archive.isPresent() ? TaskLaunch.Natives.ARCHIVE : new TaskLaunch.Natives(folder);
        }
    }

    /** Variables of every task, which those of its role override. */
    Map<String, String> ofTasks(PortRange ports) {
        Map<String, String> variables = new TreeMap<>();
        variables.put(TaskEnvironment.PORTS, ports.toString());
        variables.put(JobDirectory.WORK_VARIABLE, directory.work().toUri().toString());
        if (!javaHome.isEmpty()) {
            variables.put(Environment.JAVA_HOME.name(), javaHome);
        }
        return variables;
    }

    String applicationId() {
        return attempt.getApplicationId().toString();
    }
}
