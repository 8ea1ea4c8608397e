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
 * What YARN and the client tell an ApplicationMaster through its environment.
 *
 * @param attempt this attempt of the application
 * @param host of this container's node
 * @param user who submitted
 * @param submittedMillis when, Unix time
 * @param directory of the job
 * @param nativesArchive PyTorch's native libraries, to be unpacked beside each worker
 * @param nativesFolder the same on every node; empty where there is none
 * @param javaHome of every task; empty where that is the node's affair
 */
record MasterEnvironment(
        ApplicationAttemptId attempt,
        String host,
        String user,
        long submittedMillis,
        JobDirectory directory,
        Optional<Path> nativesArchive,
        String nativesFolder,
        String javaHome) {

    /**
     * Reads the variables.
     *
     * @throws IllegalArgumentException naming every one that is missing
     */
    static MasterEnvironment of(Map<String, String> variables) {
        List<String> wanted = List.of(
                Environment.CONTAINER_ID.name(),
                Environment.NM_HOST.name(),
                Environment.USER.name(),
                ApplicationConstants.APP_SUBMIT_TIME_ENV,
                JobDirectory.ROOT_VARIABLE);
        List<String> missing = new ArrayList<>(wanted);
        missing.removeIf(name -> !variables.getOrDefault(name, "").isBlank());
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("The environment lacks " + String.join(", ", missing)
                    + "; an ApplicationMaster is started by YARN for a job that `yarn jar optimus-am.jar submit` sent");
        }
        return new MasterEnvironment(
                ContainerId.fromString(variables.getOrDefault(Environment.CONTAINER_ID.name(), ""))
                        .getApplicationAttemptId(),
                variables.getOrDefault(Environment.NM_HOST.name(), ""),
                variables.getOrDefault(Environment.USER.name(), ""),
                Long.parseLong(variables.getOrDefault(ApplicationConstants.APP_SUBMIT_TIME_ENV, "")),
                new JobDirectory(new Path(variables.getOrDefault(JobDirectory.ROOT_VARIABLE, ""))),
                Optional.ofNullable(variables.get(JobDirectory.NATIVES_ARCHIVE_VARIABLE))
                        .map(Path::new),
                variables.getOrDefault(JobDirectory.NATIVES_FOLDER_VARIABLE, ""),
                variables.getOrDefault(JobDirectory.JAVA_HOME_VARIABLE, ""));
    }

    /** How workers come to the native libraries. */
    TaskLaunch.Natives natives() {
        if (nativesArchive.isPresent()) {
            return TaskLaunch.Natives.ARCHIVE;
        }
        return nativesFolder.isEmpty() ? TaskLaunch.Natives.NONE : TaskLaunch.Natives.FOLDER;
    }

    /** Variables of every task, which those of its role may replace. */
    Map<String, String> ofTasks(PortRange ports) {
        Map<String, String> variables = new TreeMap<>();
        variables.put(TaskEnvironment.PORTS, ports.toString());
        if (!javaHome.isEmpty()) {
            variables.put(Environment.JAVA_HOME.name(), javaHome);
        }
        return variables;
    }

    String applicationId() {
        return attempt.getApplicationId().toString();
    }
}
