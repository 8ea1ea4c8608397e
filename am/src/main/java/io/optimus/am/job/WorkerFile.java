package io.optimus.am.job;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A file that the job's owner sends to the working folder of every worker.
 *
 * <p>Example: {@code ../env.tar.gz#env} under the key {@code archives:} is unpacked into the folder {@code env}; {@code
 * hdfs:///data/digits.csv} in {@code files} is linked as {@code digits.csv}.
 *
 * @param source a local path, relative to the folder of the job file unless it is absolute, or a URI of a file system of
 *     the cluster
 * @param alias the name in the worker's folder
 * @param archive whether it is unpacked
 */
public record WorkerFile(String source, String alias, boolean archive) {
    /** The endings of archives that NodeManagers unpack. */
    private static final List<String> ARCHIVES = List.of(".zip", ".tar", ".tar.gz", ".tgz");
    /** YARN writes the name into a shell script, and gives it to every node's file system. */
    private static final String VALID_ALIAS = "[A-Za-z0-9_][A-Za-z0-9._+@=-]{0,199}";

    /** Files and folders of the container that an owner's file must not replace. */
    private static final Set<String> RESERVED = Set.of(
            JobDirectory.JAR_LINK,
            JobDirectory.JOB_LINK,
            JobDirectory.SECRET_LINK,
            JobDirectory.NATIVES_LINK,
            JobDirectory.START_MODEL_LINK,
            "tmp",
            "optimus_yarn",
            "output",
            "launch_container.sh",
            "container_tokens",
            "default_container_executor.sh",
            "default_container_executor_session.sh",
            "sysfs");

    /** The file that {@code text} names as {@code path#alias}; the alias is the file's own name if it is left out. */
    static WorkerFile of(String text, boolean archive) {
        int hash = text.lastIndexOf('#');
        String source = hash < 0 ? text : text.substring(0, hash);
        String alias = hash < 0 ? lastName(source) : text.substring(hash + 1);
        return new WorkerFile(source, alias, archive);
    }

    /** Whether the file is on a file system of the cluster already, so that it is not uploaded. */
    public boolean onCluster() {
        return source.matches("[A-Za-z][A-Za-z0-9+.-]*:/.*") && !source.startsWith("file:");
    }

    /** The path of a local file. */
    public Path local(Path jobFileFolder) {
        String path = source.startsWith("file:") ? source.replaceFirst("^file:/*", "/") : source;
        return jobFileFolder.resolve(path).normalize();
    }

    /** The ending by which a NodeManager knows how to unpack it; empty if it does not know how. */
    Optional<String> archiveEnding() {
        String name = lastName(source).toLowerCase(Locale.ROOT);
        return ARCHIVES.stream().filter(name::endsWith).findFirst();
    }

    /** What is wrong with the file, and the remedy; empty if nothing is. Files on the cluster are not looked up. */
    Optional<String> problem(Path jobFileFolder) {
        if (!alias.matches(VALID_ALIAS)) {
            return Optional.of("'" + alias + "' cannot be a name in the worker's folder: write " + source
                    + "#NAME, with a NAME of letters, digits and . _ + @ = - that begins with a letter, digit or _");
        }
        if (RESERVED.contains(alias)) {
            return Optional.of(alias + " is a file of Optimus or YARN in the worker's folder: choose another name with "
                    + source + "#NAME");
        }
        if (archive && archiveEnding().isEmpty()) {
            return Optional.of(source + " is no archive that YARN unpacks: pack it as one of "
                    + String.join(", ", ARCHIVES) + ", or list it under files");
        }
        return onCluster() ? Optional.empty() : localProblem(local(jobFileFolder));
    }

    /** What is wrong with the local file {@code path}, and the remedy; empty if nothing is. */
    Optional<String> localProblem(Path path) {
        if (!Files.exists(path)) {
            return Optional.of("there is no file " + path
                    + ": write its path from the folder of the job file, or a URI of the cluster's file system");
        }
        if (Files.isDirectory(path)) {
            return Optional.of(
                    path + " is a folder: pack it as a .tar.gz and list that under archives, or list its files");
        }
        return Files.isReadable(path)
                ? Optional.empty()
                : Optional.of("you may not read " + path + ": change its permissions");
    }

    private static String lastName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
