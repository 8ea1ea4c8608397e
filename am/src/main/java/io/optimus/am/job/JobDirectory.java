package io.optimus.am.job;

import org.apache.hadoop.fs.Path;

/**
 * Names every file of a submitted job on the cluster's file system. The directory is {@code HOME/.optimus/APPLICATION_ID/}
 * unless the client is configured otherwise, with mode 0700. The client makes it; the ApplicationMaster adds checkpoints and
 * the journal, and removes the temporary files.
 *
 * @param root the directory, qualified with its file system
 */
public record JobDirectory(Path root) {
    /** Environment variable of the ApplicationMaster's container that holds {@link #root}. */
    public static final String ROOT_VARIABLE = "OPTIMUS_JOB_DIRECTORY";
    /**
     * Environment variable of the ApplicationMaster's container that names the archive of PyTorch's native libraries, which
     * is localised for workers under {@link #NATIVES_LINK}. It is not set if the engine needs none or every node has them.
     */
    public static final String NATIVES_ARCHIVE_VARIABLE = "OPTIMUS_NATIVES_ARCHIVE";
    /**
     * Environment variable of the ApplicationMaster's container that names the folder of PyTorch's native libraries on every
     * node. It is not set if the engine needs none or they come as an archive.
     */
    public static final String NATIVES_FOLDER_VARIABLE = "OPTIMUS_NATIVES_FOLDER";

    /**
     * Environment variable of the ApplicationMaster's container that names the Java for tasks on every node. It is not set if
     * each node chooses its own.
     */
    public static final String JAVA_HOME_VARIABLE = "OPTIMUS_JAVA_HOME";

    /** Environment variable of all tasks that holds the URI of {@link #work}. */
    public static final String WORK_VARIABLE = "OPTIMUS_WORK_DIRECTORY";

    /** Name under which {@link #jar} is localised in every container. */
    public static final String JAR_LINK = "optimus-am.jar";
    /** Name under which {@link #job} is localised in every container. */
    public static final String JOB_LINK = "job.json";
    /** Name under which {@link #secret} is localised in every container. */
    public static final String SECRET_LINK = "job.secret";
    /** Name under which the unpacked archive of native libraries is localised in the containers of workers. */
    public static final String NATIVES_LINK = "libtorch";

    /** Name under which the model that training starts from is localised in the containers of workers. */
    public static final String START_MODEL_LINK = "start-model.bin";

    private static final String APPLICATION_ID = "application_[0-9]+_[0-9]+";

    /**
     * The directory of a job.
     *
     * @param userFolder the folder of one user, with all jobs and {@link #cache}
     */
    public static JobDirectory of(Path userFolder, String applicationId) {
        return new JobDirectory(new Path(userFolder, applicationId));
    }

    public static boolean isApplicationId(String job) {
        return job.matches(APPLICATION_ID);
    }

    /** Whether {@code job} is an application id, an absolute path or a URI with an absolute path. */
    static boolean isNamedBy(String job) {
        return job.matches(APPLICATION_ID + "|([A-Za-z][A-Za-z0-9+.-]*:)?/.*");
    }

    /**
     * The directory of an earlier job.
     *
     * @param userFolder as in {@link #of}
     * @param job the job's application id, or its directory
     */
    public static JobDirectory named(Path userFolder, String job) {
        return isApplicationId(job) ? of(userFolder, job) : new JobDirectory(new Path(job));
    }

    /** The folder of archives that all jobs of one user share. */
    public static Path cache(Path userFolder) {
        return new Path(userFolder, "cache");
    }

    /** The jar that runs the ApplicationMaster and all tasks. */
    public Path jar() {
        return new Path(root, JAR_LINK);
    }

    /** The {@link JobSpec} as {@link JobSpecJson} writes it. */
    public Path job() {
        return new Path(root, JOB_LINK);
    }

    /** The job's secret: 64 hexadecimal digits in a file of mode 0600, which tasks present to each other. */
    public Path secret() {
        return new Path(root, SECRET_LINK);
    }

    /** The folder of the files that the owner sends to workers. */
    public Path workerFiles() {
        return new Path(root, "files");
    }

    /**
     * Where a file for the workers is: a local one in {@link #workerFiles} under its alias, with the ending by which
     * NodeManagers know how to unpack it; one on the cluster where it was.
     */
    public Path workerFile(WorkerFile file) {
        if (file.onCluster()) {
            return new Path(file.source());
        }
        String ending = file.archive() ? file.archiveEnding().orElse("") : "";
        return new Path(workerFiles(), file.alias().endsWith(ending) ? file.alias() : file.alias() + ending);
    }

    public Path checkpoints() {
        return new Path(root, "checkpoints");
    }

    /** The folder for what the owner's program keeps on the cluster's file system. It stays when the job has ended. */
    public Path work() {
        return new Path(root, "work");
    }

    /** Whether a file in {@link #checkpoints} is a checkpoint, complete and not the model. */
    public static boolean isCheckpoint(String name) {
        return name.startsWith("checkpoint-");
    }

    /** The journal: allocations, losses, speeds and resizes as JSON lines. It stays when the job has ended. */
    public Path journal() {
        return new Path(root, "journal.jsonl");
    }
}
