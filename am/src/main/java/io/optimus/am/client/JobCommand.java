package io.optimus.am.client;

import io.optimus.am.client.cluster.ApplicationSummary;
import io.optimus.am.client.cluster.ClusterClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** A command for one job that YARN knows. */
abstract class JobCommand extends ClusterCommand {
    @Parameters(
            index = "0",
            paramLabel = "ID",
            converter = IdConverter.class,
            description = "The application id of the job.")
    private ApplicationId id = ApplicationId.newInstance(0, 0);

    JobCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        super(environment, out, err);
    }

    /** Reads an application id from the command line. */
    private static final class IdConverter implements ITypeConverter<ApplicationId> {
        @Override
        public ApplicationId convert(String text) {
            try {
                return ApplicationId.fromString(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException("'" + text + "' is not an application id: give one like"
                        + " application_1700000000000_0001; the command list shows them");
            }
        }
    }

    @Override
    final int run(Configuration configuration) throws IOException {
        try (ClusterClient cluster = environment.cluster(configuration)) {
            Optional<ApplicationSummary> found = cluster.find(id.toString());
            if (found.isEmpty()) {
                err.println("YARN does not know " + id + ": the command list --all shows the jobs that it knows");
                return FAILED;
            }
            run(configuration, cluster, found.get());
            return 0;
        }
    }

    abstract void run(Configuration configuration, ClusterClient cluster, ApplicationSummary job) throws IOException;
}
