package io.optimus.am.client.submission;

import io.optimus.am.client.cluster.ClusterClient;
import io.optimus.am.configuration.ClientKeys;
import io.optimus.am.job.JavaCommand;
import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobSpec;
import io.optimus.am.job.WorkerFile;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.LocalResource;
import org.apache.hadoop.yarn.api.records.LocalResourceType;
import org.apache.hadoop.yarn.api.records.LocalResourceVisibility;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.URL;
import org.apache.hadoop.yarn.client.util.YarnClientUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.util.Records;

/** Tells YARN about a job: its queue, the container of its ApplicationMaster, and the command that starts it. */
final class SubmissionContext {
    private static final String MASTER_CLASS = "io.optimus.am.master.ApplicationMaster";
    /** Share of the container's memory for the heap; the JVM itself, stacks and buffers take the rest. */
    private static final double HEAP_SHARE = 0.6;
    /**
     * YARN's check of virtual memory, which is on by default, counts the memory that a JVM reserves; with the JVM's defaults
     * that is more than a container of 512 MiB may have. Metaspace is larger than a task's, because Hadoop's clients load more
     * classes. A master that runs out of memory must exit, so that another attempt goes on.
     */
    private static final List<String> JVM_FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-XX:CompressedClassSpaceSize=48m",
            "-XX:ReservedCodeCacheSize=64m",
            "-XX:MaxMetaspaceSize=128m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-UsePerfData");
    /** Older failures do not count, so that a job of weeks survives more than two of them. */
    private static final long FAILURES_COUNT_MILLIS = 3_600_000;

    private final Configuration configuration;
    private final FileSystem fileSystem;

    SubmissionContext(Configuration configuration, FileSystem fileSystem) {
        this.configuration = configuration;
        this.fileSystem = fileSystem;
    }

    /**
     * Everything that YARN needs to run the job.
     *
     * @param natives environment variables that name the native libraries
     */
    ApplicationSubmissionContext of(ApplicationId id, JobSpec spec, JobDirectory directory, Map<String, String> natives)
            throws IOException {
        ApplicationSubmissionContext context = Records.newRecord(ApplicationSubmissionContext.class);
        context.setApplicationId(id);
        context.setApplicationType(ClusterClient.TRAINING_TYPE);
        context.setApplicationName(spec.name());
        context.setQueue(spec.queue());
        context.setPriority(Priority.newInstance(spec.priority()));
        context.setResource(
                Resource.newInstance(spec.master().memoryMb(), spec.master().vcores()));
        context.setMaxAppAttempts(spec.maxAttempts());
        context.setAttemptFailuresValidityInterval(FAILURES_COUNT_MILLIS);
        // Tasks go on without their ApplicationMaster until the next one takes them over.
        context.setKeepContainersAcrossApplicationAttempts(true);
        context.setApplicationTags(tags(spec));
        context.setAMContainerSpec(master(spec, directory, natives, tokens(fileSystems(id, spec))));
        return context;
    }

    /** YARN refuses long tags, so the name of an owner's program is not one. */
    private static Set<String> tags(JobSpec spec) {
        Set<String> tags = new HashSet<>(Set.of(
                spec.mode().name().toLowerCase(Locale.ROOT), spec.engine().engine()));
        if (spec.engine().program() == null) {
            tags.add(spec.engine().model());
        }
        return tags;
    }

    /** Paths on the file systems, besides that of the staging folder, that the job's processes read or write. */
    static List<Path> fileSystems(ApplicationId id, JobSpec spec) {
        // The root of the default file system, which programs use.
        List<Path> paths = new ArrayList<>(List.of(new Path("/"), new Path(spec.outputOf(id.toString()))));
        spec.fileSystems().forEach(uri -> paths.add(new Path(URI.create(uri))));
        for (WorkerFile file : spec.workerFiles()) {
            if (file.onCluster()) {
                paths.add(new Path(file.source()));
            }
        }
        // An earlier job that is named by its id is in the staging folder.
        spec.resumes().filter(job -> !JobDirectory.isApplicationId(job)).ifPresent(job -> paths.add(new Path(job)));
        return paths;
    }

    private ContainerLaunchContext master(
            JobSpec spec, JobDirectory directory, Map<String, String> natives, Credentials tokens) throws IOException {
        Map<String, LocalResource> files = Map.of(
                JobDirectory.JAR_LINK, file(directory.jar()),
                JobDirectory.JOB_LINK, file(directory.job()),
                JobDirectory.SECRET_LINK, file(directory.secret()));
        Map<String, String> environment = new TreeMap<>(natives);
        environment.putAll(spec.dockerOfApplicationMaster());
        environment.put(JobDirectory.ROOT_VARIABLE, directory.root().toUri().toString());
        environment.put(ApplicationConstants.Environment.CLASSPATH.name(), classPath());
        // Each of glibc's arenas reserves 64 MiB, and by default there are eight per core.
        environment.put("MALLOC_ARENA_MAX", "1");
        ClientKeys.JAVA_HOME.in(configuration).ifPresent(java -> {
            environment.putIfAbsent(ApplicationConstants.Environment.JAVA_HOME.name(), java);
            environment.put(JobDirectory.JAVA_HOME_VARIABLE, java);
        });
        int heap = (int) (spec.master().memoryMb() * HEAP_SHARE);
        String command = JavaCommand.of(heap, spec.logLevel(), JVM_FLAGS, MASTER_CLASS);
        return ContainerLaunchContext.newInstance(files, environment, List.of(command), null, written(tokens), null);
    }

    private LocalResource file(Path path) throws IOException {
        FileStatus status = fileSystem.getFileStatus(path);
        return LocalResource.newInstance(
                URL.fromPath(status.getPath()),
                LocalResourceType.FILE,
                LocalResourceVisibility.APPLICATION,
                status.getLen(),
                status.getModificationTime());
    }

    /** The job's jar comes before Hadoop's jars, so that it finds the libraries that it was built with. */
    private String classPath() {
        List<String> entries = new ArrayList<>();
        entries.add(ApplicationConstants.Environment.PWD.$$() + "/" + JobDirectory.JAR_LINK);
        for (String entry : configuration.getStrings(
                YarnConfiguration.YARN_APPLICATION_CLASSPATH,
                YarnConfiguration.DEFAULT_YARN_CROSS_PLATFORM_APPLICATION_CLASSPATH)) {
            entries.add(entry.trim());
        }
        return String.join(ApplicationConstants.CLASS_PATH_SEPARATOR, entries);
    }

    /** The user's own tokens and, if security is on, those of the file systems that the job uses. */
    private Credentials tokens(List<Path> paths) throws IOException {
        Credentials credentials =
                new Credentials(UserGroupInformation.getCurrentUser().getCredentials());
        if (UserGroupInformation.isSecurityEnabled()) {
            addTokens(YarnClientUtils.getRmPrincipal(configuration), paths, credentials);
        }
        return credentials;
    }

    /** Adds the tokens of the file systems of the staging folder and of {@code paths}, which may be the same. */
    void addTokens(String renewer, List<Path> paths, Credentials credentials) throws IOException {
        fileSystem.addDelegationTokens(renewer, credentials);
        for (Path path : paths) {
            path.getFileSystem(configuration).addDelegationTokens(renewer, credentials);
        }
    }

    private static ByteBuffer written(Credentials credentials) throws IOException {
        try (DataOutputBuffer buffer = new DataOutputBuffer()) {
            credentials.writeTokenStorageToStream(buffer);
            return ByteBuffer.wrap(buffer.getData(), 0, buffer.getLength());
        }
    }
}
