package io.optimus.am.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Makes the command that starts a Java process in a YARN container; its output goes to the container's log folder. */
public final class JavaCommand {
    /** The shell of the container expands this to the node's JAVA_HOME, or to java from the path if that is not set. */
    private static final String JAVA = "${JAVA_HOME:+$JAVA_HOME/bin/}java";

    private JavaCommand() {}

    /**
     * The command for a container's launch context.
     *
     * @param heapMb the largest heap, MiB
     * @param logLevel the log level of {@code io.optimus}, which {@code conf/log4j2.xml} reads
     * @param flags further flags for the JVM, without blanks and quotes
     * @param mainClass the name of the main class
     */
    public static String of(int heapMb, JobSpec.LogLevel logLevel, List<String> flags, String mainClass) {
        List<String> words = new ArrayList<>(List.of("exec", JAVA, "-Xmx" + heapMb + "m"));
        words.add("-Doptimus.log.level=" + logLevel.name().toLowerCase(Locale.ROOT));
        words.addAll(flags);
        words.add(mainClass);
        words.add("1><LOG_DIR>/stdout");
        words.add("2><LOG_DIR>/stderr");
        return String.join(" ", words);
    }
}
