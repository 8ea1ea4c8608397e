package io.optimus.am.client;

import io.optimus.am.client.command.ClusterCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.util.ClassUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Runs the simulator, which is a program of its own: it needs no cluster. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        versionProvider = ClusterCommand.Version.class,
        description =
                "Simulate training jobs under any policy, in virtual time and without a cluster. All options are the"
                        + " simulator's; docs/simulator.md has them.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:success", "1:the simulator is not there, or failed", "2:invalid options"},
        footerHeading = "%nExample:%n",
        footer = "  yarn jar optimus-am.jar simulate --policy optimus,drf,fifo --seeds 3")
final class SimulateCommand implements Callable<Integer> {
    private static final String JAR = "optimus-sim.jar";

    private final PrintWriter err;

    @Parameters(arity = "0..*", paramLabel = "OPTION", description = "What the simulator is given.")
    private List<String> arguments = new ArrayList<>();

    SimulateCommand(PrintWriter err) {
        this.err = err;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        String own = ClassUtil.findContainingJar(SimulateCommand.class);
        Optional<Path> jar = own == null ? Optional.empty() : beside(Path.of(own));
        if (jar.isEmpty()) {
            err.println("There is no " + JAR + (own == null ? "" : " beside " + own)
                    + ": run scripts/simulate of the project, which builds it, or put the project's sim/target/" + JAR
                    + " there");
            return ClusterCommand.FAILED;
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-jar");
        command.add(jar.get().toString());
        command.addAll(arguments);
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    /** The simulator's jar in the folder of the client's, or where the project's build leaves it. */
    static Optional<Path> beside(Path own) {
        Path jar = own.toAbsolutePath();
        return List.of(
                        jar.resolveSibling(JAR),
                        jar.resolve("../../../sim/target/" + JAR).normalize())
                .stream()
                .filter(Files::isReadable)
                .findFirst();
    }
}
