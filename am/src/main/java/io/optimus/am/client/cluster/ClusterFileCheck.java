package io.optimus.am.client.cluster;

import io.optimus.am.job.ClusterDemand;
import io.optimus.am.job.WorkerFile;
import io.optimus.am.yaml.FileProblem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;

/** Looks for the files and the file systems of a job that the cluster has already. */
public final class ClusterFileCheck {
    private ClusterFileCheck() {}

    /** Every reason why workers could not get such a file, or not use such a file system. */
    public static List<FileProblem> problems(ClusterDemand demand, Configuration configuration) {
        List<FileProblem> problems = new ArrayList<>();
        demand.clusterFiles().forEach((file, key) -> problem(file, configuration)
                .ifPresent(sentence -> problems.add(demand.problem(key, sentence))));
        demand.fileSystems().forEach((uri, key) -> fileSystemProblem(uri, configuration)
                .ifPresent(sentence -> problems.add(demand.problem(key, sentence))));
        return problems;
    }

    private static Optional<String> fileSystemProblem(String uri, Configuration configuration) {
        try {
            FileSystem.get(URI.create(uri), configuration);
            return Optional.empty();
        } catch (IOException | IllegalArgumentException wrong) {
            return Optional.of("cannot use the file system " + uri + ": " + wrong.getMessage()
                    + ": check the URI, and that the Hadoop configuration has the file system");
        }
    }

    private static Optional<String> problem(WorkerFile file, Configuration configuration) {
        try {
            Path path = new Path(file.source());
            FileSystem fileSystem = path.getFileSystem(configuration);
            if (fileSystem.getFileStatus(path).isDirectory()) {
                return Optional.of(path + " is a folder: pack it as a .tar.gz and list that under archives");
            }
            fileSystem.access(path, FsAction.READ);
            return Optional.empty();
        } catch (FileNotFoundException absent) {
            return Optional.of("there is no file " + file.source() + ": check the URI");
        } catch (AccessControlException refused) {
            return Optional.of("you may not read " + file.source() + ": ask its owner for permission to read it");
        } catch (IOException | IllegalArgumentException wrong) {
            return Optional.of(file.source() + " cannot be looked up: " + wrong.getMessage()
                    + ": check the URI, or give a local path");
        }
    }
}
