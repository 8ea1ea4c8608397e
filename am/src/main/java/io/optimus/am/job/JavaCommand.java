package io.optimus.am.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The command that starts a Java process in a YARN container; its output goes to the container's log folder. */
public final class JavaCommand {
    /** The shell of the container expands it: the node's JAVA_HOME, or java from the path where that is not set. */
    private static final String JAVA = "${JAVA_HOME:+$JAVA_HOME/bin/}java";

    private JavaCommand() {}

    /**
     * A command for a container's launch context.
     *
     * @param heapMb largest heap, MiB
     * @param logLevel of {@code io.optimus}, as {@code conf/log4j2.xml} reads it
     * @param flags further flags of the JVM, without blanks and quotes
     * @param mainClass its name
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
