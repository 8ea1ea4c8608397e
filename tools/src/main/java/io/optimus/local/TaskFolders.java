package io.optimus.local;

import io.optimus.am.job.JobDirectory;
import io.optimus.am.job.JobFile;
import io.optimus.am.job.JobSpecJson;
import io.optimus.am.job.WorkerFile;
import io.optimus.am.wire.JobSecret;
import io.optimus.am.wire.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Makes the working folders of tasks, with the files that a container gets.
 *
 * @param file the job
 * @param root the folder of the folders
 * @param jar optimus-am.jar
 * @param secret the job's secret
 */
record TaskFolders(JobFile file, Path root, Path jar, JobSecret secret) {
    /** Returns the working folder of {@code task}, which must not exist yet. */
    Path make(TaskId task) throws IOException {
        Path home = Files.createDirectory(root.resolve(task.toString()));
        Files.createDirectory(home.resolve("tmp"));
        Files.createSymbolicLink(home.resolve(JobDirectory.JAR_LINK), jar);
        Files.write(home.resolve(JobDirectory.JOB_LINK), JobSpecJson.write(file.spec()));
        Path secretFile = Files.createFile(
                home.resolve(JobDirectory.SECRET_LINK),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secretFile, secret.text());
        for (WorkerFile sent : file.uploads()) {
            Files.createSymbolicLink(home.resolve(sent.alias()), sent.local(file.folder()));
        }
        return home;
    }
}
