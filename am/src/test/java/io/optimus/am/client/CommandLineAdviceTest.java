package io.optimus.am.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.optimus.am.client.command.ClientEnvironment;
import io.optimus.am.client.command.ClusterCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The commands that a command advises can be copied into a shell. */
public final class CommandLineAdviceTest {
    private final FakeClusterClient cluster = new FakeClusterClient();

    /** Advises to kill a job. */
    @Command(name = "advise")
    private static final class Advice extends ClusterCommand {
        Advice(ClientEnvironment environment, PrintWriter out) {
            super(environment, out, out);
        }

        @Override
        protected int run(Configuration configuration) {
            out.print(commandLine(Path.of("/opt/my jars/optimus-am.jar"), "kill", "application_1_2"));
            return 0;
        }
    }

    @Test
    public void namesTheJarAndTheOptionsOfThisCommand() {
        assertThat(advice("-D", "a.b=it's c", "-D", "d=1"))
                .isEqualTo("yarn jar '/opt/my jars/optimus-am.jar' kill -D 'a.b=it'\\''s c' -D d=1 application_1_2");
    }

    @Test
    public void namesTheScriptThatWasCalled() {
        cluster.variables.put("OPTIMUS_COMMAND", "scripts/optimus --run-dir /tmp/a");

        assertThat(advice()).isEqualTo("scripts/optimus --run-dir /tmp/a kill application_1_2");
    }

    private String advice(String... arguments) {
        StringWriter out = new StringWriter();
        new CommandLine(new Advice(cluster, new PrintWriter(out, true))).execute(arguments);
        return out.toString();
    }
}
