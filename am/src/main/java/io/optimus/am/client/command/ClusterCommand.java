package io.optimus.am.client.command;

import io.optimus.am.configuration.ClientKeys;
import io.optimus.protocol.setting.InvalidSettingsException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all commands share: Hadoop's options, the exit codes, and how failures are reported. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = ClusterCommand.Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "1:the cluster refused or does not answer", "2:invalid options"},
        footerHeading = "%nExample:%n")
public abstract class ClusterCommand implements Callable<Integer> {
    /** Exit code: the cluster refused, or the job failed. */
    public static final int FAILED = ExitCode.SOFTWARE;
    /** Exit code: {@code --wait} ended before the job, because YARN no longer answers about it. */
    public static final int LOST = 3;
    /** Exit code: the options or the job file are invalid; nothing was done. */
    public static final int INVALID = ExitCode.USAGE;

    /** The version of the jar. */
    public static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = ClusterCommand.class.getPackage().getImplementationVersion();
            return new String[] {"Optimus for YARN " + (version == null ? "of a build without a jar" : version)};
        }
    }

    protected final ClientEnvironment environment;
    protected final PrintWriter out;
    protected final PrintWriter err;

    @Spec
    private CommandSpec specification = CommandSpec.create();

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "A property of the Hadoop configuration; may be given several times.")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(
            names = {"--conf", "-conf"},
            paramLabel = "FILE",
            description = "A file of such properties, in Hadoop's XML; may be given several times.")
    private List<Path> files = new ArrayList<>();

    protected ClusterCommand(ClientEnvironment environment, PrintWriter out, PrintWriter err) {
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /** The failure of a command that was given what it does not take. */
    protected final ParameterException wrong(String sentence) {
        return new ParameterException(specification.commandLine(), sentence);
    }

    /** Runs the command and returns the exit code. */
    protected abstract int run(Configuration configuration) throws IOException, InterruptedException;

    @Override
    public final Integer call() throws InterruptedException {
        try {
            return run(configuration());
        } catch (InvalidSettingsException | ParameterException wrong) {
            err.println(wrong.getMessage());
            return INVALID;
        } catch (IOException | RuntimeException failed) {
            err.println("Failed: " + sentence(failed));
            return FAILED;
        } finally {
            out.flush();
            err.flush();
        }
    }

    /**
     * A whole command of this client, to be copied into a shell: with the options of Hadoop that this one was given.
     *
     * @param jar the jar to name after {@code yarn jar}; unused if {@link ClientKeys#COMMAND_VARIABLE} names a script that called
     *     this command
     */
    protected final String commandLine(Path jar, String command, String argument) {
        List<String> options = new ArrayList<>();
        files.forEach(file -> Collections.addAll(options, "--conf", file.toString()));
        properties.forEach((key, value) -> Collections.addAll(options, "-D", key + "=" + value));
        String script = environment.variable(ClientKeys.COMMAND_VARIABLE);
        StringBuilder line = new StringBuilder(script == null ? "yarn jar " + quoted(jar.toString()) : script);
        line.append(' ').append(command);
        options.forEach(option -> line.append(' ').append(quoted(option)));
        return line.append(' ').append(quoted(argument)).toString();
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:=,@%+-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The message of {@code failed}, or its class if it has none. */
    public static String sentence(Throwable failed) {
        return failed.getMessage() == null || failed.getMessage().isBlank() ? failed.toString() : failed.getMessage();
    }

    private Configuration configuration() throws IOException {
        Configuration configuration = new YarnConfiguration();
        for (Path file : files) {
            if (!Files.isReadable(file)) {
                throw new IOException("Cannot read the configuration " + file);
            }
            configuration.addResource(
                    new org.apache.hadoop.fs.Path(file.toAbsolutePath().toUri()));
        }
        // Takes the resource types from the ResourceManager, so that the client needs no resource-types.xml.
        configuration.setBoolean(YarnConfiguration.YARN_CLIENT_LOAD_RESOURCETYPES_FROM_SERVER, true);
        properties.forEach(configuration::set);
        ClientKeys.check(configuration);
        return configuration;
    }
}
